import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Without it a power loss takes the names of new files and directories, and all that is in them. */
export function syncDirectory(path: string): void {
  try {
    const directory = openSync(path, 'r');
    try {
      fsyncSync(directory);
    } finally {
      closeSync(directory);
    }
  } catch (error) {
    // Not every system can, nor may everybody who makes a directory open the one that it is in.
    if ((error as NodeJS.ErrnoException).code === 'EIO') throw error;
  }
}
