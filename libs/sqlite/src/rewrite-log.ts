import { closeSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { syncDirectory } from './sync-directory.ts';

const pieceBytes = 2 ** 20;

/**
 * Makes durable what an earlier process left in a write-ahead log, before anybody is shown it: writes all of it again in
 * its place, and syncs it and its name. A sync alone is not enough. After one that failed, Linux takes what it has in
 * memory for written, so the next sync leaves it out. A power loss would then take it with all that follows it in the log.
 */
export function rewriteLog(path: string): void {
  let log: number;
  try {
    log = openSync(path, 'r+');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  try {
    const piece = Buffer.alloc(pieceBytes);
    for (let position = 0; ; ) {
      const bytes = readSync(log, piece, 0, pieceBytes, position);
      if (bytes === 0) break;
      for (let written = 0; written < bytes; )
        written += writeSync(log, piece, written, bytes - written, position + written);
      position += bytes;
    }
    fsyncSync(log);
  } finally {
    closeSync(log);
  }
  syncDirectory(dirname(path));
}
