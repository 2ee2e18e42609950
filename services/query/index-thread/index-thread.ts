import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { backoffMs } from '@teammemory/async/backoff.ts';
import { AppError } from '@teammemory/errors/app-error.ts';
import { type IndexFigures, type IndexHost, IndexHostEnded, noFigures } from '../domain/index/index-host.ts';
import {
  type CallMessage,
  errorFromMessage,
  type Method,
  type ReplyMessage,
  type ThreadSettings,
  turnRecord,
} from './messages.ts';

/** Objects of JavaScript beside the indexes, which are arrays outside of this heap: rows being taken over, answers. */
const maxHeapMegabytes = 256;
const maxYoungHeapMegabytes = 32;
/** A turn takes some milliseconds; one that has not ended after so many looks at it will not. */
const looksBeforeEnd = 10;
const defaultLookIntervalMs = 1_000;
/** How long a team is left alone under whose work the thread ended, doubled each time. */
const blockWaits = { firstMs: 60_000, lastMs: 60 * 60_000 };
/** Teams that are remembered for that. */
const maxBlockedTeams = 10_000;
/** The thread writes files for four seconds at most. */
const closeTimeoutMs = 6_000;

/** Told what becomes of the thread. */
export interface ThreadWatch {
  /** It ended, by itself or because it stood still, while it worked for this team, where that is known. */
  ended(failure: unknown, teamId: string | undefined): void;
  /** The figures have changed. */
  counted(before: IndexFigures, now: IndexFigures): void;
}

/** Indexes in a thread of their own, beside the event loop. */
export interface IndexThread extends IndexHost {
  /** As the thread told last. */
  figures(): IndexFigures;
}

interface Pending {
  resolve: (result: never) => void;
  reject: (error: unknown) => void;
}

/**
 * Starts the thread. Should it end, for want of memory or by a fault, or
 * stand still, the process goes on: what was under way is `unavailable`, another
 * thread is started with the next call, and the team that it worked for is left
 * alone for a while, so that the same rows do not end it over and over.
 */
export function startIndexThread(
  settings: Omit<ThreadSettings, 'turnRecord'> & {
    watch: ThreadWatch;
    program?: string;
    lookIntervalMs?: number;
  },
): IndexThread {
  const {
    watch,
    program = join(import.meta.dirname, 'main.ts'),
    lookIntervalMs = defaultLookIntervalMs,
    ...forThread
  } = settings;
  const pending = new Map<number, Pending>();
  const blocked = new Map<string, { failures: number; untilMs: number }>();
  const record = turnRecord();
  let worker: Worker | undefined;
  let figures = noFigures;
  let calls = 0;
  let isClosing = false;

  function start(): Worker {
    const started = new Worker(program, {
      workerData: { ...forThread, turnRecord: record.buffer } satisfies ThreadSettings,
      resourceLimits: {
        maxOldGenerationSizeMb: maxHeapMegabytes,
        maxYoungGenerationSizeMb: maxYoungHeapMegabytes,
      },
    });
    let failure: unknown;
    started.on('message', settle);
    started.on('error', (error) => {
      failure = error;
    });
    started.on('exit', () => ended(failure));
    started.unref();
    return started;
  }

  function settle(reply: ReplyMessage): void {
    const call = pending.get(reply.id);
    pending.delete(reply.id);
    if (pending.size === 0) worker?.unref();
    watch.counted(figures, reply.figures);
    ({ figures } = reply);
    if ('error' in reply) call?.reject(errorFromMessage(reply.error));
    else call?.resolve(reply.result as never);
  }

  function ended(failure: unknown): void {
    const teamId = record.teamId();
    worker = undefined;
    figures = noFigures;
    record.begin(undefined);
    if (teamId !== undefined) block(teamId);
    if (!isClosing) watch.ended(failure, teamId);
    for (const { reject } of pending.values()) reject(new IndexHostEnded(teamId));
    pending.clear();
  }

  function block(teamId: string): void {
    const failures = (blocked.get(teamId)?.failures ?? 0) + 1;
    if (blocked.size >= maxBlockedTeams) blocked.clear();
    blocked.set(teamId, { failures, untilMs: performance.now() + backoffMs(blockWaits, failures) });
  }

  function call(method: Method, args: unknown[]): Promise<never> {
    const [teamId] = args;
    // Whoever has items cut finds out which of them ends the thread, and leaves that out.
    const mayBeBlocked = typeof teamId === 'string' && method !== 'cut';
    if (mayBeBlocked && (blocked.get(teamId)?.untilMs ?? 0) > performance.now())
      return Promise.reject(teamIsBlocked());
    worker ??= start();
    // While it waits for an answer, the process goes on, even if nothing else keeps it.
    worker.ref();
    calls += 1;
    const { promise, resolve, reject } = Promise.withResolvers<never>();
    pending.set(calls, { resolve, reject });
    worker.postMessage({ id: calls, method, args } satisfies CallMessage);
    return promise;
  }

  let lastTurn = 0;
  let looks = 0;
  const looking = setInterval(() => {
    const turn = record.turn();
    looks = turn === lastTurn && record.teamId() !== undefined ? looks + 1 : 0;
    lastTurn = turn;
    if (looks >= looksBeforeEnd) worker?.terminate();
  }, lookIntervalMs).unref();

  worker = start();
  return {
    cut: (...args) => call('cut', args),
    open: (...args) => call('open', args),
    forget: (...args) => call('forget', args),
    apply: (...args) => call('apply', args),
    search: (...args) => call('search', args),
    vectors: (...args) => call('vectors', args),
    coverage: (...args) => call('coverage', args),
    indexedItems: (...args) => call('indexedItems', args),
    takeEmbeddingWork: (...args) => call('takeEmbeddingWork', args),
    addToBacklog: (...args) => call('addToBacklog', args),
    refillBacklog: (...args) => call('refillBacklog', args),
    embed: (...args) => call('embed', args),
    forgetVectors: (...args) => call('forgetVectors', args),
    save: (...args) => call('save', args),
    async close() {
      isClosing = true;
      clearInterval(looking);
      if (worker === undefined) return;
      const timer = setTimeout(() => worker?.terminate(), closeTimeoutMs);
      await call('close', []).catch(() => undefined);
      clearTimeout(timer);
      await worker?.terminate();
    },
    figures: () => figures,
  };
}

function teamIsBlocked(): AppError {
  return new AppError(
    'unavailable',
    'The search of this team failed and is left alone for a while; ask again later.',
  );
}
