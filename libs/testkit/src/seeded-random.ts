import { setImmediate as nextTurn } from 'node:timers/promises';

const uint64 = (1n << 64n) - 1n;

/** Random choices that are the same for the same seed, so that a failing sequence can be run again. */
export interface SeededRandom {
  /** A whole number from 0 to `limit` - 1; `limit` is 1 to 2^32. */
  integerBelow(limit: number): number;
  /** True with the given probability, 0 to 1. */
  chance(probability: number): boolean;
  /** One element of a list that is not empty. */
  pick<Element>(list: readonly Element[]): Element;
  /** The next 64 bits of the generator. */
  bits(): bigint;
}

/**
 * SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number
 * generators", OOPSLA 2014): exact in integers, the same on every machine.
 */
export function seededRandom(seed: number): SeededRandom {
  let state = BigInt(seed) & uint64;
  const random: SeededRandom = {
    bits() {
      state = (state + 0x9e3779b97f4a7c15n) & uint64;
      let mixed = ((state ^ (state >> 30n)) * 0xbf58476d1ce4e5b9n) & uint64;
      mixed = ((mixed ^ (mixed >> 27n)) * 0x94d049bb133111ebn) & uint64;
      return mixed ^ (mixed >> 31n);
    },
    // The high half times the limit: its bias is below limit / 2^32, which no test can notice.
    integerBelow: (limit) => Number(((random.bits() >> 32n) * BigInt(limit)) >> 32n),
    chance: (probability) => Number(random.bits() >> 11n) / 2 ** 53 < probability,
    pick(list) {
      if (list.length === 0) throw new RangeError('nothing to pick from');
      return list[random.integerBelow(list.length)] as (typeof list)[number];
    },
  };
  return random;
}

/** Lets other work go on for a random number of turns of the microtask queue, and sometimes for a turn of the event loop. */
export async function chancePause(random: SeededRandom): Promise<void> {
  if (random.chance(0.2)) await nextTurn();
  for (let turns = random.integerBelow(4); turns > 0; turns -= 1) await undefined;
}
