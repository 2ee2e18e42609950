import { join } from 'node:path';
import { checksumOf } from '../format/checksum.ts';
import { type FileSystem, makeFolders, writeAtomically } from './file-system.ts';

/** Front matter that is written as YAML may be longer than what the service accepts as JSON. */
const maxObjectBytes = 16 * 1024 * 1024;
/** How long a version stays that nothing refers to any more, so that a mistake can be undone by hand. */
const keptMs = 14 * 24 * 60 * 60 * 1000;

/** File contents by checksum, in `.tms/objects`. A damaged one counts as missing. */
export interface ObjectStore {
  has(checksum: string): Promise<boolean>;
  get(checksum: string): Promise<Buffer | undefined>;
  /** Stores the bytes and returns their checksum. */
  put(bytes: Uint8Array): Promise<string>;
  /** Removes what is not in `used` and older than 14 days. */
  prune(used: ReadonlySet<string>, now: number): Promise<void>;
}

/** Opens the objects in a folder, which is created when the first one is stored. */
export function openObjectStore(files: FileSystem, folder: string): ObjectStore {
  const pathOf = (checksum: string) => {
    const digest = checksum.replace(/^sha256:/, '');
    return join(folder, digest.slice(0, 2), digest.slice(2));
  };
  return {
    has: async (checksum) => (await files.stat(pathOf(checksum)))?.kind === 'file',
    get: async (checksum) => {
      const path = pathOf(checksum);
      if ((await files.stat(path))?.kind !== 'file') return undefined;
      const bytes = await files.read(path, maxObjectBytes);
      if (bytes !== undefined && checksumOf(bytes) === checksum) return Buffer.from(bytes);
      await files.remove(path);
      return undefined;
    },
    put: async (bytes) => {
      const checksum = checksumOf(bytes);
      const path = pathOf(checksum);
      if ((await files.stat(path)) !== undefined) return checksum;
      await makeFolders(files, join(path, '..'));
      // Not flushed: what a power cut damages no longer has its checksum, and is then fetched again or not merged.
      await writeAtomically(files, path, bytes, { mode: 0o600, flush: false });
      return checksum;
    },
    prune: async (used, now) => {
      if ((await files.stat(folder)) === undefined) return;
      for (const { name: prefix, kind } of await files.list(folder)) {
        if (kind !== 'folder') continue;
        for (const { name } of await files.list(join(folder, prefix))) {
          if (used.has(`sha256:${prefix}${name}`)) continue;
          const path = join(folder, prefix, name);
          const stat = await files.stat(path);
          if (stat?.kind === 'file' && now - stat.modifiedAt > keptMs) await files.remove(path);
        }
      }
    },
  };
}
