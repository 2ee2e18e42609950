import { closeSync, fdatasync, fsync, readSync } from 'node:fs';
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { AppError } from '@teammemory/errors/app-error.ts';
import { busyTimeoutMs, type SharedFile } from './open-file.ts';
import type { Statement } from './statement.ts';

/** A log of so many pages is moved to the database between two groups of writes. So SQLite itself would do. */
const longPages = 1_000;
/** A disk that takes longer over a sync is taken for one that does not answer. */
const hungSyncMs = 30_000;
/** The format of the file: a head, and one before each page, all with the salt of the round in which they were written. */
const head = { bytes: 32, salt: 16 };
const pageHead = { bytes: 24, salt: 8 };
const saltBytes = 8;

/**
 * The write-ahead log of an open file. SQLite writes it (`synchronous=NORMAL`), and this syncs it, in a thread of libuv's,
 * so that the event loop does not wait for the disk. Its owner keeps the order: no write while a sync or `empty` runs.
 */
export interface WriteAheadLog {
  /** Compiles a statement. From `hold` to `release` it sees what `hold` found, otherwise what was written last. */
  prepare(sql: string): Statement;
  /** To be called before a commit: from now on nobody sees more than what is durable now. */
  hold(): void;
  release(): void;
  /** Resolves when all that was committed is on the disk. Where the disk refuses, the process ends. */
  sync(): Promise<void>;
  /** Throws AppError `unavailable` where the disk has not answered a sync for half a minute: writes wait for it. */
  requireAnswers(): void;
  /** Whether it is time for `empty`. */
  isLong(): boolean;
  /**
   * Moves what is in the log to the database, and begins it anew; false while another program reads the file. `cut` makes
   * the file of the log short as well: later writes are faster where it is not. Only for a log that is synced. Throws what
   * SQLite throws on a full disk.
   */
  empty(cut: boolean): Promise<boolean>;
  /** Closes both connections. */
  close(): void;
}

/** Takes over a file that was just opened. */
export function openWriteAheadLog(path: string, { database, reader, file, log }: SharedFile): WriteAheadLog {
  database.exec('PRAGMA wal_autocheckpoint=0; PRAGMA synchronous=NORMAL;');
  const pageBytes = Number(database.prepare('PRAGMA page_size').get()?.page_size);
  const version = database.prepare('PRAGMA user_version').get()?.user_version;
  let isHeld = false;
  let syncingSinceMs: number | undefined;

  async function synced(sync: (done: (error: Error | null) => void) => void): Promise<void> {
    syncingSinceMs = performance.now();
    await endOf(sync, path);
    syncingSinceMs = undefined;
  }

  function unsynced<Result>(work: () => Result): Result {
    database.exec('PRAGMA synchronous=OFF');
    try {
      return work();
    } finally {
      database.exec('PRAGMA synchronous=NORMAL');
    }
  }

  /**
   * Writes one page, which says nothing new, as the first of the log's next round. At the first page SQLite would sync the
   * head of the log at once: otherwise a power loss could leave pages of the last round, of which only the later ones are
   * overwritten. While the first page alone is written, either all of them are left or none.
   */
  const beginAnew = () => unsynced(() => database.exec(`PRAGMA user_version=${version}`));

  function saltAt(position: number): Buffer {
    const salt = Buffer.alloc(saltBytes);
    return salt.subarray(0, readSync(log, salt, 0, saltBytes, position));
  }

  function prepare(sql: string): Statement {
    const own = database.prepare(sql);
    let ofReader: StatementSync | undefined;
    const chosen = () => {
      if (!isHeld) return own;
      ofReader ??= reader.prepare(sql);
      return ofReader;
    };
    return {
      get: (...values) => chosen().get(...(values as SQLInputValue[])),
      all: (...values) => chosen().all(...(values as SQLInputValue[])),
      iterate: (...values) => chosen().iterate(...(values as SQLInputValue[])),
      run(...values) {
        // Nobody would sync it.
        if (!database.isTransaction) throw new Error('what writes has to run in a job');
        return own.run(...(values as SQLInputValue[]));
      },
    };
  }

  return {
    prepare,
    hold() {
      // A transaction begins with its first read.
      reader.exec('BEGIN; SELECT 1 FROM sqlite_schema;');
      isHeld = true;
    },
    release() {
      isHeld = false;
      if (reader.isTransaction) reader.exec('ROLLBACK');
    },
    sync: () => synced((done) => fdatasync(log, done)),
    requireAnswers() {
      if (syncingSinceMs !== undefined && performance.now() - syncingSinceMs > hungSyncMs)
        throw new AppError('unavailable', 'The disk does not answer.');
    },
    isLong() {
      const last = head.bytes + (longPages - 1) * (pageHead.bytes + pageBytes);
      const salt = saltAt(last + pageHead.salt);
      return salt.length > 0 && salt.equals(saltAt(head.salt));
    },
    async empty(cut) {
      const { busy, log: pages, checkpointed } = unsynced(() => checkpoint(database, 'PASSIVE'));
      // Another program reads older pages.
      if (busy !== 0 || checkpointed !== pages) return false;
      await synced((done) => fsync(file, done));
      const isEmpty = !cut || checkpoint(database, 'TRUNCATE').busy === 0;
      // In a file that never had a page SQLite has to begin: it syncs the name of the file too.
      if (pages > 0) beginAnew();
      await synced((done) => fdatasync(log, done));
      return isEmpty;
    },
    close() {
      closeSync(log);
      reader.close();
      database.close();
      // Last, because it ends the locks that SQLite has on the file.
      closeSync(file);
    },
  };
}

interface Checkpoint {
  busy: number;
  /** Pages in the log, and how many of them are in the database. */
  log: number;
  checkpointed: number;
}

/** Runs a checkpoint that does not wait for other programs, because the wait would hold up the event loop. */
export function checkpoint(database: DatabaseSync, mode: 'PASSIVE' | 'TRUNCATE'): Checkpoint {
  database.exec('PRAGMA busy_timeout=0');
  try {
    return database.prepare(`PRAGMA wal_checkpoint(${mode})`).get() as unknown as Checkpoint;
  } finally {
    database.exec(`PRAGMA busy_timeout=${busyTimeoutMs}`);
  }
}

/** After a sync that failed nobody knows what is on the disk, and the commit is in the log: a start writes it again. */
function endOf(sync: (done: (error: Error | null) => void) => void, path: string): Promise<void> {
  return new Promise((resolve) => {
    sync((error) => {
      if (error === null) return resolve();
      console.error(
        `The disk did not take what was written to ${path} (${error.message}), so the program ends.`,
      );
      process.exit(1);
    });
  });
}
