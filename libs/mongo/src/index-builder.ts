import { setTimeout as delay } from 'node:timers/promises';
import { within } from '@teammemory/async/within.ts';
import { type Db, type IndexDescription, MongoServerError } from 'mongodb';

/** How long a start waits for indexes: on a new or a small collection they are there at once. */
const waitMs = 8_000;
/** Wait between two checks of indexes that are being built. */
const retryMs = 1_000;
/** The server's error code for an index that does not exist. */
const indexNotFound = 27;

/** Writes a line of the log. */
export type Warn = (details: { err: unknown; collection: string; index: string }, message: string) => void;

/** Creates and drops indexes. */
export interface IndexBuilder {
  /**
   * Asks for indexes of a collection and waits for them, but not for ever: on a
   * large collection the server goes on building, and this process starts.
   * Once they are there, those that earlier versions had in their place and that
   * `obsolete` names are dropped, which nobody waits for.
   * @throws what the server answers when it cannot build them, such as for
   *   options that contradict an index that is there.
   */
  ensure(collection: string, indexes: IndexDescription[], obsolete?: readonly string[]): Promise<void>;
  /** Whether all that were asked for are there. */
  areBuilt(): boolean;
  /** Stops looking. */
  close(): void;
}

/**
 * Creates an index builder. `isPassing` tells an outage or a deadline, after
 * which asking again makes sense, from an answer that will not change; `warn`
 * is told of an index that could not be dropped.
 */
export function createIndexBuilder(options: {
  db: Db;
  isPassing: (error: unknown) => boolean;
  warn: Warn;
}): IndexBuilder {
  const { db, isPassing, warn } = options;
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

  /** Never fails: an index too many costs writes a little, and the next start tries again. */
  async function drop(collection: string, index: string): Promise<void> {
    try {
      await db.collection(collection).dropIndex(index);
    } catch (err) {
      const isGone = err instanceof MongoServerError && err.code === indexNotFound;
      if (!isGone && !closed.signal.aborted) warn({ err, collection, index }, 'an index was not dropped');
    }
  }

  return {
    async ensure(collection, indexes, obsolete = []) {
      pending += 1;
      // One that fails stays pending: without its indexes a collection is not ready.
      const built = build(collection, indexes).then(() => {
        pending -= 1;
        for (const index of obsolete) void drop(collection, index);
      });
      built.catch(() => undefined);
      await within(built, waitMs);
    },
    areBuilt: () => pending === 0,
    close: () => closed.abort(),
  };
}
