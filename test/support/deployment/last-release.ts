import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('../../..', import.meta.url));
const manifest = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
const { version, commit }: { version: string; commit: string } = manifest.lastRelease;
/** Packages are copied, and those of the last release that are missing are installed. */
const installTimeoutMs = 300_000;

/** Its version. */
export const lastVersion = version;

/** Why the program of the last release cannot be had; undefined if it can. */
export const noLastRelease: string | undefined =
  run('git', ['cat-file', '-e', `${commit}^{commit}`]).status === 0
    ? undefined
    : `this checkout does not have commit ${commit} of version ${version}`;

/** The text of one of its files. @throws Error where it cannot be had. */
export function fileOfLastRelease(path: string): string {
  const { status, stdout, stderr } = run('git', ['show', `${commit}:${path}`]);
  if (status !== 0) throw new Error(stderr);
  return stdout;
}

/** Puts its files below a path, or all with `.`, into a folder that is there. @throws Error where they cannot be had. */
export function extractLastRelease(path: string, folder: string): void {
  mustRun('sh', ['-c', 'git archive "$0" "$1" | tar -x -C "$2"', commit, path, folder]);
}

/** A folder that is the program of the last release, or the present one, as an installation is upgraded and downgraded. */
export interface Installation {
  path: string;
  /** Puts the present program there. What runs goes on with what it has loaded. */
  upgrade(): void;
  /** Puts the last release there again. */
  downgrade(): void;
  remove(): void;
}

/** Makes a folder of the last release, ready to start. @throws Error where a step fails. */
export function installLastRelease(): Installation {
  const folder = mkdtempSync(join(tmpdir(), 'team-memory-release-'));
  const path = join(folder, 'installation');
  const away = join(folder, 'last-release');
  mkdirSync(path);
  extractLastRelease('.', path);
  // Copies of what is installed here: only what differs has to be fetched.
  for (const modules of foldersWithModules()) {
    const source = join(repository, modules, 'node_modules');
    if (existsSync(join(path, modules)) && existsSync(source))
      // Links cannot lead to another file system.
      mustRun('sh', ['-c', 'cp -a --link "$0" "$1" || cp -a "$0" "$1"', source, join(path, modules)]);
  }
  mustRun(process.execPath, ['scripts/install-missing.mjs', '--omit=dev', '--dashboard'], path);
  return {
    path,
    upgrade() {
      renameSync(path, away);
      symlinkSync(repository, path);
    },
    downgrade() {
      rmSync(path);
      renameSync(away, path);
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function foldersWithModules(): string[] {
  const { stdout } = run('git', ['ls-files', '*package.json']);
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((manifest) => join(manifest, '..'));
}

function run(command: string, parameters: string[], cwd = repository) {
  return spawnSync(command, parameters, { cwd, encoding: 'utf8', timeout: installTimeoutMs });
}

function mustRun(command: string, parameters: string[], cwd?: string): void {
  const { status, stderr } = run(command, parameters, cwd);
  if (status !== 0) throw new Error(`${command} ${parameters.join(' ')} failed: ${stderr}`);
}
