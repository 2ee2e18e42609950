import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { IndexFigures } from '../domain/index/index-host.ts';
import { bytesOfIndex, indexPathsIn, removeIndex } from './index-files.ts';
import type { TeamFigures } from './index-host.ts';

/** Above this share of the room, indexes are made only for questions. */
const fillUpTo = 0.75;

/** The files of indexes together, and the room that they may take. */
export interface IndexRoom {
  /** Where the files are. */
  directory(): string;
  /** Notes what a file takes now; undefined for one that is gone. Others go if all take too much. */
  changed(path: string, figures: TeamFigures | undefined): void;
  /** Notes that a file was of use. */
  used(path: string): void;
  /** Whether there is room for indexes that nobody waits for. */
  isPlenty(): boolean;
  /**
   * What can be made again must not take the last space from rows that cannot: on a full disk the files are removed, and
   * kept in a temporary directory until the next start. Returns whether that is on another disk.
   */
  leaveFullDisk(): boolean;
  figures(): IndexFigures;
  /** Removes the directory if it was a temporary one. */
  close(): void;
}

/**
 * Makes the room of a directory, whose files take `maxBytes` together; beyond that, those go that were not used for
 * longest. `removed` is told of each file that is gone, and `dropped` of each that went for want of room.
 */
export function createIndexRoom(settings: {
  directory: string;
  isTemporary: boolean;
  maxBytes: number;
  removed: (path: string) => void;
  dropped: () => void;
}): IndexRoom {
  const { maxBytes, removed, dropped } = settings;
  let { directory, isTemporary } = settings;
  const files = new Map<string, { figures: TeamFigures; usedMs: number }>();

  for (const path of indexPathsIn(directory))
    files.set(path, { figures: { bytes: bytesOfIndex(path), unembedded: 0, missing: 0 }, usedMs: 0 });

  function sum(of: (figures: TeamFigures) => number): number {
    return files.values().reduce((total, { figures }) => total + of(figures), 0);
  }

  function bytesOfFiles(): number {
    return sum(({ bytes }) => bytes);
  }

  function forget(path: string): void {
    files.delete(path);
    removed(path);
  }

  function makeRoom(kept: string): void {
    let all = bytesOfFiles();
    if (all <= maxBytes) return;
    const others = [...files].filter(([path]) => path !== kept);
    for (const [path, { figures }] of others.sort(([, left], [, right]) => left.usedMs - right.usedMs)) {
      if (all <= maxBytes) return;
      removeIndex(path);
      forget(path);
      all -= figures.bytes;
      dropped();
    }
  }

  return {
    directory: () => directory,
    changed(path, figures) {
      if (figures === undefined) forget(path);
      else files.set(path, { figures, usedMs: performance.now() });
      makeRoom(path);
    },
    used(path) {
      const known = files.get(path);
      if (known !== undefined) known.usedMs = performance.now();
    },
    isPlenty: () => bytesOfFiles() < fillUpTo * maxBytes,
    leaveFullDisk() {
      let elsewhere: string;
      try {
        if (statSync(tmpdir()).dev === statSync(directory).dev) return false;
        elsewhere = mkdtempSync(join(tmpdir(), 'team-memory-indexes-'));
      } catch {
        // A container may have no other place.
        return false;
      }
      for (const path of indexPathsIn(directory)) {
        removeIndex(path);
        forget(path);
      }
      directory = elsewhere;
      isTemporary = true;
      return true;
    },
    figures: () => ({
      teams: files.size,
      bytes: bytesOfFiles(),
      unembedded: sum(({ unembedded }) => unembedded),
      missing: sum(({ missing }) => missing),
    }),
    close() {
      if (isTemporary) rmSync(directory, { recursive: true, force: true });
    },
  };
}
