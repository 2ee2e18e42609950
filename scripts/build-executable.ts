// `npm run executables`: makes one file of Node and the package team-memory-service, for this platform, or for the one of another
// program of Node: `-- --node <its file> --platform linux-arm64`. The same source and Node give the same file.
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildExecutable } from './executable/build.ts';
import { run } from './packages/run.ts';

const root = join(import.meta.dirname, '..');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    node: { type: 'string', default: process.execPath },
    /** As Node names it: `process.platform`, `-`, `process.arch`. */
    platform: { type: 'string', default: `${process.platform}-${process.arch}` },
    /** A folder with packages that are built already. */
    packages: { type: 'string' },
  },
});
const target = resolve(positionals[0] ?? join(root, 'dist', 'executables'));
const packages = resolve(values.packages ?? join(root, 'dist', 'packages'));
if (values.packages === undefined)
  await run(process.execPath, [join(import.meta.dirname, 'build-packages.ts'), packages], root);
mkdirSync(target, { recursive: true });
const { platform } = values;
const node = resolve(values.node);
const file = await buildExecutable(join(packages, 'service'), { target, node, platform });
process.stdout.write(`${file}\n`);
