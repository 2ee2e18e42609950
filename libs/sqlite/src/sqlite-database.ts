import { basename } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { AppError } from '@teammemory/errors/app-error.ts';
import type { Metrics } from '@teammemory/telemetry/metrics.ts';
import { inSpan } from '@teammemory/telemetry/span.ts';
import { type DiskRoom, diskFull, isDiskFull, type ReserveUse } from './disk-room.ts';
import { type FileOptions, openFile } from './open-file.ts';
import type { Statement } from './statement.ts';
import { checkpoint, openWriteAheadLog, type WriteAheadLog } from './write-ahead-log.ts';

/** More jobs than this wait for the next transaction, so that reads get their turn. */
const maxJobsPerTransaction = 256;
/** So do those that are left once the jobs before them have taken this long: SQLite works on the event loop. */
const maxTransactionMs = 10;
/** Jobs that may wait; past it the disk cannot keep up, and saying so beats running out of memory. */
const maxWaitingJobs = 20_000;

interface Job {
  run: () => unknown;
  /** What it may use of the space that is kept for the case of a full disk. */
  reserve: ReserveUse;
  resolve: (value: never) => void;
  reject: (reason: unknown) => void;
}

interface DatabaseOptions extends FileOptions {
  /** The space on the disk of the file; unset: nothing is kept for `writeWithReserve`. */
  room?: DiskRoom | undefined;
  /** Gets figures of the queue and of the commits. */
  metrics?: Metrics | undefined;
}

/** One SQLite file, opened for this process alone (see `lockDirectory`). */
export interface SqliteDatabase {
  /**
   * Compiles a statement once; later calls with the same text get the same one. Within a job it
   * sees what the jobs before it did, elsewhere what is durable. What writes has to run in a job.
   */
  prepare(sql: string): Statement;
  /**
   * Runs a job inside a transaction and resolves with its result once that is on the disk, for which the event loop does
   * not wait. Jobs that arrive in the same turn, or while the disk works, share one transaction, hence one sync (group
   * commit); each has its own savepoint, so that an error thrown by one undoes that one alone. Jobs are synchronous and
   * run in order.
   * Rejects with AppError `unavailable` while the disk is full.
   */
  write<Result>(job: () => Result): Promise<Result>;
  /**
   * As `write`, also while the disk is full: for what takes something away, and for small rows without which what is
   * stored could not be read. `part` leaves 8 MiB of the reserve: for removals, which members can make many of.
   */
  writeWithReserve<Result>(job: () => Result, reserve?: 'part' | 'whole'): Promise<Result>;
  /**
   * Empties the write-ahead log, which keeps pages as they were before a change, and resolves once that is on the disk.
   * Removed data in the file itself was overwritten when it was removed. Rejects with AppError `unavailable` while
   * another program reads the file.
   */
  scrub(): Promise<void>;
  /** Throws if the file cannot be read, or the disk does not answer. */
  ready(): Promise<void>;
  /** Takes no new jobs, finishes those that wait, then closes the file. */
  close(): Promise<void>;
}

/**
 * Opens a database file and creates it and its schema if they are missing.
 *
 * `schema` is a list of statements that may run again on every start
 * (`CREATE … IF NOT EXISTS`). `addedColumns` are definitions of columns that a
 * table of an earlier version lacks; they are added before the schema runs, so
 * that its indexes may name them. What was acknowledged survives kill -9 and, without `remadeForm`, power loss.
 *
 * @throws AppError `unavailable` with one sentence for a file that cannot be opened, is something else, or was written by
 *   a newer version of the program.
 */
export function openSqliteDatabase(options: DatabaseOptions): SqliteDatabase {
  const opened = openFile(options);
  const { database } = opened;
  const log = 'reader' in opened ? openWriteAheadLog(options.file, opened) : undefined;
  const statements = new Map<string, Statement>();
  const { enqueue, scrub, settled } = createJobQueue(database, log, options);

  function prepare(sql: string): Statement {
    let statement = statements.get(sql);
    if (statement === undefined) {
      statement = log === undefined ? database.prepare(sql) : log.prepare(sql);
      statements.set(sql, statement);
    }
    return statement;
  }

  return {
    prepare,
    async ready() {
      log?.requireAnswers();
      prepare('SELECT 1').get();
    },
    scrub,
    write: (job) => enqueue(job, 'none'),
    writeWithReserve: (job, reserve = 'whole') => enqueue(job, reserve),
    async close() {
      await settled();
      if (log === undefined) database.close();
      else log.close();
    },
  };
}

