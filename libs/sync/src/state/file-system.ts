import { constants, lstatSync } from 'node:fs';
import { mkdir, open, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

export interface FileStat {
  kind: 'file' | 'folder' | 'link' | 'other';
  size: number;
  mode: number;
  /** Changes whenever the content may have: size, times, inode. */
  stamp: string;
  /** Milliseconds since 1970. */
  modifiedAt: number;
  /** The same, of the last change of the content or of what the system keeps about the file, whichever is later. */
  changedAt: number;
}

/** The calls to the operating system that synchronising is made of. Errors are Node's, with their `code`. */
export interface FileSystem {
  /** Undefined for what does not exist. Does not follow links. */
  stat(path: string): Promise<FileStat | undefined>;
  list(path: string): Promise<{ name: string; kind: FileStat['kind'] }[]>;
  /** Reads a file, not through a link. Undefined if it is larger. Throws code `CHANGED` if it changed meanwhile. */
  read(path: string, maxBytes: number): Promise<Uint8Array | undefined>;
  /** Makes a file that must not exist, whole or not at all. `flush`: it is on the disk before this returns. */
  create(path: string, bytes: Uint8Array, options: { mode?: number; flush: boolean }): Promise<void>;
  /** Adds to a file, which is created if it is missing, and flushes it. */
  append(path: string, bytes: Uint8Array): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  /** Does nothing if the file does not exist. */
  remove(path: string): Promise<void>;
  /** Throws ENOTEMPTY for a folder that is not empty. */
  removeFolder(path: string): Promise<void>;
  /** Makes one folder, whose parent must exist. Does nothing if it is there. */
  makeFolder(path: string): Promise<void>;
  /** The names in a folder are on the disk before this returns, where the system can do that and the folder is there. */
  syncFolder(path: string): Promise<void>;
}

/** The file system of this machine. */
export const nodeFileSystem: FileSystem = {
  stat: statOf,
  list: async (path) => {
    const entries = await readdir(path, { withFileTypes: true });
    return entries.map((entry) => ({ name: entry.name, kind: kindOf(entry) }));
  },
  read: readStable,
  create: async (path, bytes, { mode = 0o666, flush }) => {
    // 'wx' neither follows a link nor opens an existing file.
    const file = await open(path, 'wx', mode);
    try {
      await file.writeFile(bytes);
      if (flush) await file.sync();
    } catch (cause) {
      // Half a lock would keep everybody out for a while.
      await rm(path, { force: true }).catch(() => undefined);
      throw cause;
    } finally {
      await file.close();
    }
  },
  append: (path, bytes) =>
    namingFile(path, async () => {
      const file = await open(path, 'a', 0o600);
      try {
        await file.writeFile(bytes);
        await file.datasync();
      } finally {
        await file.close();
      }
    }),
  rename,
  remove: (path) => rm(path, { force: true }),
  removeFolder: (path) => rmdir(path),
  makeFolder: async (path) => {
    try {
      await mkdir(path);
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'EEXIST' || (await statOf(path))?.kind !== 'folder')
        throw cause;
    }
  },
  syncFolder,
};

/** What a system answers that cannot sync a folder, or may not open it. */
const codesOfNoSync: readonly unknown[] = [
  'EINVAL',
  'ENOTSUP',
  'ENOSYS',
  'EBADF',
  'EACCES',
  'EPERM',
  'EISDIR',
];

/**
 * Sees to it that the names in a folder are on the disk, where the system can do that and the folder is there. Windows
 * needs none of that.
 * @throws the error of a disk that fails: the names may be lost.
 */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  try {
    const folder = await open(path, 'r');
    await folder.sync().finally(() => folder.close());
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ENOTDIR' && !codesOfNoSync.includes(code)) throw cause;
  }
}

/** Asks synchronously: a turn through the thread pool takes ten times what the system takes, and a scan asks for each file. */
async function statOf(path: string): Promise<FileStat | undefined> {
  try {
    return fileStat(lstatSync(path, { bigint: true }));
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw cause;
  }
}

async function readStable(path: string, maxBytes: number): Promise<Uint8Array | undefined> {
  // Not defined on Windows, where opening a link for reading cannot be refused.
  const file = await open(
    path,
    constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0),
  );
  try {
    const before = fileStat(await file.stat({ bigint: true }));
    if (before.kind !== 'file') throw changed(path);
    if (before.size > maxBytes) return undefined;
    const bytes = await file.readFile();
    const after = fileStat(await file.stat({ bigint: true }));
    if (before.stamp !== after.stamp || bytes.byteLength !== after.size) throw changed(path);
    return bytes;
  } finally {
    await file.close();
  }
}

/** The error of a file that changes while it is read. */
export function changed(path: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${path} changes while it is read.`), { code: 'CHANGED' });
}

interface Kinds {
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}

function kindOf(entry: Kinds): FileStat['kind'] {
  if (entry.isSymbolicLink()) return 'link';
  if (entry.isFile()) return 'file';
  return entry.isDirectory() ? 'folder' : 'other';
}

function fileStat(
  stats: Kinds & {
    size: bigint;
    mode: bigint;
    mtimeNs: bigint;
    ctimeNs: bigint;
    ino: bigint;
    mtimeMs: bigint;
    ctimeMs: bigint;
  },
): FileStat {
  const { size, mode, mtimeNs, ctimeNs, ino, mtimeMs, ctimeMs } = stats;
  return {
    kind: kindOf(stats),
    size: Number(size),
    mode: Number(mode) & 0o777,
    stamp: `${size}.${mtimeNs}.${ctimeNs}.${ino}`,
    modifiedAt: Number(mtimeMs),
    changedAt: Math.max(Number(mtimeMs), Number(ctimeMs)),
  };
}

/** Makes a folder and its missing parents. Throws the error of the file system. */
export async function makeFolders(files: FileSystem, path: string): Promise<void> {
  const stat = await files.stat(path);
  if (stat?.kind === 'folder') return;
  const parent = dirname(path);
  if (stat === undefined && parent !== path) await makeFolders(files, parent);
  await files.makeFolder(path);
}

const temporaryName = /^\.tms-[0-9a-f-]{36}\.tmp$/;

/** Whether a file is one that a crash left behind while it was written. */
export function isTemporary(path: string): boolean {
  return temporaryName.test(basename(path));
}

/**
 * Writes a file so that a reader or a crash sees all of it or nothing: a new file beside it is written and flushed, then
 * renamed. The folder must exist. `check` runs right before the rename, and stops it by throwing.
 */
export async function writeAtomically(
  files: FileSystem,
  path: string,
  bytes: Uint8Array,
  options: { mode?: number; flush: boolean; check?: () => Promise<void> },
): Promise<void> {
  const temporary = join(dirname(path), `.tms-${crypto.randomUUID()}.tmp`);
  try {
    await namingFile(path, () => files.create(temporary, bytes, options));
    await options.check?.();
    await files.rename(temporary, path);
  } catch (cause) {
    await files.remove(temporary).catch(() => undefined);
    throw cause;
  }
}

/** Runs `work`. Errors of the system that name no file, such as ENOSPC of a write, get the name of this one. */
export async function namingFile<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    const error = cause as NodeJS.ErrnoException;
    if (error.syscall !== undefined && error.path === undefined) {
      error.path = path;
      error.message += ` '${path}'`;
    }
    throw error;
  }
}
