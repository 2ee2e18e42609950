import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { AppError } from '@teammemory/errors/app-error.ts';
import { type DirectoryLock, lockDirectory } from '@teammemory/sqlite/lock-directory.ts';

/** The directory that holds what the process keeps on its own machine. */
export interface DataDirectory {
  path: string;
  /** Reads a file that `writeSecret` wrote; undefined where there is none. */
  readSecret(name: string): unknown;
  /** Writes JSON that only the owner may read, whole or not at all. */
  writeSecret(name: string, value: unknown): void;
  release(): void;
}

/**
 * Makes the directory where it is missing and takes it for this process alone.
 * @throws AppError with one sentence when that cannot be done.
 */
export function openDataDirectory(name: string): DataDirectory {
  const path = resolve(name);
  let lock: DirectoryLock;
  try {
    makeDirectory(path);
    lock = lockDirectory(path);
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw new AppError('invalid_request', `The data directory ${path} cannot be written.`, { cause });
  }
  return {
    path,
    readSecret(file) {
      try {
        return JSON.parse(readFileSync(join(path, file), 'utf8'));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
        throw new AppError('invalid_request', `The file ${join(path, file)} cannot be read.`, {
          cause: error,
        });
      }
    },
    writeSecret(file, value) {
      const target = join(path, file);
      writeFileSync(`${target}.new`, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
      renameSync(`${target}.new`, target);
    },
    release: lock.release,
  };
}

/** Node's own recursive mkdir never returns where a parent exists but refuses to have children, as in /proc. */
function makeDirectory(path: string): void {
  if (existsSync(path)) return;
  makeDirectory(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}
