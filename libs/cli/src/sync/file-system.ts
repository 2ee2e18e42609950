import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * Makes a directory and its missing parents. Node's own recursive mkdir never returns if an existing parent refuses
 * new directories, as in /proc. Throws the error of the file system.
 */
export async function makeDirectory(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && (await stat(path)).isDirectory()) return;
    const parent = dirname(path);
    const parentIsThere = await stat(parent).then(
      () => true,
      () => false,
    );
    if (code !== 'ENOENT' || parentIsThere) throw error;
    await makeDirectory(parent);
    await makeDirectory(path);
  }
}

/** For `.catch`: returns undefined if the file does not exist, and throws every other error. */
export function missingIsUndefined(cause: NodeJS.ErrnoException): undefined {
  if (cause.code === 'ENOENT') return undefined;
  throw cause;
}

/**
 * Writes a file so that a reader or a crash sees all of it or nothing: it writes and flushes a new file beside it, then
 * renames that file. The folder must exist.
 */
export async function writeFileAtomically(path: string, bytes: Uint8Array, mode = 0o666): Promise<void> {
  const temporary = join(dirname(path), `.tms-${randomUUID()}.tmp`);
  try {
    // 'wx' neither follows a link nor opens an existing file.
    const file = await open(temporary, 'wx', mode);
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (cause) {
    await rm(temporary, { force: true });
    throw cause;
  }
}
