import { randomBytes } from 'node:crypto';
import { closeSync, ftruncateSync, openSync, rmSync, statfsSync, statSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AppError } from '@teammemory/errors/app-error.ts';
import type { Metrics } from '@teammemory/telemetry/metrics.ts';
import { makePrivateFile } from './private-file.ts';

const mebibyte = 2 ** 20;
/**
 * Space that is kept, also from other programs. A write-ahead log of 4 MiB and the largest push, 8 MiB, may still have
 * to be moved into their file, which then grows as much; until all is moved, the log grows by what removals write.
 */
export const reserveBytes = 32 * mebibyte;
/** What one write gets of it. A revocation with its audit entries takes some kilobytes. */
const releasedAtOnce = mebibyte;
/** What removals leave of it for revocations and backups: members can make as many removals as they have items. */
export const leftByRemovals = 8 * mebibyte;
/** Below this nothing is stored that could wait: what was acknowledged must still reach the tables made from it. */
const floorBytes = 8 * mebibyte;
/** Below this a start takes from the reserve at once, because opening the files needs some space. */
const startBytes = 2 * mebibyte;
/** Writes come more often than a disk fills up. */
const lookEveryMs = 50;
/** Less than any write needs. */
const nothingBytes = 256 * 1024;
/** SQLite's primary result codes: it met a full disk; and input, output or opening failed, maybe for that reason. */
const full = 13;
const perhapsFull: readonly number[] = [10, 14];

/** How much of the reserve a write may use: nothing, all but what is left for revocations and backups, or all. */
export type ReserveUse = 'none' | 'part' | 'whole';

/** The space on the disk of a data directory, shared by all files in it. */
export interface DiskRoom {
  /** Whether only writes that must not wait are still made. Follows the disk, in both directions. */
  isFull(): boolean;
  /** Whether there is reserve for a write that may use so much of it. */
  hasReserve(use: ReserveUse): boolean;
  /** Frees some of the reserve; false if nothing is left of it. */
  release(): boolean;
}

/**
 * Keeps a reserve in a data directory: a file that is made smaller when a write must not fail, and made whole again when
 * there is space. At a start on a full disk a part of it is released at once.
 */
export function openDiskRoom(directory: string, metrics?: Metrics): DiskRoom {
  const path = join(directory, 'reserve');
  let lookedMs = Number.NEGATIVE_INFINITY;
  let wasFull = false;

  function look(): boolean {
    const missing = Math.max(reserveBytes - sizeOf(path), 0);
    if (freeBytes(directory) - missing < floorBytes) return true;
    if (missing > 0) extend(path);
    return false;
  }

  const room: DiskRoom = {
    isFull() {
      const nowMs = performance.now();
      if (nowMs - lookedMs >= lookEveryMs) {
        lookedMs = nowMs;
        wasFull = look();
      }
      return wasFull;
    },
    hasReserve: (use) => use !== 'none' && sizeOf(path) > (use === 'part' ? leftByRemovals : 0),
    release() {
      const size = sizeOf(path);
      if (size === 0) return false;
      shorten(path, Math.max(size - releasedAtOnce, 0));
      lookedMs = Number.NEGATIVE_INFINITY;
      return true;
    },
  };
  while (freeBytes(directory) < startBytes && room.release());
  room.isFull();
  metrics?.gauge('teammemory_disk_free_bytes', () => freeBytes(directory));
  metrics?.gauge('teammemory_disk_full', () => (room.isFull() ? 1 : 0));
  return room;
}

/** Returns the bytes that this process may still write to the disk of a directory. */
function freeBytes(directory: string): number {
  const { bsize, bfree, bavail } = statfsSync(directory);
  return bsize * (process.geteuid?.() === 0 ? bfree : bavail);
}

/** Whether a full disk is why SQLite could not open or write a file. */
export function isDiskFull(error: unknown, file: string): boolean {
  const { errcode } = error as { errcode?: number };
  if (errcode === undefined) return false;
  const code = errcode & 0xff;
  if (code === full) return true;
  return perhapsFull.includes(code) && file !== ':memory:' && freeBytes(dirname(file)) < nothingBytes;
}

/** The error of a write for which there is no space. */
export function diskFull(cause?: unknown): AppError {
  return new AppError(
    'unavailable',
    'The disk of the service is full. Nothing new is stored until its operator makes room; reading goes on.',
    { cause },
  );
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** Random bytes, because a file system that compresses would keep no space for others. */
function extend(path: string): void {
  try {
    makePrivateFile(path);
    const file = openSync(path, 'a');
    try {
      const piece = randomBytes(mebibyte);
      for (let size = sizeOf(path); size < reserveBytes; )
        size += writeSync(file, piece, 0, Math.min(piece.length, reserveBytes - size));
    } finally {
      closeSync(file);
    }
  } catch {
    // Somebody else took the space: the next look tells.
  }
}

function shorten(path: string, size: number): void {
  if (size === 0) {
    rmSync(path, { force: true });
    return;
  }
  const file = openSync(path, 'r+');
  try {
    ftruncateSync(file, size);
  } finally {
    closeSync(file);
  }
}
