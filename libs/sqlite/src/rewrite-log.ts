import { closeSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { syncDirectory } from './sync-directory.ts';

const pieceBytes = 2 ** 20;

/**
 * Writes the bytes of a write-ahead log over themselves and syncs the file and its name, so that the log of an earlier
 * process is durable before anybody reads it. A sync alone is not enough: after a sync that failed, Linux regards the
 * bytes in its memory as written, and the next sync leaves them out. A power loss would then take them, and all bytes that
 * follow them in the log.
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
