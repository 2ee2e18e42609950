import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SeededRandom } from './seeded-random.ts';

/** Lets others go on for none, some or many turns of the microtask queue. */
export async function chancePause(random: SeededRandom): Promise<void> {
  if (random.chance(0.2)) await nextTurn();
  for (let turns = random.integerBelow(4); turns > 0; turns -= 1) await undefined;
}