/** Runs jobs in order, as many in one transaction as come at once and fit into its time. */
function createJobQueue(database: DatabaseSync, log: WriteAheadLog | undefined, options: DatabaseOptions) {
  const { file: path, room, metrics } = options;
  const file = basename(path);
  const spanName = `sqlite ${file}`;
  let waiting: Job[] = [];
  let working: Promise<void> | undefined;
  let isClosed = false;
  const changes = database.prepare('SELECT total_changes() AS changes');
  const emptying = createEmptying(database, log, options);
  metrics?.gauge('teammemory_sqlite_waiting_writes', () => waiting.length, { file });
  const observeCommit = metrics?.histogram('teammemory_sqlite_commit_seconds', { file });

  async function commitGroup(): Promise<void> {
    const startedMs = performance.now();
    const jobs: Job[] = [];
    const settle: (() => void)[] = [];
    let isDurable: Promise<void> | undefined;
    let committingMs = startedMs;
    try {
      database.exec('BEGIN IMMEDIATE');
      const before = changes.get()?.changes;
      for (const job of waiting) {
        jobs.push(job);
        settle.push(runInSavepoint(database, job, path));
        if (jobs.length === maxJobsPerTransaction || performance.now() - startedMs > maxTransactionMs) break;
      }
      committingMs = performance.now();
      const isChanged = changes.get()?.changes !== before;
      if (isChanged) log?.hold();
      database.exec('COMMIT');
      if (isChanged) isDurable = log?.sync();
    } catch (error) {
      rollBack(database);
      log?.release();
      // Where not even a transaction could begin, no job was taken yet.
      if (jobs.length === 0) jobs.push(...waiting.slice(0, maxJobsPerTransaction));
      const again = jobsToRepeat(jobs, error, options);
      waiting = [...again, ...waiting.slice(jobs.length)];
      for (const job of jobs) if (!again.includes(job)) job.reject(writeError(error, path));
      return;
    }
    waiting = waiting.slice(jobs.length);
    await isDurable;
    log?.release();
    observeCommit?.((performance.now() - committingMs) / 1_000);
    for (const answer of settle) answer();
  }

  function schedule(): void {
    working ??= work();
  }

  async function work(): Promise<void> {
    while (waiting.length > 0 || emptying.isAsked()) {
      await new Promise((resolve) => setImmediate(resolve));
      if (waiting.length > 0) await commitGroup();
      await emptying.run();
    }
    working = undefined;
  }

  function enqueue<Result>(run: () => Result, reserve: ReserveUse): Promise<Result> {
    if (isClosed) return Promise.reject(new AppError('unavailable', 'The service is shutting down.'));
    if (waiting.length >= maxWaitingJobs) {
      return Promise.reject(new AppError('unavailable', 'Too many writes are waiting; try again shortly.'));
    }
    if (reserve !== 'whole' && room?.isFull() === true && !room.hasReserve(reserve))
      return Promise.reject(diskFull());
    return inSpan(
      spanName,
      'internal',
      () =>
        new Promise<Result>((resolve, reject) => {
          waiting.push({ run, reserve, resolve, reject });
          schedule();
        }),
    );
  }

  function scrub(): Promise<void> {
    const scrubbed = emptying.ask();
    schedule();
    return scrubbed;
  }

  /** Takes no more jobs, and waits for those that are there. */
  async function settled(): Promise<void> {
    isClosed = true;
    while (working !== undefined) await working;
  }

  return { enqueue, scrub, settled };
}

/** Returns the jobs of a failed group for which there is space now. */
function jobsToRepeat(jobs: readonly Job[], error: unknown, { file, room }: DatabaseOptions): Job[] {
  if (!isDiskFull(error, file)) return [];
  const left = jobs.filter(({ reserve }) => room?.hasReserve(reserve) === true);
  return left.length > 0 && room?.release() === true ? left : [];
}

/** Runs a job, and returns what answers it. Throws where a full disk may have undone the whole transaction. */
function runInSavepoint(database: DatabaseSync, job: Job, file: string): () => void {
  database.exec('SAVEPOINT job');
  try {
    const result = job.run();
    database.exec('RELEASE job');
    return () => job.resolve(result as never);
  } catch (error) {
    // SQLite may have rolled back all that the transaction did.
    if (isDiskFull(error, file)) throw error;
    database.exec('ROLLBACK TO job; RELEASE job');
    return () => job.reject(writeError(error, file));
  }
}

/** Empties the log where somebody asked for that, or where it is long. */
function createEmptying(
  database: DatabaseSync,
  log: WriteAheadLog | undefined,
  { file, room }: DatabaseOptions,
) {
  let asking: { resolve: () => void; reject: (reason: unknown) => void }[] = [];

  async function empty(cut: boolean): Promise<boolean> {
    try {
      return log === undefined ? checkpoint(database, 'TRUNCATE').busy === 0 : await log.empty(cut);
    } catch (error) {
      // A log that is only long can wait for room.
      if (cut && isDiskFull(error, file) && room?.release() === true) return empty(cut);
      throw error;
    }
  }

  return {
    ask: () => new Promise<void>((resolve, reject) => void asking.push({ resolve, reject })),
    isAsked: () => asking.length > 0,
    /** To be called between two groups. */
    async run(): Promise<void> {
      const asked = asking;
      asking = [];
      try {
        if (asked.length === 0 && log?.isLong() !== true) return;
        if (!(await empty(asked.length > 0)))
          throw new AppError('unavailable', 'Another program reads the database file; try again shortly.');
        for (const { resolve } of asked) resolve();
      } catch (error) {
        for (const { reject } of asked) reject(writeError(error, file));
      }
    },
  };
}

function rollBack(database: DatabaseSync): void {
  try {
    if (database.isTransaction) database.exec('ROLLBACK');
  } catch {
    // SQLite rolls back by itself what it cannot roll back when told to; the jobs fail for the first reason.
  }
}

/** SQLite's primary result codes for a disk that is failing or locked: the next attempt may succeed. */
const passingFaults: readonly unknown[] = [5, 6, 10];

function writeError(error: unknown, file: string): unknown {
  if (isDiskFull(error, file)) return diskFull(error);
  const { errcode } = error as { errcode?: number };
  if (errcode === undefined || !passingFaults.includes(errcode & 0xff)) return error;
  return new AppError('unavailable', 'The store cannot be written right now; try again shortly.', {
    cause: error,
  });
}
