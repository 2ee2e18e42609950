import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { createFairQueue } from '@teammemory/admission/fair-queue.ts';
import { backoffMs } from '@teammemory/async/backoff.ts';
import { AppError } from '@teammemory/errors/app-error.ts';
import { type IndexFigures, type IndexHost, IndexHostEnded } from '../domain/index/index-host.ts';
import { programFingerprint } from './index-database.ts';
import { IndexDiskFull, indexPath } from './index-files.ts';
import type { IndexHostSettings } from './index-host.ts';
import { createIndexRoom } from './index-room.ts';
import {
  type CallMessage,
  errorFromMessage,
  type Method,
  type RemovedMessage,
  type ReplyMessage,
} from './messages.ts';

/** Objects of JavaScript in each thread: rows being taken over, passages being scored. */
const maxHeapMegabytes = 256;
const maxYoungHeapMegabytes = 32;
/** A call takes some milliseconds, and a page of a hundred items some hundred; one that has not ended by now will not. */
const defaultCallTimeoutMs = 20_000;
/** What is erased from a file of gigabytes is taken out of all of it. */
const changeTimeoutMs = 120_000;
const lookIntervalMs = 250;
/** How long a team is left alone under whose work a thread ended, doubled each time. */
const blockWaits = { firstMs: 60_000, lastMs: 60 * 60_000 };
/** Teams that are remembered for that. */
const maxBlockedTeams = 10_000;
/** For what is under way when the process ends. */
const closeTimeoutMs = 6_000;
const mostThreads = 4;

/** How many searches may wait, and for how long; running searches do not count. */
export interface SearchLimits {
  ofTeam: number;
  inAll: number;
  waitMs: number;
}

/**
 * As many searches of a team wait as it may have answers open by default. Whoever waits for eight seconds is behind more
 * than can be answered in time, and can still be refused before the answer's stream begins.
 */
const searchLimits: SearchLimits = { ofTeam: 1_000, inAll: 4_000, waitMs: 8_000 };

/** Told what becomes of threads and files. */
export interface PoolWatch {
  /** A thread ended, by itself or because it stood still, while it worked for this team, where that is known. */
  ended(failure: unknown, teamId: string | undefined): void;
  /** A team's file was removed because all files together took too much. */
  dropped(): void;
  /** A team's file was removed because something went wrong with it. */
  damaged(cause: string, teamId: string): void;
}

/** Search in threads beside the event loop. */
export interface IndexPool extends IndexHost {
  figures(): IndexFigures;
}

interface Call {
  teamId: string;
  /** Of which one call at a time is in progress. */
  lane: string;
  method: Method;
  args: unknown[];
  resolve: (result: never) => void;
  reject: (error: unknown) => void;
  /** Called when its turn comes. */
  begin?: () => void;
}

interface Thread {
  worker: Worker;
  /** Its modules are loaded. */
  isReady: boolean;
  call: Call | undefined;
  directory: string;
  beganMs: number;
  failure: unknown;
}

/**
 * Starts the pool: a few threads, and one queue from which they take what teams ask for by turns. Changes of a team are
 * made one after the other, and so are its searches, which wait for no change. Should a thread end, for want of memory or
 * by a fault, or stand still, the process goes on: what was under way is `unavailable`, another thread is started, and
 * the team that it worked for is left alone for a while, so that the same rows do not end it over and over.
 *
 * All files together take `maxBytes`; beyond that, the file of the team goes that was not used for longest.
 */
