import { constants } from 'node:fs';
import { type FileHandle, lstat, open } from 'node:fs/promises';
import { join } from 'node:path';
import { CliError } from '../cli-error.ts';

/**
 * Opens a file below an exported folder for reading. Folders come from others, and what is read is sent to a service: a
 * link could lead to a private file of whoever imports, and a pipe would be waited for without end.
 * Throws CliError `damaged_export` for a link, also on the way to the file, for anything but a file, and for a larger file.
 *
 * @param name path below the folder, with `/`.
 * @param missing what the error says if there is no such file.
 */
export async function openFolderFile(
  folder: string,
  name: string,
  { maxBytes, missing }: { maxBytes: number; missing?: string },
): Promise<FileHandle> {
  const damaged = (detail: string) => new CliError('damaged_export', `${join(folder, name)} ${detail}`);
  const names = name.split('/');
  for (const [index] of names.entries()) {
    const path = join(folder, ...names.slice(0, index + 1));
    const stats = await lstat(path).catch((cause: NodeJS.ErrnoException) => {
      if (cause.code === 'ENOENT' || cause.code === 'ENOTDIR') throw damaged(missing ?? 'is missing.');
      throw damaged(`cannot be read: ${cause.message}.`);
    });
    const isLast = index === names.length - 1;
    if (isLast ? !stats.isFile() : !stats.isDirectory()) {
      throw damaged('is a link, or no file. Folders with links are not imported.');
    }
  }
  // Windows has neither flag; there the look above is all.
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  const file = await open(join(folder, name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch((cause: Error) => {
    throw damaged(`cannot be read: ${cause.message}.`);
  });
  const stats = await file.stat();
  if (stats.isFile() && stats.size <= maxBytes) return file;
  await file.close();
  throw damaged(stats.isFile() ? `is larger than ${maxBytes} bytes.` : 'is no file.');
}

/** Reads such a file whole. */
export async function readFolderFile(
  folder: string,
  name: string,
  options: { maxBytes: number; missing?: string },
): Promise<Buffer> {
  const file = await openFolderFile(folder, name, options);
  try {
    return await file.readFile();
  } finally {
    await file.close();
  }
}
