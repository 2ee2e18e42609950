import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Call } from './call-log.ts';
import { type Checked, checkCrashes, chooseCrashes } from './images.ts';
import { readStores } from './read-stores.ts';
import { faultsOfStart } from './started-image.ts';
import type { Recording } from './workload.ts';

/** How many images of a recording are made, in which folder, and on how many of them the program starts. */
export interface Budget {
  images: number;
  starts: number;
  seed: number;
  folder: string;
}

/**
 * Makes crash images of what was recorded, and yields what is wrong with them. On most the stores are opened by their own
 * code, on the others the whole program starts.
 */
export async function* faultsOfImages(
  { calls, team }: Pick<Recording, 'team'> & { calls: readonly Call[] },
  { images, starts, seed, folder }: Budget,
): AsyncGenerator<string> {
  yield* checkCrashes(calls, chooseCrashes(calls, images - starts, seed), {
    folder,
    check: async (image) => {
      const found = await readStores(dataOf(image), image.expectation.erased);
      return [...found.faults, ...image.expectation.faultsOf(found)];
    },
  });
  yield* checkCrashes(calls, chooseCrashes(calls, starts, seed + 1), {
    folder,
    check: (image) => faultsOfStart(image, { team }),
  });
}

/** The data directory of an image, which a start makes where it is missing. */
function dataOf({ root }: Checked): string {
  const directory = join(root, 'data');
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  return directory;
}