export function startIndexPool(
  settings: Omit<IndexHostSettings, 'program'> & {
    watch: PoolWatch;
    /** Whether the directory is removed at the end. */
    isTemporary?: boolean;
    threads?: number;
    program?: string;
    callTimeoutMs?: number;
    limits?: SearchLimits;
  },
): IndexPool {
  const {
    watch,
    threads: mostAtOnce = Math.max(2, Math.min(mostThreads, availableParallelism())),
    program = join(import.meta.dirname, 'main.ts'),
    callTimeoutMs = defaultCallTimeoutMs,
    limits = searchLimits,
    maxBytes,
    embeds,
    embeddingModel,
  } = settings;
  const fingerprint = programFingerprint();
  const threads = new Set<Thread>();
  /** A lane for the changes, the searches and the other reads of each team. */
  const waiting = createFairQueue<Call>();
  const blocked = new Map<string, { failures: number; untilMs: number }>();
  let searchesWaiting = 0;
  let isClosing = false;

  const room = createIndexRoom({
    ...settings,
    isTemporary: settings.isTemporary ?? false,
    dropped: watch.dropped,
    removed(path) {
      // Until all threads have closed it the disk keeps its space.
      for (const { worker } of threads) worker.postMessage({ removed: path } satisfies RemovedMessage);
    },
  });

  function start(): void {
    const worker = new Worker(program, {
      workerData: {
        directory: room.directory(),
        maxBytes,
        embeds,
        embeddingModel,
        program: fingerprint,
      } satisfies IndexHostSettings,
      resourceLimits: {
        maxOldGenerationSizeMb: maxHeapMegabytes,
        maxYoungGenerationSizeMb: maxYoungHeapMegabytes,
      },
    });
    const thread: Thread = {
      worker,
      isReady: false,
      call: undefined,
      directory: room.directory(),
      beganMs: 0,
      failure: undefined,
    };
    worker.on('message', (reply: ReplyMessage | 'ready') => {
      if (reply !== 'ready') settle(thread, reply);
      thread.isReady = true;
      dispatch();
    });
    worker.on('error', (error) => {
      thread.failure = error;
    });
    worker.on('exit', () => ended(thread));
    worker.unref();
    threads.add(thread);
  }

  /** Returns the call whose turn it is, of the lanes without one in progress. */
  function nextCall(): Call | undefined {
    const busy = new Set([...threads].map(({ call }) => call?.lane));
    return waiting.find(({ lane }) => !busy.has(lane));
  }

  /** Gives threads what waits for its turn. */
  function dispatch(): void {
    if (isClosing) return;
    for (const thread of threads) {
      if (!thread.isReady || thread.call !== undefined) continue;
      const call = nextCall();
      if (call === undefined) return;
      waiting.take(call.lane, call);
      call.begin?.();
      thread.call = call;
      thread.directory = room.directory();
      thread.beganMs = performance.now();
      // While it waits for an answer, the process goes on, even if nothing else keeps it.
      thread.worker.ref();
      thread.worker.postMessage({
        directory: thread.directory,
        method: call.method,
        args: call.args,
      } satisfies CallMessage);
    }
    const isStarting = [...threads].some(({ isReady }) => !isReady);
    if (nextCall() !== undefined && !isStarting && threads.size < mostAtOnce) start();
  }

  function settle(thread: Thread, reply: ReplyMessage): void {
    const { call } = thread;
    if (call === undefined) return;
    thread.call = undefined;
    thread.worker.unref();
    const path = indexPath(thread.directory, call.teamId);
    if ('figures' in reply) room.changed(path, reply.figures);
    else room.used(path);
    if (reply.damage !== undefined) watch.damaged(reply.damage, call.teamId);
    if ('isDiskFull' in reply) {
      if (room.leaveFullDisk()) call.resolve(undefined as never);
      else call.reject(new IndexDiskFull());
    } else if ('error' in reply) call.reject(errorFromMessage(reply.error));
    else {
      blocked.delete(call.teamId);
      call.resolve(reply.result as never);
    }
  }

  function ended(thread: Thread): void {
    threads.delete(thread);
    const { call, failure, isReady } = thread;
    if (isClosing) return;
    watch.ended(failure, call?.teamId);
    if (call !== undefined) {
      block(call.teamId);
      call.reject(new IndexHostEnded(call.teamId));
    }
    if (isReady) {
      dispatch();
      return;
    }
    // One that does not start would not start again either: the next call tries.
    refuseWaiting(new IndexHostEnded(undefined));
  }

  function refuseWaiting(error: AppError): void {
    for (const { begin, reject } of waiting.clear()) {
      begin?.();
      reject(error);
    }
  }

  function block(teamId: string): void {
    const failures = (blocked.get(teamId)?.failures ?? 0) + 1;
    if (blocked.size >= maxBlockedTeams) blocked.clear();
    blocked.set(teamId, { failures, untilMs: performance.now() + backoffMs(blockWaits, failures) });
  }

  function enqueue(call: Call): void {
    waiting.add(call.lane, call);
    dispatch();
  }

  function call(method: Method, args: [teamId: string, ...unknown[]], kind = 'changes'): Promise<never> {
    const [teamId] = args;
    // Whoever has items cut finds out which of them ends a thread, and leaves that out.
    if (isClosing) return Promise.reject(isShuttingDown());
    if (method !== 'cut' && isBlocked(teamId)) return Promise.reject(teamIsBlocked());
    const { promise, resolve, reject } = Promise.withResolvers<never>();
    enqueue({ teamId, lane: `${kind} ${teamId}`, method, args, resolve, reject });
    return promise;
  }

  function isBlocked(teamId: string): boolean {
    return (blocked.get(teamId)?.untilMs ?? 0) > performance.now();
  }

  const search: IndexHost['search'] = async (teamId, request, signal) => {
    signal?.throwIfAborted();
    if (isClosing) throw isShuttingDown();
    if (isBlocked(teamId)) throw teamIsBlocked();
    const lane = `searches ${teamId}`;
    const { promise, resolve, reject } = Promise.withResolvers<never>();
    if (waiting.of(lane).length >= limits.ofTeam || searchesWaiting >= limits.inAll) throw tooMuch();
    const end = (error: unknown) => {
      waiting.leave(lane, waitingCall);
      begin();
      reject(error);
    };
    const abort = () => end(signal?.reason);
    const timer = setTimeout(() => end(tooMuch()), limits.waitMs);
    signal?.addEventListener('abort', abort, { once: true });
    const begin = () => {
      searchesWaiting -= 1;
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    };
    const waitingCall: Call = {
      teamId,
      lane,
      method: 'search',
      args: [teamId, request],
      resolve,
      reject,
      begin,
    };
    searchesWaiting += 1;
    enqueue(waitingCall);
    return promise;
  };

  const looking = setInterval(() => {
    for (const { worker, call, beganMs } of threads) {
      const timeoutMs = call?.method === 'apply' ? changeTimeoutMs + callTimeoutMs : callTimeoutMs;
      if (call !== undefined && performance.now() - beganMs > timeoutMs) worker.terminate();
    }
  }, lookIntervalMs).unref();

  // Loading its modules takes a moment, for which the first question need not wait.
  start();
  return {
    search,
    cut: (...args) => call('cut', args),
    // What nobody asked for is made only while there is plenty of room.
    open: (teamId, { heads, asked }) => call('open', [teamId, { heads, asked: asked || room.isPlenty() }]),
    forget: (...args) => call('forget', args),
    apply: (...args) => call('apply', args),
    vectors: (...args) => call('vectors', args, 'reads'),
    coverage: (...args) => call('coverage', args, 'reads'),
    indexedItems: (...args) => call('indexedItems', args, 'reads'),
    takeEmbeddingWork: (...args) => call('takeEmbeddingWork', args),
    addToBacklog: (...args) => call('addToBacklog', args),
    refillBacklog: (...args) => call('refillBacklog', args),
    embed: (...args) => call('embed', args),
    forgetVectors: (...args) => call('forgetVectors', args),
    async close() {
      isClosing = true;
      clearInterval(looking);
      refuseWaiting(isShuttingDown());
      const closed = [...threads].map(async ({ worker }) => {
        const timer = setTimeout(() => worker.terminate(), closeTimeoutMs);
        const exit = new Promise((resolve) => worker.once('exit', resolve));
        worker.ref();
        worker.postMessage({
          directory: room.directory(),
          method: 'close',
          args: [],
        } satisfies CallMessage);
        worker.once('message', () => worker.terminate());
        await exit;
        clearTimeout(timer);
      });
      await Promise.all(closed);
      room.close();
    },
    figures: room.figures,
  };
}

function isShuttingDown(): AppError {
  return new AppError('unavailable', 'The service is shutting down.');
}

function tooMuch(): AppError {
  return new AppError('unavailable', 'Too many questions are waiting; ask again shortly.');
}

function teamIsBlocked(): AppError {
  return new AppError(
    'unavailable',
    'The search of this team failed and is left alone for a while; ask again later.',
  );
}
