import { randomUUID } from 'node:crypto';
import { chmod, lstat, mkdir, open, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { CliError } from '../cli-error.ts';
import type { Scope } from './clients.ts';

/** Some clients keep more than settings in their file; what is larger is none. */
const maxBytes = 16 * 1024 * 1024;

/** A configuration file of a client as it was read. */
export interface ConfigurationFile {
  /** Where the file is or will be, behind links. */
  path: string;
  /** Where the file of before the last change is kept; undefined to keep none. */
  backup: string | undefined;
  /** Undefined if there is no file. */
  text: string | undefined;
  /** The text of the backup; undefined without one. */
  backupText: string | undefined;
  scope: Scope;
}

/**
 * Reads a configuration file. Throws CliError `outside_folder` for a path that a symbolic link leads out of its folder, and
 * `bad_file` for what is no file of UTF-8 text.
 */
export async function readConfiguration(
  folder: string,
  path: string,
  scope: Scope,
): Promise<ConfigurationFile> {
  const root = await realPlace(folder, path);
  const place = await realPlace(path, path);
  const way = relative(root, place);
  if (way.split(sep)[0] === '..' || isAbsolute(way)) {
    throw new CliError('outside_folder', `${path} was not changed. A symbolic link leads out of ${folder}.`);
  }
  const backup = `${place}.tms-backup`;
  const [text, backupText] = [await readText(place), await readText(backup)];
  return { path: place, backup, text, backupText, scope };
}

/** Follows the links of a path that need not exist. */
async function realPlace(path: string, shown: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw cause;
  }
  if ((await lstat(path).catch(() => undefined))?.isSymbolicLink()) {
    throw new CliError('outside_folder', `${shown} was not changed. It is a symbolic link to nothing.`);
  }
  const parent = dirname(path);
  return parent === path ? path : join(await realPlace(parent, shown), basename(path));
}

async function readText(path: string): Promise<string | undefined> {
  // A link that lies where the backup goes is not followed.
  const there = await lstat(path).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT' || cause.code === 'ENOTDIR') return undefined;
    throw cause;
  });
  if (there === undefined) return undefined;
  if (!there.isFile()) throw new CliError('bad_file', `${path} is not a file. Nothing was changed.`);
  if (there.size > maxBytes) {
    throw new CliError('bad_file', `${path} has more than ${maxBytes} bytes. Nothing was changed.`);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await readFile(path));
  } catch (cause) {
    if (cause instanceof TypeError) {
      throw new CliError('bad_file', `${path} is not UTF-8 text. Nothing was changed.`);
    }
    throw cause;
  }
}

/**
 * Replaces a file that was read, or removes it for the text undefined. What it was is kept beside it first, unless the new
 * text is that backup, which then goes. Throws CliError `changed_meanwhile`.
 */
export async function changeConfiguration(file: ConfigurationFile, text: string | undefined): Promise<void> {
  const { path, backup } = file;
  if ((await readText(path)) !== file.text) {
    throw new CliError('changed_meanwhile', `${path} has just been changed by another program. Try again.`);
  }
  const mode = file.text === undefined ? undefined : (await stat(path)).mode & 0o777;
  const isRestored = text === file.backupText;
  if (backup !== undefined && !isRestored && file.text !== undefined)
    await replaceFile(backup, file.text, mode ?? 0o600);
  if (text === undefined) await rm(path, { force: true });
  else {
    const isPrivate = file.scope === 'user';
    await mkdir(dirname(path), { recursive: true, ...(isPrivate ? { mode: 0o700 } : {}) });
    await replaceFile(path, text, mode ?? (isPrivate ? 0o600 : undefined));
  }
  if (backup !== undefined && isRestored) await rm(backup, { force: true });
}

/** Returns where a change leaves the earlier text; null if it does not. */
export function keptBackup(file: ConfigurationFile, text: string | undefined): string | null {
  return file.text === undefined || text === file.backupText ? null : (file.backup ?? null);
}

/** Writes a file beside the old one, which it then replaces. Without a mode it gets that of every new file. */
async function replaceFile(path: string, text: string, mode: number | undefined): Promise<void> {
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    const file = await open(temporary, 'wx', mode ?? 0o666);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    // The umask can have taken bits away.
    if (mode !== undefined) await chmod(temporary, mode);
    await rename(temporary, path);
  } catch (cause) {
    await rm(temporary, { force: true });
    throw cause;
  }
}
