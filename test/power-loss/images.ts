import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type SeededRandom, seededRandom } from '@teammemory/testkit/seeded-random.ts';
import type { Call } from './call-log.ts';
import { type CrashImage, createSimulatedDisk, type Luck } from './crash-image.ts';
import { createExpectation, type Expectation } from './expectation.ts';

/** A crash: after how many calls, what became of what was not synced, and the seed of its chances. */
export interface Crash {
  after: number;
  luck: Luck;
  seed: number;
}

/** Chooses crashes, by the place: most are right before or behind a sync or right behind an answer, the others anywhere. */
export function chooseCrashes(calls: readonly Call[], count: number, seed: number): Crash[] {
  const random = seededRandom(seed);
  const placesBehind = (wanted: Call['kind']) =>
    calls.flatMap(({ kind }, index) => (kind === wanted ? [index + 1] : []));
  const [marks, syncs] = [placesBehind('mark'), placesBehind('sync')];
  const choosePlace = () => {
    const choice = random.integerBelow(10);
    if (choice < 3) return random.pick(marks);
    if (choice < 8) return random.pick(syncs) - random.integerBelow(2);
    return random.integerBelow(calls.length + 1);
  };
  return Array.from({ length: count }, (): Crash => {
    const luck = random.pick(['nothing', 'chance', 'chance', 'chance', 'everything'] as const);
    return { after: choosePlace(), luck, seed: random.integerBelow(2 ** 32) };
  }).sort((one, other) => one.after - other.after);
}

/** What a check of an image gets. It may change the files. */
export interface Checked {
  /** The folder that was recorded, as it is after the crash. */
  root: string;
  expectation: Expectation;
  random: SeededRandom;
}

/**
 * Writes the image of each crash into `folder`, one after the other, and yields what `check` finds wrong with them, as
 * sentences that tell how to find the image again.
 */
export async function* checkCrashes(
  calls: readonly Call[],
  crashes: readonly Crash[],
  { folder, check }: { folder: string; check: (image: Checked) => Promise<string[]> },
): AsyncGenerator<string> {
  const disk = createSimulatedDisk();
  const expectation = createExpectation();
  const root = join(folder, 'image');
  let applied = 0;
  for (const crash of crashes) {
    for (; applied < crash.after; applied += 1) {
      const call = calls[applied] as Call;
      disk.apply(call);
      if (call.kind === 'mark') expectation.apply(call.value);
    }
    const random = seededRandom(crash.seed);
    writeImage(root, disk.crash(crash.luck, random));
    const found = await check({ root, expectation, random }).catch((error) => [String(error)]);
    for (const fault of found) yield `${JSON.stringify(crash)}: ${fault}`;
  }
}

/** Longer ago than any lock is respected that nobody has signed: a machine takes a while to start. */
const writtenBeforeMs = 60_000;

/** Makes a folder anew with what is left on a disk. The owner alone has rights, as the service gives them. */
export function writeImage(root: string, { folders, files }: CrashImage): void {
  rmSync(root, { recursive: true, force: true });
  mkdirSync(root, { recursive: true, mode: 0o700 });
  for (const path of folders) mkdirSync(join(root, path), { recursive: true, mode: 0o700 });
  const writtenAt = new Date(Date.now() - writtenBeforeMs);
  for (const [path, bytes] of files) {
    writeFileSync(join(root, path), bytes, { mode: 0o600 });
    utimesSync(join(root, path), writtenAt, writtenAt);
  }
}
