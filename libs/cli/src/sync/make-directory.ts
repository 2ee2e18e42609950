import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

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
