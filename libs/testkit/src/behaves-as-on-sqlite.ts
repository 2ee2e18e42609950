import { expect, test } from 'vitest';
import type { Engine, EngineStorage } from './describe-each-engine.ts';
import { type SeededRandom, seededRandom } from './seeded-random.ts';
import { temporaryDirectory } from './temporary-directory.ts';

/** The stores of a service, and the operations that are compared. */
export interface ComparedStores<Stores> {
  /** Opens the stores on the storage of an engine. */
  open(storage: EngineStorage): Promise<Stores>;
  /** Returns the stores of the running test, which are still empty. */
  stores(): Stores;
  /** Runs random operations and returns their results in order. */
  operate(stores: Stores, random: SeededRandom): Promise<unknown[]>;
  /** Returns everything that the stores hold. */
  rows(stores: Stores): Promise<unknown>;
}

/**
 * Declares tests that the same random operations return the same and store the same on MongoDB as on SQLite. Call it
 * inside `describeEachEngine`.
 */
export function behavesAsOnSqlite<Stores extends { close(): Promise<void> }>(
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
