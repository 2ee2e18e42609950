import { AppError } from '@teammemory/errors/app-error.ts';
import type { Metrics } from '@teammemory/telemetry/metrics.ts';
import { isTracing } from '@teammemory/telemetry/span.ts';
import {
  type Db,
  type IndexDescription,
  MongoAPIError,
  MongoBulkWriteError,
  MongoClient,
  MongoError,
  MongoNotConnectedError,
  MongoServerError,
} from 'mongodb';
import { traceCommands, watchPool } from './client-telemetry.ts';
import { createIndexBuilder } from './index-builder.ts';

/** How long one operation may take in all, waiting for a connection and an election included. */
const operationTimeoutMs = 8_000;
/** How long a server may take to be found; the driver's own default is 30 s. */
const serverSelectionTimeoutMs = 5_000;
/** A socket that says nothing for so long is dead; the driver's own default waits for ever. */
const socketTimeoutMs = 15_000;
/** Connections per process and server: enough for the concurrency one process can use. */
const maxPoolSize = 50;

/** Node's errors of a socket on its way out. The driver passes them on as they are, where it was about to write. */
const codesOfLostSockets = new Set<unknown>([
  'EPIPE',
  'ECONNRESET',
  'ETIMEDOUT',
  'ERR_STREAM_WRITE_AFTER_END',
]);

/**
 * A server's answers while it steps down or shuts down: NotWritablePrimary, NotPrimaryNoSecondaryOk, NotPrimaryOrSecondary,
 * PrimarySteppedDown, ShutdownInProgress, InterruptedAtShutdown, InterruptedDueToReplStateChange. It puts a label only on
 * answers to what the driver may send again.
 */
const codesOfElections = new Set<unknown>([10_107, 13_435, 13_436, 189, 91, 11_600, 11_602]);

/** Given to every operation of the driver, so that none can wait for ever. */
export interface Deadline {
  signal: AbortSignal;
  maxTimeMS: number;
}

/** One process's connection to MongoDB. */
export interface MongoConnection {
  db: Db;
  /**
   * Runs one or more operations under one deadline, which `work` must hand to
   * each of them. Driver errors become AppError `unavailable` if the server
   * could not be reached in time; any other error stays as it is, so that the
   * caller can tell a duplicate key.
   */
  call<Result>(work: (deadline: Deadline) => Promise<Result>): Promise<Result>;
  /**
   * Sees to it that a collection has its indexes, without holding up the start
   * while the server builds one on a large collection: until then `ping` throws.
   */
  ensureIndexes(collection: string, indexes: IndexDescription[]): Promise<void>;
  /** Resolves when the server answers and has all indexes, else throws AppError `unavailable`. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens a connection with majority reads and writes: what was acknowledged
 * survives the loss of a minority of servers, and what was read cannot be
 * rolled back.
 *
 * @throws AppError `unavailable` when no server answers.
 */
export async function connectMongo(options: {
  url: string;
  database: string;
  /** Gets figures of the pool. */
  metrics?: Metrics;
}): Promise<MongoConnection> {
  const client = new MongoClient(options.url, {
    maxPoolSize,
    waitQueueTimeoutMS: serverSelectionTimeoutMs,
    serverSelectionTimeoutMS: serverSelectionTimeoutMs,
    connectTimeoutMS: serverSelectionTimeoutMs,
    socketTimeoutMS: socketTimeoutMs,
    readConcernLevel: 'majority',
    writeConcern: { w: 'majority', journal: true },
    retryWrites: true,
    retryReads: true,
    ignoreUndefined: false,
    monitorCommands: isTracing(),
  });
  if (options.metrics !== undefined) watchPool(client, options.metrics);
  if (isTracing()) traceCommands(client);
  const db = client.db(options.database);
  const indexes = createIndexBuilder({ db, isPassing: isOutage });
  const connection: MongoConnection = {
    db,
    async call(work) {
      const signal = AbortSignal.timeout(operationTimeoutMs);
      try {
        return await work({ signal, maxTimeMS: operationTimeoutMs });
      } catch (error) {
        throw isOutage(error) ? unavailable(error) : error;
      }
    },
    async ping() {
      await connection.call((deadline) => db.command({ ping: 1 }, deadline));
      if (!indexes.areBuilt()) throw unavailable(new Error('an index is still being built'));
    },
    ensureIndexes: indexes.ensure,
    async close() {
      indexes.close();
      await client.close();
    },
  };
  try {
    await client.connect();
    await connection.ping();
  } catch (error) {
    await client.close();
    throw unavailable(error);
  }
  return connection;
}

/** Whether an error says that a unique index already holds the key, on any index or on the one named. */
export function isDuplicateKey(error: unknown, indexName?: string): boolean {
  if (!(error instanceof MongoServerError) || error.code !== 11_000) return false;
  return indexName === undefined || error.message.includes(`index: ${indexName} `);
}

function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error.name === 'AbortError' || error.name === 'TimeoutError') return true;
  if (!(error instanceof MongoError)) return 'code' in error && codesOfLostSockets.has(error.code);
  // A bulk write wraps whatever stopped it.
  if (error instanceof MongoBulkWriteError && error.errorResponse instanceof Error) {
    return isOutage(error.errorResponse);
  }
  // 50 MaxTimeMSExpired; the labels mark lost connections, full pools and elections.
  if (error instanceof MongoServerError) {
    return (
      error.code === 50 ||
      codesOfElections.has(error.code) ||
      error.hasErrorLabel('RetryableWriteError') ||
      error.hasErrorLabel('TransientTransactionError')
    );
  }
  // What the driver throws for a wrong call is a fault of ours; a client that is closed is on its way out.
  return !(error instanceof MongoAPIError) || error instanceof MongoNotConnectedError;
}

function unavailable(cause: unknown): AppError {
  return new AppError('unavailable', 'The store cannot be reached right now; try again shortly.', { cause });
}
