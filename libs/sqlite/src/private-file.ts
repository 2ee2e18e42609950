import { closeSync, constants, lstatSync, openSync } from 'node:fs';

const { O_CREAT, O_EXCL, O_NOFOLLOW = 0, O_RDWR } = constants;

/**
 * Makes a file that only its owner can read, before SQLite makes one that all
 * can; one that is there stays as it is. Throws where it is a link, which could
 * lead anywhere, and what the file system throws.
 */
export function makePrivateFile(path: string): void {
  try {
    closeSync(openSync(path, O_CREAT | O_EXCL | O_NOFOLLOW | O_RDWR, 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    // Not opened: closing a file that this process has open elsewhere would end SQLite's locks on it.
    if (!lstatSync(path).isFile()) throw new Error(`${path} is no file`);
  }
}
