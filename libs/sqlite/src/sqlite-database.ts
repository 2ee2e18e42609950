import { basename } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { AppError } from '@teammemory/errors/app-error.ts';
import type { Metrics } from '@teammemory/telemetry/metrics.ts';
import { inSpan } from '@teammemory/telemetry/span.ts';
import { type DiskRoom, diskFull, isDiskFull, type ReserveUse } from './disk-room.ts';
import { busyTimeoutMs, type FileOptions, openFile } from './open-file.ts';

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
  /** Compiles a statement once; later calls with the same text get the same one. */
  prepare(sql: string): StatementSync;
  /**
   * Runs a job inside a durable transaction and resolves with its result after the
   * commit. Jobs that arrive in the same turn share one transaction, hence one
   * fsync (group commit); each has its own savepoint, so that an error thrown
   * by one undoes that one alone. Jobs are synchronous and run in order.
   * Rejects with AppError `unavailable` while the disk is full.
   */
  write<Result>(job: () => Result): Promise<Result>;
  /**
   * As `write`, also while the disk is full: for what takes something away, and for small rows without which what is
   * stored could not be read. `part` leaves 8 MiB of the reserve: for removals, which members can make many of.
   */
  writeWithReserve<Result>(job: () => Result, reserve?: 'part' | 'whole'): Promise<Result>;
  /**
   * Empties the write-ahead log, which keeps pages as they were before a change. Removed data in the file itself was
   * overwritten when it was removed. Throws AppError `unavailable` while another program reads the file.
   */
  scrub(): Promise<void>;
  /** Throws if the file cannot be read. */
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
 * that its indexes may name them. WAL with `synchronous=FULL`: what was
 * acknowledged survives kill -9 and power loss.
 *
 * @throws AppError `unavailable` with one sentence for a file that cannot be opened, is something else, or was written by
 *   a newer version of the program.
 */
export function openSqliteDatabase(options: DatabaseOptions): SqliteDatabase {
  const { room } = options;
  const database = openFile(options);
  const statements = new Map<string, StatementSync>();
  const { enqueue, settled } = createJobQueue(database, options);

  function prepare(sql: string): StatementSync {
    let statement = statements.get(sql);
    if (statement === undefined) {
      statement = database.prepare(sql);
      statements.set(sql, statement);
    }
    return statement;
  }

  async function scrub(): Promise<void> {
    // Without waiting, because the wait would hold up the event loop.
    database.exec('PRAGMA busy_timeout=0');
    try {
      const { busy } = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() as { busy: number };
      if (busy === 0) return;
    } catch (error) {
      if (isDiskFull(error, options.file) && room?.release() === true) return scrub();
      throw writeError(error, options.file);
    } finally {
      database.exec(`PRAGMA busy_timeout=${busyTimeoutMs}`);
    }
    throw new AppError('unavailable', 'Another program reads the database file; try again shortly.');
  }

  return {
    prepare,
    ready: async () => void prepare('SELECT 1').get(),
    scrub,
    write: (job) => enqueue(job, 'none'),
    writeWithReserve: (job, reserve = 'whole') => enqueue(job, reserve),
    async close() {
      await settled();
      database.close();
    },
  };
}

/** Runs jobs in order, as many in one transaction as come at once and fit into its time. */
function createJobQueue(database: DatabaseSync, { file: path, room, metrics }: DatabaseOptions) {
  const file = basename(path);
  const spanName = `sqlite ${file}`;
  let waiting: Job[] = [];
  let scheduled: Promise<void> | undefined;
  let isClosed = false;
  metrics?.gauge('teammemory_sqlite_waiting_writes', () => waiting.length, { file });
  const observeCommit = metrics?.histogram('teammemory_sqlite_commit_seconds', { file });

  function commitGroup(): void {
    scheduled = undefined;
    const startedMs = performance.now();
    const jobs: Job[] = [];
    const settle: (() => void)[] = [];
    let again: Job[] = [];
    try {
      database.exec('BEGIN IMMEDIATE');
      for (const job of waiting) {
        jobs.push(job);
        settle.push(runInSavepoint(job));
        if (jobs.length === maxJobsPerTransaction || performance.now() - startedMs > maxTransactionMs) break;
      }
      const committingMs = performance.now();
      database.exec('COMMIT');
      observeCommit?.((performance.now() - committingMs) / 1_000);
    } catch (error) {
      rollBack(database);
      // Where not even a transaction could begin, no job was taken yet.
      if (jobs.length === 0) jobs.push(...waiting.slice(0, maxJobsPerTransaction));
      again = jobsToRepeat(jobs, error);
      for (const job of jobs) if (!again.includes(job)) job.reject(writeError(error, path));
      settle.length = 0;
    }
    waiting = [...again, ...waiting.slice(jobs.length)];
    if (waiting.length > 0) schedule();
    for (const answer of settle) answer();
  }

  /** Returns the jobs of a failed group for which there is space now. */
  function jobsToRepeat(jobs: readonly Job[], error: unknown): Job[] {
    if (!isDiskFull(error, path)) return [];
    const left = jobs.filter(({ reserve }) => room?.hasReserve(reserve) === true);
    return left.length > 0 && room?.release() === true ? left : [];
  }

  function runInSavepoint(job: Job): () => void {
    database.exec('SAVEPOINT job');
    try {
      const result = job.run();
      database.exec('RELEASE job');
      return () => job.resolve(result as never);
    } catch (error) {
      // SQLite may have rolled back all that the transaction did.
      if (isDiskFull(error, path)) throw error;
      database.exec('ROLLBACK TO job; RELEASE job');
      return () => job.reject(writeError(error, path));
    }
  }

  function schedule(): void {
    scheduled ??= new Promise((resolve) => {
      setImmediate(() => {
        commitGroup();
        resolve();
      });
    });
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

  /** Takes no more jobs, and waits for those that are there. */
  async function settled(): Promise<void> {
    isClosed = true;
    while (scheduled !== undefined) await scheduled;
  }

  return { enqueue, settled };
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
