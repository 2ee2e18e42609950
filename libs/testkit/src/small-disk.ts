import { spawnSync } from 'node:child_process';
import { closeSync, fstatSync, ftruncateSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from 'vitest';
import { temporaryDirectory } from './temporary-directory.ts';

/** A disk of some megabytes that a test may fill. */
export interface SmallDisk {
  path: string;
  /** Takes all space that is left, but for so many bytes. */
  fill(leaving?: number): void;
  /** Frees what `fill` took. */
  free(): void;
  remove(): Promise<void>;
}

/** Mounts a disk in memory. Throws where this process may not mount. */
export async function smallDisk(megabytes: number): Promise<SmallDisk> {
  const { path, remove } = await temporaryDirectory();
  const refused = mount(['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', path]);
  if (refused !== undefined) {
    await remove();
    throw new Error(refused);
  }
  const filler = join(path, 'filler');
  return {
    path,
    fill(leaving = 0) {
      const file = openSync(filler, 'a');
      try {
        // In smaller and smaller pieces, to the last byte.
        for (let bytes = 2 ** 20; bytes >= 1; ) {
          try {
            writeSync(file, Buffer.alloc(bytes));
          } catch {
            bytes = Math.floor(bytes / 4);
          }
        }
        ftruncateSync(file, fstatSync(file).size - leaving);
      } finally {
        closeSync(file);
      }
    },
    free: () => rmSync(filler, { force: true }),
    async remove() {
      spawnSync('umount', ['--lazy', path]);
      await remove();
    },
  };
}

/** Declares tests that need a small disk; where none can be mounted they are skipped, and their name says why. */
export async function describeOnSmallDisk(name: string, declareTests: () => void): Promise<void> {
  try {
    await (await smallDisk(1)).remove();
  } catch (error) {
    describe.skip(`${name} (skipped: ${(error as Error).message})`, declareTests);
    return;
  }
  describe(name, declareTests);
}

/** Returns why it could not be mounted. */
function mount(args: readonly string[]): string | undefined {
  if (process.platform !== 'linux') return 'only Linux has tmpfs';
  const { status, error, stderr } = spawnSync('mount', args, { encoding: 'utf8' });
  return status === 0 ? undefined : `mount: ${error?.message ?? stderr.trim()}`;
}
