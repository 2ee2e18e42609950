import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Where what tests download once is kept. */
const servers = join(import.meta.dirname, '../../../.servers');

/** The versions of Node that the packages promise to work with, the newest of each but the one that runs this. */
export const plainNodes = ['20.20.2', '22.23.3', '24.21.0'] as const;

/** Returns the program of another Node, which npm installs once. */
export async function plainNode(version: (typeof plainNodes)[number]): Promise<string> {
  const isAppleSilicon = process.platform === 'darwin' && process.arch === 'arm64';
  const name = `${isAppleSilicon ? 'node-bin' : 'node'}-${process.platform}-${process.arch}`;
  const folder = join(servers, `node-${version}`);
  const program = join(
    folder,
    'node_modules',
    name,
    'bin',
    process.platform === 'win32' ? 'node.exe' : 'node',
  );
  if (existsSync(program)) return program;
  const draft = `${folder}.${process.pid}`;
  await mkdir(draft, { recursive: true });
  await npm(['install', '--no-save', '--ignore-scripts', '--force', `${name}@${version}`], draft);
  // Another test process may have been quicker.
  await rename(draft, folder).catch(() => rm(draft, { recursive: true }));
  return program;
}

/** Runs npm in a folder, which it takes for the root of a project. Throws with npm's output if it fails. */
export async function npm(parameters: string[], folder: string): Promise<void> {
  const quiet = ['--prefix', folder, '--no-audit', '--no-fund', '--prefer-offline'];
  await promisify(execFile)('npm', [...parameters, ...quiet], {
    cwd: folder,
    shell: process.platform === 'win32',
  });
}
