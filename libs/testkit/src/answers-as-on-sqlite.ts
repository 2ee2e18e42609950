import { expect, test } from 'vitest';
import type { Engine, EngineStorage } from './describe-each-engine.ts';
import { type SeededRandom, seededRandom } from './seeded-random.ts';
import { temporaryDirectory } from './temporary-directory.ts';

/** Stores of a service, and what is done with them. */
export interface ComparedStores<Stores> {
  /** Opens them on the storage of an engine. */
  open(storage: EngineStorage): Promise<Stores>;
  /** Those of the running test, still empty. */
  stores(): Stores;
  /** Runs random operations, and tells what each answered. */
  operate(stores: Stores, random: SeededRandom): Promise<unknown[]>;
  /** All that they hold. */
  rows(stores: Stores): Promise<unknown>;
}

/** Declares that the same random operations answer and leave the same on MongoDB as on SQLite; for use in `describeEachEngine`. */
export function answersAsOnSqlite<Stores extends { close(): Promise<void> }>(
  engine: Engine,
  { open, stores, operate, rows }: ComparedStores<Stores>,
): void {
  if (engine.name === 'sqlite') return;
  test.for([1, 2, 3])(
    'random operations with seed %i answer and leave the same as on SQLite',
    async (seed) => {
      const directory = await temporaryDirectory();
      const reference = await open({ engine: 'sqlite', directory: directory.path });
      try {
        const expected = await operate(reference, seededRandom(seed));
        expect(await operate(stores(), seededRandom(seed))).toEqual(expected);
        expect(await rows(stores())).toEqual(await rows(reference));
      } finally {
        await reference.close();
        await directory.remove();
      }
    },
  );
}
