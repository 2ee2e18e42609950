import { basename, dirname } from 'node:path';
import { changed, type FileStat, type FileSystem } from '../state/file-system.ts';

interface Entry {
  path: string;
  kind: FileStat['kind'];
  bytes: Uint8Array;
  mode: number;
  serial: number;
  /** Reading it, or listing it, is not allowed. */
  isLocked?: boolean;
}

export interface MemoryFileSystem extends FileSystem {
  /** Writes as a user would, making folders. */
  put(path: string, text: string | Uint8Array): void;
  putLink(path: string): void;
  lock(path: string): void;
  text(path: string): string | undefined;
  /** Removes as a user would, with everything below. */
  drop(path: string): void;
  /** Renames as a user would. */
  move(from: string, to: string): void;
  /** Paths of all files, sorted, without those of `.tms`. */
  all(): string[];
}

function failure(code: string, path: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${code}: ${path}`), { code });
}

/** A file system in memory with the errors of a real one. `ignoresCase`: as on Windows and macOS. */
export function createMemoryFileSystem({ ignoresCase = false } = {}): MemoryFileSystem {
  const entries = new Map<string, Entry>();
  let serial = 0;
  const keyOf = (path: string) => (ignoresCase ? path.toLowerCase() : path);
  const find = (path: string) => entries.get(keyOf(path));
  const add = (path: string, kind: FileStat['kind'], bytes = new Uint8Array(), mode = 0o644) => {
    serial += 1;
    const parent = find(dirname(path));
    const spelled = parent === undefined || dirname(path) === '/' ? path : `${parent.path}/${basename(path)}`;
    entries.set(keyOf(path), { path: spelled, kind, bytes, mode, serial });
  };
  add('/', 'folder');
  const requireParent = (path: string) => {
    const parent = find(dirname(path));
    if (parent === undefined) throw failure('ENOENT', path);
    if (parent.kind !== 'folder') throw failure('ENOTDIR', path);
  };
  const below = (path: string) =>
    [...entries.values()].filter((one) => keyOf(one.path).startsWith(`${keyOf(path)}/`));
  const statOf = ({ kind, bytes, mode, serial: number }: Entry): FileStat => {
    return { kind, size: bytes.byteLength, mode, stamp: `${number}`, modifiedAt: number, changedAt: number };
  };
  const readFile = (path: string) => {
    const entry = find(path);
    if (entry === undefined) throw failure('ENOENT', path);
    if (entry.kind === 'folder') throw failure('EISDIR', path);
    if (entry.kind === 'link') throw failure('ELOOP', path);
    if (entry.isLocked) throw failure('EACCES', path);
    return entry;
  };
  const makeFolders = (path: string) => {
    if (find(path) !== undefined) return;
    makeFolders(dirname(path));
    add(path, 'folder');
  };
  const relocate = (from: string, to: string) => {
    const entry = find(from);
    if (entry === undefined) throw failure('ENOENT', from);
    requireParent(to);
    const target = find(to);
    if (target !== undefined && target !== entry) {
      if (target.kind === 'folder' && entry.kind !== 'folder') throw failure('EISDIR', to);
      if (target.kind === 'folder' && below(to).length > 0) throw failure('ENOTEMPTY', to);
      if (target.kind !== 'folder' && entry.kind === 'folder') throw failure('ENOTDIR', to);
    }
    for (const one of [entry, ...below(from)]) {
      entries.delete(keyOf(one.path));
      const path = to + one.path.slice(entry.path.length);
      serial += 1;
      entries.set(keyOf(path), { ...one, path, serial });
    }
  };
  return {
    stat: async (path) => {
      const entry = find(path);
      return entry === undefined ? undefined : statOf(entry);
    },
    list: async (path) => {
      const entry = find(path);
      if (entry === undefined) throw failure('ENOENT', path);
      if (entry.isLocked) throw failure('EACCES', path);
      const prefix = path === '/' ? '/' : `${keyOf(path)}/`;
      return [...entries.values()]
        .filter((one) => keyOf(one.path).startsWith(prefix) && one.path.length > prefix.length)
        .filter((one) => !one.path.slice(prefix.length).includes('/'))
        .map(({ path: child, kind }) => ({ name: basename(child), kind }));
    },
    read: async (path, maxBytes) => {
      const { bytes, serial: before } = readFile(path);
      if (find(path)?.serial !== before) throw changed(path);
      return bytes.byteLength > maxBytes ? undefined : bytes;
    },
    create: async (path, bytes, { mode }) => {
      requireParent(path);
      if (find(path) !== undefined) throw failure('EEXIST', path);
      add(path, 'file', Uint8Array.from(bytes), mode);
    },
    append: async (path, bytes) => {
      requireParent(path);
      const before = find(path)?.bytes ?? new Uint8Array();
      add(path, 'file', Buffer.concat([before, bytes]));
    },
    rename: async (from, to) => relocate(from, to),
    remove: async (path) => {
      const entry = find(path);
      if (entry?.kind === 'folder') throw failure('EISDIR', path);
      entries.delete(keyOf(path));
    },
    removeFolder: async (path) => {
      const entry = find(path);
      if (entry === undefined) throw failure('ENOENT', path);
      if (entry.kind !== 'folder') throw failure('ENOTDIR', path);
      if (below(path).length > 0) throw failure('ENOTEMPTY', path);
      entries.delete(keyOf(path));
    },
    makeFolder: async (path) => {
      requireParent(path);
      const entry = find(path);
      if (entry === undefined) add(path, 'folder');
      else if (entry.kind !== 'folder') throw failure('EEXIST', path);
    },
    syncFolder: async () => undefined,
    put: (path, text) => {
      makeFolders(dirname(path));
      add(find(path)?.path ?? path, 'file', Uint8Array.from(Buffer.from(text)));
    },
    putLink: (path) => {
      makeFolders(dirname(path));
      add(path, 'link');
    },
    lock: (path) => {
      const entry = find(path);
      if (entry !== undefined) entry.isLocked = true;
    },
    text: (path) => {
      const entry = find(path);
      return entry?.kind === 'file' ? Buffer.from(entry.bytes).toString() : undefined;
    },
    drop: (path) => {
      for (const one of below(path)) entries.delete(keyOf(one.path));
      entries.delete(keyOf(path));
    },
    move: (from, to) => {
      makeFolders(dirname(to));
      relocate(from, to);
    },
    all: () =>
      [...entries.values()]
        .filter(({ kind, path }) => kind === 'file' && !path.includes('/.tms/'))
        .map(({ path }) => path)
        .sort(),
  };
}

/** The process died: nothing works any more. */
export class Died extends Error {
  readonly code = 'DIED';
}

/**
 * Makes a file system die at its n-th change: that change happens in part, and nothing happens after it. Or, with a code, only
 * that one change fails, with nothing done.
 */
export function dyingFileSystem(
  files: FileSystem,
  at: number,
  code?: string,
): { files: FileSystem; changes(): number; isDead(): boolean } {
  let changes = 0;
  let isDead = false;
  const alive = () => {
    if (isDead) throw new Died();
  };
  const change = async (whole: () => Promise<void>, part: () => Promise<void> = async () => undefined) => {
    alive();
    changes += 1;
    if (changes !== at) return whole();
    if (code !== undefined) throw failure(code, 'injected');
    isDead = true;
    await part();
    throw new Died();
  };
  return {
    changes: () => changes,
    isDead: () => isDead,
    files: {
      stat: async (path) => {
        alive();
        return files.stat(path);
      },
      list: async (path) => {
        alive();
        return files.list(path);
      },
      read: async (path, maxBytes) => {
        alive();
        return files.read(path, maxBytes);
      },
      create: (path, bytes, options) =>
        change(
          () => files.create(path, bytes, options),
          () => files.create(path, bytes.subarray(0, bytes.byteLength >> 1), options),
        ),
      append: (path, bytes) =>
        change(
          () => files.append(path, bytes),
          () => files.append(path, bytes.subarray(0, bytes.byteLength >> 1)),
        ),
      // A rename, a removal and a new folder happen whole, and then the process dies, or not at all.
      rename: (from, to) =>
        change(
          () => files.rename(from, to),
          () => (at % 2 === 0 ? files.rename(from, to) : Promise.resolve()),
        ),
      remove: (path) =>
        change(
          () => files.remove(path),
          () => (at % 2 === 0 ? files.remove(path) : Promise.resolve()),
        ),
      removeFolder: (path) => change(() => files.removeFolder(path)),
      makeFolder: (path) =>
        change(
          () => files.makeFolder(path),
          () => (at % 2 === 0 ? files.makeFolder(path) : Promise.resolve()),
        ),
      syncFolder: async (path) => {
        alive();
        await files.syncFolder(path);
      },
    },
  };
}
