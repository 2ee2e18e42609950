import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { AppError } from '@teammemory/errors/app-error.ts';
import { makePrivateFile } from './private-file.ts';

export interface DirectoryLock {
  release(): void;
}

/** Held here as well: a lock that nothing references would be collected and freed. */
const held = new Set<DatabaseSync>();

/**
 * Takes a data directory for this process alone. Two processes on one file
 * would break each other's assumptions about the head of a feed. The lock is
 * an exclusive transaction on a small file, so the operating system frees it
 * when the process dies, however it dies.
 *
 * @throws AppError `unavailable` when another process has it, `invalid_request`
 *   when the directory cannot be written.
 */
export function lockDirectory(directory: string): DirectoryLock {
  let file: DatabaseSync;
  try {
    makePrivateFile(join(directory, 'lock'));
    file = new DatabaseSync(join(directory, 'lock'), { timeout: 0 });
  } catch (cause) {
    throw unwritable(directory, cause);
  }
  try {
    // A journal in a file would need space, and nothing is ever written.
    file.exec('PRAGMA journal_mode=MEMORY; BEGIN EXCLUSIVE;');
  } catch (cause) {
    file.close();
    if (cause instanceof Error && /locked|busy/i.test(cause.message)) {
      throw new AppError('unavailable', `The data directory ${directory} is in use by another process.`, {
        cause,
      });
    }
    throw unwritable(directory, cause);
  }
  held.add(file);
  return {
    release() {
      held.delete(file);
      file.close();
    },
  };
}

/** The error of a data directory in which a file could not be made. */
export function unwritable(directory: string, cause: unknown): AppError {
  const { code } = cause as NodeJS.ErrnoException;
  return code === 'ENOSPC'
    ? new AppError('unavailable', `The disk of ${directory} is full: make room and start again.`, { cause })
    : new AppError('invalid_request', `The data directory ${directory} cannot be written.`, { cause });
}
