import { setTimeout as delay } from 'node:timers/promises';
import { backoffMs } from '@teammemory/async/backoff.ts';
import type { Log } from '@teammemory/log/log.ts';
import type { SchemaRecords, StoreSchema } from './schema-version.ts';

/**
 * A change of rows that older programs wrote. Each step is small and can be repeated: it may be cut by `kill -9`, and
 * other processes may do the same step at the same time.
 */
export interface Migration {
  /** What it does, for the log. */
  name: string;
  /** Changes a page of the rows that are left, each as a whole, and returns how many; 0 when none is left. */
  step(): Promise<number>;
}

/** Migrations under way. */
export interface RunningMigrations {
  /** Resolves when nothing is left to do for now. Never rejects. */
  settled: Promise<void>;
  /** Starts no further step and waits for the one in progress. */
  close(): Promise<void>;
}

/** While processes of the older version may still write, rows are looked through again: so often, and for so long. */
const repeatEveryMs = 60 * 60 * 1_000;
const repeatForMs = 24 * repeatEveryMs;
/** Traffic has the store for at least as long as a step had it, and never less than this. */
const leastPauseMs = 5;
const retry = { firstMs: 500, lastMs: 60_000 };

/**
 * Brings the rows of older programs into the form of this one, beside running traffic. Data that has been in this form
 * for a day is not looked at.
 */
export function startMigrations(options: {
  schema: StoreSchema;
  records: SchemaRecords;
  migrations: readonly Migration[];
  /** Gets what was changed, and steps that failed and are repeated. */
  log?: Log | undefined;
  /** Milliseconds since the epoch. */
  clock?: () => number;
}): RunningMigrations {
  const { schema, records, migrations, log, clock = Date.now } = options;
  const { store } = schema;
  const closed = new AbortController();
  const { signal } = closed;
  const firstRound = Promise.withResolvers<void>();

  async function pause(ms: number): Promise<void> {
    await delay(ms, undefined, { signal, ref: false }).catch(() => undefined);
  }

  /** Repeats until it succeeds or nobody waits for it any more. */
  async function untilDone<Result>(name: string, work: () => Promise<Result>): Promise<Result | undefined> {
    for (let failures = 0; !signal.aborted; failures += 1) {
      try {
        return await work();
      } catch (error) {
        if (!signal.aborted)
          log?.warn({ err: error, store, migration: name }, 'a step of a migration failed');
      }
      await pause(backoffMs(retry, failures));
    }
    return undefined;
  }

  async function run({ name, step }: Migration): Promise<void> {
    let rows = 0;
    while (!signal.aborted) {
      const startedMs = performance.now();
      const changed = await untilDone(name, step);
      if (changed === undefined || changed === 0) break;
      rows += changed;
      await pause(Math.max(leastPauseMs, performance.now() - startedMs));
    }
    if (rows > 0) log?.info({ store, migration: name, rows }, 'older rows were brought up to date');
  }

  /** Returns whether there is nothing to look for any more. */
  async function round(): Promise<boolean> {
    const record = await untilDone('the version of the data', records.read);
    if (record === undefined) return true;
    const isReached = record.version >= schema.version && record.reachedAt > 0;
    if (isReached && clock() - record.reachedAt >= repeatForMs) return true;
    for (const migration of migrations) await run(migration);
    if (!signal.aborted) {
      await untilDone('the version of the data', () => records.reached(schema.version, clock()));
    }
    return migrations.length === 0;
  }

  async function work(): Promise<void> {
    while (!signal.aborted) {
      const isOver = await round();
      firstRound.resolve();
      if (isOver) return;
      await pause(repeatEveryMs);
    }
  }

  const working = work().finally(firstRound.resolve);
  return {
    settled: firstRound.promise,
    async close() {
      closed.abort();
      await working;
    },
  };
}
