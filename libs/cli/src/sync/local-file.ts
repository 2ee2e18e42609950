import { lstat, readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { maxContentBytes, maxFrontmatterBytes } from '@teammemory/vocabulary/limits.ts';
import { rowKeyFault } from '@teammemory/vocabulary/row-key.ts';
import { missingIsUndefined } from './file-system.ts';
import { checksumOf } from './item-file.ts';

/** File systems allow 255. The rest is for `.remote-99` and for the name of a temporary file. */
const maxNameBytes = 240;

/** Whether a file name is that of a Markdown file. */
export function isMarkdown(name: string): boolean {
  return /\.(md|markdown)$/i.test(name);
}

/** Whether a folder belongs to tools, such as `.tms` and `.git`. Such folders are neither read nor written. */
export function isSkippedFolder(name: string): boolean {
  return name.startsWith('.') || name.toLowerCase() === 'node_modules';
}

/**
 * Returns as the end of a sentence why a row_key from the service must not become a file, or undefined if it may. A pull
 * writes only what a push would read: Markdown files outside hidden folders. Otherwise a member of the team could write
 * `.git/config` on the machines of others.
 */
function rowKeyProblem(rowKey: string): string | undefined {
  const fault = rowKeyFault(rowKey);
  if (fault !== undefined) return fault;
  if (process.platform === 'win32' && /[:*?"<>|]/.test(rowKey)) return 'has a character that Windows refuses';
  const names = rowKey.split('/');
  if (names.some((name) => Buffer.byteLength(name) > maxNameBytes)) return 'has a name that is too long';
  if (names.slice(0, -1).some(isSkippedFolder)) return 'lies in a hidden folder or in node_modules';
  if (!isMarkdown(rowKey)) return 'is not a Markdown file';
  return undefined;
}

/** The service accepts no larger file. The YAML of front matter may be longer than its JSON, hence the factor of two. */
export const maxFileBytes = maxContentBytes + 2 * maxFrontmatterBytes;

/** What exists at the path where the file of a row_key belongs. */
export type LocalFile =
  | { kind: 'missing'; path: string }
  | { kind: 'file'; path: string; checksum: string; mode: number }
  /** Nothing may be written there. `reason` is the end of a sentence that begins with the row_key. */
  | { kind: 'refused'; reason: string };

/**
 * Examines the path of a row_key below `root`, a real path. Refuses row_keys that no push would send, symbolic links
 * anywhere on the path, a folder where a file belongs and the reverse, and, on file systems that ignore case, another
 * name for an existing file. Accepted risk: somebody who changes these folders at the same moment works on the same
 * machine with the same rights.
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
    // The system's realpath returns names as they are spelled on the disk.
    if ((await realpath(path)).normalize('NFC') !== path.normalize('NFC')) {
      return { kind: 'refused', reason: 'differs from an existing name only in case' };
    }
    if (isLast)
      return { kind: 'file', path, mode: stats.mode, checksum: await checksumOfFile(path, stats.size) };
  }
  return { kind: 'refused', reason: 'is empty' };
}

/** A file that is too large for the service has none of its checksums, so it is not read. */
async function checksumOfFile(path: string, bytes: number): Promise<string> {
  return bytes > maxFileBytes ? 'too large' : checksumOf(await readFile(path));
}
