import { lstat, readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { checksumOf } from './checksum.ts';
import { missingIsUndefined } from './missing-is-undefined.ts';
import { rowKeyProblem } from './row-key.ts';

/** The service takes 1 MiB of content and 32 KiB of front matter; nothing larger came from it or can go there. */
export const maxFileBytes = 1024 * 1024 + 64 * 1024;

/** What is in the place where the file of a row_key belongs. */
export type LocalFile =
  | { kind: 'missing'; path: string }
  | { kind: 'file'; path: string; checksum: string; mode: number }
  /** Nothing may be written there; `reason` ends a sentence that begins with the row_key. */
  | { kind: 'refused'; reason: string };

/**
 * Looks at the place of a row_key below `root`, a real path. Refuses row_keys that
 * no push would send, symbolic links anywhere on the way, folders and files in each
 * other's place, and, on file systems that do not tell case apart, another name for
 * an existing file. Accepted risk: somebody who changes these folders at the same
 * moment works on the same machine with the same rights.
 */
export async function findLocalFile(root: string, rowKey: string): Promise<LocalFile> {
  const problem = rowKeyProblem(rowKey);
  if (problem !== undefined) return { kind: 'refused', reason: problem };
  const names = rowKey.split('/');
  let path = root;
  for (const [index, name] of names.entries()) {
    path = join(path, name);
    const stats = await lstat(path).catch(missingIsUndefined);
    if (stats === undefined) return { kind: 'missing', path: join(root, ...names) };
    if (stats.isSymbolicLink()) return { kind: 'refused', reason: 'leads through a symbolic link' };
    const isLast = index === names.length - 1;
    if (isLast ? !stats.isFile() : !stats.isDirectory()) {
      return { kind: 'refused', reason: 'has a file where a folder belongs, or the other way round' };
    }
    // The system's own realpath spells names as the disk has them.
    if ((await realpath(path)).normalize('NFC') !== path.normalize('NFC')) {
      return { kind: 'refused', reason: 'differs from an existing name only in case' };
    }
    if (isLast)
      return { kind: 'file', path, mode: stats.mode, checksum: await checksumOfFile(path, stats.size) };
  }
  return { kind: 'refused', reason: 'is empty' };
}

/** A file too large to have come from the service equals none of its checksums, so it need not be read. */
async function checksumOfFile(path: string, bytes: number): Promise<string> {
  return bytes > maxFileBytes ? 'too large' : checksumOf(await readFile(path));
}
