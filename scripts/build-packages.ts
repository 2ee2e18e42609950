// Builds what others install into dist/packages/: @teammemory/client and @teammemory/cli as tarballs, and beside each
// the folder that was packed. `npm run packages`.
import { mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { buildCliPackage } from './packages/cli-package.ts';
import { buildClientPackage } from './packages/client-package.ts';
import { run } from './packages/run.ts';

const root = join(import.meta.dirname, '..');
/** A test builds into a folder of its own. */
const target = process.argv[2] ?? join(root, 'dist', 'packages');

rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
const folders = await Promise.all([
  buildClientPackage(root, join(target, 'client')),
  buildCliPackage(root, join(target, 'cli')),
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
