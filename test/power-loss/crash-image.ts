import { dirname } from 'node:path';
import type { SeededRandom } from '@teammemory/testkit/seeded-random.ts';
import type { Call } from './call-log.ts';

/** A disk writes sectors of this many bytes whole. */
const sectorBytes = 512;

/** What is left on a disk: the bytes of each file by path, and the folders. */
export interface CrashImage {
  files: Map<string, Uint8Array>;
  folders: Set<string>;
}

/** How much of what no sync made durable is on the disk when the power goes. */
export type Luck = 'nothing' | 'everything' | 'chance';

type Change = Extract<Call, { kind: 'write' | 'truncate' }>;

/** A file, whatever names it has. */
interface Inode {
  durable: Contents;
  /** Since the last sync of the file. */
  pending: Change[];
}

/** What happened to the names in a folder since its last sync, in order. */
type NameChange =
  | { kind: 'link'; path: string; node: Inode | 'folder' }
  | { kind: 'unlink'; path: string }
  | { kind: 'rename'; path: string; to: string; node: Inode };

/** A disk to which the calls of a log are applied, one after the other. */
export interface SimulatedDisk {
  apply(call: Call): void;
  /** What is found there if the power goes now. Changes nothing. */
  crash(luck: Luck, random: SeededRandom): CrashImage;
}

/**
 * A disk that keeps what POSIX promises and nothing more: bytes are safe once their file was synced, and names once their
 * folder was. Of all else any part may be there, writes torn between sectors, and in any order across files and folders.
 * A rename within a folder happens or does not; the order of changes to one name is kept.
 */
export function createSimulatedDisk(): SimulatedDisk {
  const inodes = new Map<string, Inode>();
  const names = new Map<string, Inode | 'folder'>();
  const durableNames = new Map<string, Inode | 'folder'>();
  const pendingNames = new Map<string, NameChange[]>();

  function change(one: NameChange): void {
    applyName(names, one);
    pendingNames.getOrInsert(dirname(one.path), []).push(one);
  }

  function rename(path: string, to: string): void {
    const node = names.get(path);
    if (node === undefined || node === 'folder') throw new Error(`${path} is no file that could be renamed`);
    if (dirname(path) === dirname(to)) {
      change({ kind: 'rename', path, to, node });
    } else {
      change({ kind: 'link', path: to, node });
      change({ kind: 'unlink', path });
    }
  }

  function link(path: string, to: string): void {
    const node = names.get(path);
    if (node === undefined || node === 'folder') throw new Error(`${path} is no file that could be linked`);
    change({ kind: 'link', path: to, node });
  }

  function sync({ path, inode }: { path: string; inode: string }): void {
    if (path !== '.' && names.get(path) !== 'folder') {
      const node = inodes.get(inode);
      if (node === undefined) throw new Error(`${path} was synced, but never made`);
      for (const each of node.pending.splice(0)) applyChange(node.durable, each);
      return;
    }
    for (const each of pendingNames.get(path) ?? []) applyName(durableNames, each);
    pendingNames.delete(path);
  }

  return {
    apply(call) {
      switch (call.kind) {
        case 'create': {
          const node: Inode = { durable: new Contents(), pending: [] };
          inodes.set(call.inode, node);
          return change({ kind: 'link', path: call.path, node });
        }
        case 'folder':
          return change({ kind: 'link', path: call.path, node: 'folder' });
        case 'write':
        case 'truncate': {
          const node = inodes.get(call.inode);
          if (node === undefined) throw new Error(`${call.path} was written, but never made`);
          return void node.pending.push(call);
        }
        case 'sync':
          return sync(call);
        case 'rename':
          return rename(call.path, call.to);
        case 'link':
          return link(call.path, call.to);
        case 'unlink':
          return change({ kind: 'unlink', path: call.path });
        case 'mark':
          return;
      }
    },
    crash(luck, random) {
      const keeps = () => luck === 'everything' || (luck === 'chance' && random.chance(0.5));
      const left = new Map(durableNames);
      for (const changes of pendingNames.values())
        for (const each of changes) if (keeps()) applyName(left, each);
      return imageOf(left, (node) => survivingBytes(node, luck, random));
    },
  };
}

function applyName(names: Map<string, Inode | 'folder'>, one: NameChange): void {
  if (one.kind === 'link') names.set(one.path, one.node);
  else names.delete(one.path);
  if (one.kind === 'rename') names.set(one.to, one.node);
}

/** A file whose folder is lost is lost with it. */
function imageOf(
  names: ReadonlyMap<string, Inode | 'folder'>,
  bytesOf: (node: Inode) => Uint8Array,
): CrashImage {
  const isReached = (path: string): boolean =>
    path === '.' || (names.get(path) === 'folder' && isReached(dirname(path)));
  const reached = [...names].filter(([path]) => isReached(dirname(path)));
  return {
    folders: new Set(reached.filter(([, node]) => node === 'folder').map(([path]) => path)),
    files: new Map(
      reached.flatMap(([path, node]) => (node === 'folder' ? [] : [[path, bytesOf(node)] as const])),
    ),
  };
}

function survivingBytes({ durable, pending }: Inode, luck: Luck, random: SeededRandom): Uint8Array {
  if (pending.length === 0 || luck === 'nothing') return durable.bytes();
  const contents = durable.copy();
  for (const each of pending) {
    // A third is there, a third is not, and a third of the writes are torn.
    const fate = luck === 'everything' ? 0 : random.integerBelow(3);
    if (fate === 0) applyChange(contents, each);
    else if (fate === 2 && each.kind === 'write') applyTorn(contents, each, random);
  }
  return contents.bytes();
}

function applyChange(contents: Contents, change: Change): void {
  if (change.kind === 'truncate') contents.resize(change.size);
  else contents.write(change.offset, change.bytes);
}

/** Sectors of the write are there or not. Where the file grows, it has zeros in place of the others. */
function applyTorn(
  contents: Contents,
  { offset, bytes }: Extract<Change, { kind: 'write' }>,
  random: SeededRandom,
): void {
  const end = offset + bytes.length;
  contents.resize(Math.max(contents.length, end));
  for (let start = offset; start < end; ) {
    const next = Math.min(end, (Math.floor(start / sectorBytes) + 1) * sectorBytes);
    if (random.chance(0.5)) contents.write(start, bytes.subarray(start - offset, next - offset));
    start = next;
  }
}

/** The bytes of a file, which grows in place. */
class Contents {
  #buffer = new Uint8Array(0);
  length = 0;

  resize(length: number): void {
    if (length > this.#buffer.length) {
      const larger = new Uint8Array(Math.max(length, 2 * this.#buffer.length));
      larger.set(this.#buffer.subarray(0, this.length));
      this.#buffer = larger;
    }
    if (length < this.length) this.#buffer.fill(0, length, this.length);
    this.length = length;
  }

  write(offset: number, bytes: Uint8Array): void {
    this.resize(Math.max(this.length, offset + bytes.length));
    this.#buffer.set(bytes, offset);
  }

  bytes(): Uint8Array {
    return this.#buffer.slice(0, this.length);
  }

  copy(): Contents {
    const other = new Contents();
    other.write(0, this.#buffer.subarray(0, this.length));
    return other;
  }
}
