import { createHash } from 'node:crypto';
import {
  accessSync,
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { AppError } from '@teammemory/errors/app-error.ts';
import { freeBytes } from '@teammemory/sqlite/disk-room.ts';
import type { IndexFile, IndexFiles } from '../domain/index/index-host.ts';
import type { Job } from '../domain/index/turns.ts';
import { type FeedPositions, isUpTo } from '../domain/rows/row-feed.ts';
import {
  encodeHead,
  headLength,
  type IndexFileHead,
  prefixBytes,
  programFingerprint,
} from './index-file-format.ts';

/** Bytes that are read or written before other work gets its turn: a millisecond or two. */
const bytesPerStep = 2 ** 20;
const checksumBytes = 4;
/** Space that is left to the databases, which may be on the same disk. */
const keptFreeBytes = 64 * 2 ** 20;
const ending = '.index';
const draftEnding = '.new';
/** A user who can write files there can put words into a team's answers. */
const writableByAll = 0o002;

/** Where index files are kept, and how much space they may take. */
export interface IndexFileSettings {
  /** Prepared by `prepareIndexDirectory`. */
  directory: string;
  /** Size of all files together; the least recently used are removed. */
  maxBytes: number;
  /** The model that makes vectors; '' for none. */
  embeddingModel: string;
}

/**
 * Keeps the indexes of teams in files of the process's user alone, one a team.
 * They can be made again from rows: one that is damaged, cut short, of another
 * program or model, or ahead of the rows is not used, and nothing waits for the disk.
 */
export function createIndexFileStore({ directory, maxBytes, embeddingModel }: IndexFileSettings): IndexFiles {
  const program = programFingerprint();
  function pathOf(teamId: string): string {
    return join(directory, createHash('sha256').update(teamId).digest('hex').slice(0, 32) + ending);
  }

  /** Removes files until so many bytes more fit, those not used for longest first. */
  function makeRoom(bytes: number, kept: string): void {
    const files = indexFilesIn(directory)
      .filter((path) => path !== kept)
      .map((path) => ({ path, ...statSync(path) }))
      .sort((left, right) => left.mtimeMs - right.mtimeMs);
    let all = files.reduce((sum, { size }) => sum + size, bytes);
    for (const { path, size } of files) {
      if (all <= maxBytes) return;
      rmSync(path, { force: true });
      all -= size;
    }
  }

  return {
    *saving(teamId, { index, positions }) {
      const { state, parts } = index.snapshot();
      const bytes = parts.reduce((sum, { byteLength }) => sum + byteLength, 0);
      const head = encodeHead({ program, teamId, positions, embeddingModel, state, bytes });
      const path = pathOf(teamId);
      if (head.length + bytes + checksumBytes > maxBytes) return;
      // A file that can be made again must not take the last space from rows that cannot.
      if (freeBytes(directory) < bytes + keptFreeBytes) return;
      makeRoom(head.length + bytes + checksumBytes, path);
      const draft = `${path}.${process.pid}${draftEnding}`;
      rmSync(draft, { force: true });
      const file = openSync(draft, 'wx', 0o600);
      try {
        yield* writing(file, [head, ...parts]);
      } catch (error) {
        rmSync(draft, { force: true });
        throw error;
      } finally {
        closeSync(file);
      }
      renameSync(draft, path);
    },
    remove: (teamId) => rmSync(pathOf(teamId), { force: true }),
    open(teamId, heads) {
      const path = pathOf(teamId);
      const opened = openIndexFile(path);
      if (opened === undefined) return undefined;
      const { head } = opened;
      const isOfUse =
        head.teamId === teamId && head.embeddingModel === embeddingModel && isUpTo(heads, head.positions);
      if (isOfUse) {
        utimesSync(path, new Date(), new Date());
        return opened;
      }
      opened.close();
      rmSync(path, { force: true });
      return undefined;
    },
  };
}

function* writing(file: number, parts: readonly Uint8Array[]): Job<void> {
  let checksum = 0;
  for (const part of parts) {
    for (let start = 0; start < part.length; ) {
      const piece = part.subarray(start, start + bytesPerStep);
      const written = writeSync(file, piece);
      checksum = crc32(piece.subarray(0, written), checksum);
      start += written;
      yield;
    }
  }
  const end = Buffer.alloc(checksumBytes);
  end.writeUInt32LE(checksum);
  writeSync(file, end);
}

/**
 * Opens a file and reads its head; undefined if there is none. Removes a file that is damaged, cut short or of another
 * program.
 */
function openIndexFile(path: string): (IndexFile & { head: IndexFileHead }) | undefined {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch {
    return undefined;
  }
  const read = readHead(file);
  if (read === undefined) {
    closeSync(file);
    rmSync(path, { force: true });
    return undefined;
  }
  const { head, first } = read;
  return {
    head,
    positions: head.positions,
    bytes: head.bytes,
    *reading(index) {
      const parts = index.prepare(head.state);
      try {
        yield* filling(file, first, parts);
      } catch (error) {
        rmSync(path, { force: true });
        throw error;
      }
      index.restored(head.state);
    },
    close: () => closeSync(file),
  };
}

function readHead(file: number): { head: IndexFileHead; first: Buffer } | undefined {
  const prefix = Buffer.alloc(prefixBytes);
  readSync(file, prefix);
  const length = headLength(prefix);
  if (length === undefined) return undefined;
  const json = Buffer.alloc(length);
  readSync(file, json);
  const first = Buffer.concat([prefix, json]);
  try {
    const head = JSON.parse(json.toString()) as IndexFileHead;
    // The members of another program's head are unknown.
    if (head.program !== programFingerprint()) return undefined;
    const isWhole = fstatSync(file).size === first.length + head.bytes + checksumBytes;
    return isWhole ? { head, first } : undefined;
  } catch {
    return undefined;
  }
}

/** Reads the rest of a file into arrays; throws if its checksum differs. */
function* filling(file: number, first: Buffer, parts: readonly Uint8Array[]): Job<void> {
  let checksum = crc32(first);
  for (const part of parts) {
    for (let start = 0; start < part.length; ) {
      const piece = part.subarray(start, start + bytesPerStep);
      const count = readSync(file, piece);
      if (count === 0) throw new Error('a file of an index is cut short');
      checksum = crc32(piece.subarray(0, count), checksum);
      start += count;
      yield;
    }
  }
  const end = Buffer.alloc(checksumBytes);
  readSync(file, end);
  if (end.readUInt32LE() !== checksum) throw new Error('a file of an index is damaged');
}

function indexFilesIn(directory: string): string[] {
  return readdirSync(directory)
    .filter((name) => name.endsWith(ending))
    .map((name) => join(directory, name));
}

/**
 * Makes the directory where it is missing, for this user alone, and removes files that are ahead of what they were made
 * from, as they are after an older copy of it came back, and drafts that were never finished. `isAhead` says of which
 * files that is so. To be called before anything is added: new changes take the positions of those that are lost.
 * @throws AppError `unavailable` with one sentence where files cannot be kept there, or others could.
 */
export async function prepareIndexDirectory(
  directory: string,
  isAhead: (teamId: string, positions: FeedPositions) => Promise<boolean>,
): Promise<void> {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    accessSync(directory, constants.W_OK);
  } catch (cause) {
    throw new AppError('unavailable', `The directory for search indexes ${directory} cannot be written.`, {
      cause,
    });
  }
  if ((statSync(directory).mode & writableByAll) !== 0)
    throw new AppError('unavailable', `Everybody can write the directory for search indexes ${directory}.`);
  for (const name of readdirSync(directory))
    if (name.endsWith(draftEnding)) rmSync(join(directory, name), { force: true });
  for (const path of indexFilesIn(directory)) {
    const file = openIndexFile(path);
    file?.close();
    if (file !== undefined && (await isAhead(file.head.teamId, file.positions)))
      rmSync(path, { force: true });
  }
}
