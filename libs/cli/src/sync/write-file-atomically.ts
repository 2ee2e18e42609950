import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

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
