import { execFile } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type TemporaryDirectory, temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import { npm } from './plain-node.ts';

const repository = join(import.meta.dirname, '../../..');

/** The packages as somebody else has them: installed from their tarballs into an empty folder. */
export interface InstalledPackages {
  folder: string;
  /** The program that npm links as `tms`. */
  tms: string;
  /** The program of the whole service, which npm links as `team-memory-service`. */
  service: string;
  remove(): Promise<void>;
}

export async function installPackages(flags: readonly string[] = []): Promise<InstalledPackages> {
  const built = await temporaryDirectory();
  const directory = await temporaryDirectory();
  try {
    const build = join(repository, 'scripts', 'build-packages.ts');
    await promisify(execFile)(process.execPath, [build, built.path, ...flags], { cwd: repository });
    await installTarballs(built, directory);
  } finally {
    await built.remove();
  }
  const folder = directory.path;
  const tms = join(folder, 'node_modules', '@teammemory', 'cli', 'bin', 'tms.js');
  const service = join(folder, 'node_modules', 'team-memory-service', 'bin', 'team-memory-service.js');
  return { folder, tms, service, remove: () => directory.remove() };
}

async function installTarballs(built: TemporaryDirectory, directory: TemporaryDirectory): Promise<void> {
  const tarballs = (await readdir(built.path)).filter((name) => name.endsWith('.tgz'));
  await writeFile(join(directory.path, 'package.json'), '{ "private": true, "type": "module" }');
  await npm(['install', ...tarballs.map((name) => join(built.path, name))], directory.path);
}

/** Copies the examples of the client's README into a folder, each under the name that it begins with. */
export async function copyReadmeExamples(folder: string): Promise<string[]> {
  const page = await readFile(join(folder, 'node_modules/@teammemory/client/README.md'), 'utf8');
  const blocks = [...page.matchAll(/^```js\n(\/\/ (\S+\.mjs)\n[\s\S]*?)^```$/gm)];
  for (const [, text = '', name = ''] of blocks) await writeFile(join(folder, name), text);
  return blocks.map(([, , name = '']) => name);
}
