import { setTimeout as delay } from 'node:timers/promises';
import { within } from '@teammemory/async/bounded-wait.ts';
import type { Db, IndexDescription } from 'mongodb';

/** How long a start waits for indexes: on a new or a small collection they are there at once. */
const waitMs = 8_000;
/** Wait between two checks of indexes that are being built. */
const retryMs = 1_000;

/** Creates indexes. */
export interface IndexBuilder {
  /**
   * Asks for indexes of a collection and waits for them, but not for ever: on a
   * large collection the server goes on building, and this process starts.
   * @throws what the server answers when it cannot build them, such as for
   *   options that contradict an index that is there.
   */
  ensure(collection: string, indexes: IndexDescription[]): Promise<void>;
  /** Whether all that were asked for are there. */
  areBuilt(): boolean;
  /** Stops looking. */
  close(): void;
}

/**
 * Creates an index builder. `isPassing` tells an outage or a deadline, after
 * which asking again makes sense, from an answer that will not change.
 */
export function createIndexBuilder(options: {
  db: Db;
  isPassing: (error: unknown) => boolean;
}): IndexBuilder {
  const { db, isPassing } = options;
  const closed = new AbortController();
  let pending = 0;

  // Without maxTimeMS, which would end the build on the server: the connection's own time-out ends the wait, and
  // asked again the server goes on waiting for the build under way.
  async function build(collection: string, indexes: IndexDescription[]): Promise<void> {
    for (;;) {
      try {
        await db.collection(collection).createIndexes(indexes);
        return;
      } catch (error) {
        if (closed.signal.aborted || !isPassing(error)) throw error;
      }
      await delay(retryMs, undefined, { signal: closed.signal });
    }
  }

  return {
    async ensure(collection, indexes) {
      pending += 1;
      // One that fails stays pending: without its indexes a collection is not ready.
      const built = build(collection, indexes).then(() => {
        pending -= 1;
      });
      built.catch(() => undefined);
      await within(built, waitMs);
    },
    areBuilt: () => pending === 0,
    close: () => closed.abort(),
  };
}
