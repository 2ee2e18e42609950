// Builds what others install into dist/packages/, or the folder that is named: @teammemory/client, @teammemory/cli and
// team-memory-service as tarballs, and beside each the folder that was packed. `npm run packages -- [folder] [--commit …] [--repository …]`.
import { mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildCliPackage } from './packages/cli-package.ts';
import { buildClientPackage } from './packages/client-package.ts';
import { run } from './packages/run.ts';
import { buildServicePackage } from './packages/service-package.ts';

const root = join(import.meta.dirname, '..');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** Where there is no git. */
    commit: { type: 'string' },
    repository: { type: 'string' },
    homepage: { type: 'string' },
    bugs: { type: 'string' },
  },
});
// Whole: npm packs from within each folder.
const target = resolve(positionals[0] ?? join(root, 'dist', 'packages'));
const head = () => run('git', ['rev-parse', 'HEAD'], root).then((text) => text.trim());
const origin = { ...values, commit: values.commit ?? (await head().catch(() => undefined)) };

rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
const folders = await Promise.all([
  buildClientPackage(root, join(target, 'client'), origin),
  buildCliPackage(root, join(target, 'cli'), origin),
  buildServicePackage(root, join(target, 'service'), origin),
]);
for (const folder of folders) {
  const packed = await run(
    'npm',
    ['pack', '--json', '--ignore-scripts', '--pack-destination', target],
    folder,
  );
  const [{ filename, unpackedSize }] = JSON.parse(packed);
  const tarball = join(target, filename);
  const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const kilobytes = (bytes: number) => `${Math.ceil(bytes / 1000)} kB`;
  process.stdout.write(
    `${name} ${version}: ${relative(process.cwd(), tarball)}, ${kilobytes(statSync(tarball).size)} (${kilobytes(unpackedSize)} unpacked)\n`,
  );
}
