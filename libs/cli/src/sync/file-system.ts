import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * Makes a directory and those above it that are missing. Node's own recursive
 * mkdir never returns where a parent is there but refuses to have children, as
 * in /proc. Throws the error of the file system.
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

/** For `.catch`: makes undefined of "there is no such file", and nothing else. */
export function missingIsUndefined(cause: NodeJS.ErrnoException): undefined {
  if (cause.code === 'ENOENT') return undefined;
  throw cause;
}

/**
 * Writes a file so that a reader, or a crash, sees all of it or none: into a new
 * file beside it, flushed, then renamed over it. The folder must exist.
 */
export async function writeFileAtomically(path: string, bytes: Uint8Array, mode = 0o666): Promise<void> {
  const temporary = join(dirname(path), `.tms-${randomUUID()}.tmp`);
  try {
    // 'wx' follows no link and takes no existing file.
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
