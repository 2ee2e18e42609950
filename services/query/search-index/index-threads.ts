import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { createFairQueue } from '@teammemory/admission/fair-queue.ts';
import { backoffMs } from '@teammemory/async/backoff.ts';
import { AppError } from '@teammemory/errors/app-error.ts';
import { startOfMachine } from '@teammemory/sqlite/start-of-machine.ts';
import { IndexHostEnded } from '../domain/index/index-host.ts';
import { IndexDiskFull, indexPath } from './index-files.ts';
import type { IndexHostSettings } from './index-host.ts';
import type { IndexRoom } from './index-room.ts';
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
/** An erasure rewrites the whole file, which may have gigabytes. */
const changeTimeoutMs = 120_000;
const lookIntervalMs = 250;
/** How long a team is left alone under whose work a thread ended, doubled each time. */
const blockWaits = { firstMs: 60_000, lastMs: 60 * 60_000 };
/** Teams that are remembered for that. */
const maxBlockedTeams = 10_000;
/** For what is under way when the process ends. */
const closeTimeoutMs = 6_000;
const mostThreads = 4;

/** Told what becomes of threads and files. */
export interface PoolWatch {
  /** A thread ended, by itself or because it stood still, while it worked for this team, where that is known. */
  ended(failure: unknown, teamId: string | undefined): void;
  /** A team's file was removed because all files together took too much. */
  dropped(): void;
  /** A team's file was removed because something went wrong with it. */
  damaged(cause: string, teamId: string): void;
}

/** A call to a thread. */
export interface Call {
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

/** Given to a thread at its start. A thread makes the fingerprint of the program itself: it alone loads what cuts words. */
export interface ThreadData extends Omit<IndexHostSettings, 'program'> {
  startOfMachine: string;
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

/** How the threads are run; by default as is right for one process. */
export interface ThreadSettings extends Omit<IndexHostSettings, 'program' | 'directory'> {
  threads?: number;
  program?: string;
  callTimeoutMs?: number;
}

/**
 * A few threads, and one queue from which they take what teams ask for by turns. Of each lane one call at a time is in
 * progress. Should a thread end, for want of memory or by a fault, or stand still, the process goes on: what was under way
 * is `unavailable`, another thread is started, and the team that it worked for is left alone for a while, so that the same
 * rows do not end it over and over.
 */
export class IndexThreads {
  readonly #settings: Omit<ThreadData, 'directory'>;
  readonly #program: string | URL;
  /** Threads at most. */
  readonly #most: number;
  readonly #watch: PoolWatch;
  readonly #room: IndexRoom;
  readonly #threads = new Set<Thread>();
  readonly #waiting = createFairQueue<Call>();
  /** Teams that are left alone. */
  readonly #blocked = new Map<string, { failures: number; untilMs: number }>();
  /** Looks for threads that stand still. */
  readonly #looking: NodeJS.Timeout;
  #isClosing = false;

  constructor(settings: ThreadSettings, { room, watch }: { room: IndexRoom; watch: PoolWatch }) {
    const { maxBytes, embeds, embeddingModel, callTimeoutMs = defaultCallTimeoutMs } = settings;
    this.#settings = { maxBytes, embeds, embeddingModel, startOfMachine: startOfMachine() };
    this.#program = settings.program ?? new URL('./main.ts', import.meta.url);
    this.#most = settings.threads ?? Math.max(2, Math.min(mostThreads, availableParallelism()));
    this.#room = room;
    this.#watch = watch;
    this.#looking = setInterval(() => {
      for (const { worker, call, beganMs } of this.#threads) {
        const timeoutMs = call?.method === 'apply' ? changeTimeoutMs + callTimeoutMs : callTimeoutMs;
        if (call !== undefined && performance.now() - beganMs > timeoutMs) worker.terminate();
      }
    }, lookIntervalMs).unref();
  }

  /** Has every thread close a file that was removed: until then the disk keeps its space. */
  release(path: string): void {
    for (const { worker } of this.#threads) worker.postMessage({ removed: path } satisfies RemovedMessage);
  }

  /**
   * Whoever has items cut finds out which of them ends a thread, and leaves that out.
   * @throws AppError `unavailable` at the end of the process, and where the team is left alone.
   */
  assertOpen(teamId: string, method: Method): void {
    if (this.#isClosing) throw isShuttingDown();
    const leftAloneUntilMs = this.#blocked.get(teamId)?.untilMs ?? 0;
    if (method !== 'cut' && leftAloneUntilMs > performance.now()) throw teamIsLeftAlone();
  }

  /** Does a call when its turn comes. */
  add(call: Call): void {
    this.#waiting.add(call.lane, call);
    this.#dispatch();
  }

  /** Returns how many calls of a lane wait for their turn. */
  waitingIn(lane: string): number {
    return this.#waiting.of(lane).length;
  }

  /** Takes back a call that waits. */
  leave(call: Call): void {
    this.#waiting.leave(call.lane, call);
  }

  #start(): void {
    const worker = new Worker(this.#program, {
      workerData: { ...this.#settings, directory: this.#room.directory() } satisfies ThreadData,
      resourceLimits: {
        maxOldGenerationSizeMb: maxHeapMegabytes,
        maxYoungGenerationSizeMb: maxYoungHeapMegabytes,
      },
    });
    const thread: Thread = {
      worker,
      isReady: false,
      call: undefined,
      directory: this.#room.directory(),
      beganMs: 0,
      failure: undefined,
    };
    worker.on('message', (reply: ReplyMessage | 'ready') => {
      if (reply !== 'ready') this.#settle(thread, reply);
      thread.isReady = true;
      this.#dispatch();
    });
    worker.on('error', (error) => {
      thread.failure = error;
    });
    worker.on('exit', () => this.#ended(thread));
    worker.unref();
    this.#threads.add(thread);
  }

  /** Returns the call whose turn it is, of the lanes without one in progress. */
  #nextCall(): Call | undefined {
    const busy = new Set([...this.#threads].map(({ call }) => call?.lane));
    return this.#waiting.find(({ lane }) => !busy.has(lane));
  }

  /** Gives threads what waits for its turn. */
  #dispatch(): void {
    if (this.#isClosing) return;
    for (const thread of this.#threads) {
      if (!thread.isReady || thread.call !== undefined) continue;
      const call = this.#nextCall();
      if (call === undefined) return;
      this.#waiting.take(call.lane, call);
      call.begin?.();
      thread.call = call;
      thread.directory = this.#room.directory();
      thread.beganMs = performance.now();
      // While it waits for an answer, the process goes on, even if nothing else keeps it.
      thread.worker.ref();
      thread.worker.postMessage({
        directory: thread.directory,
        method: call.method,
        args: call.args,
      } satisfies CallMessage);
    }
    const isStarting = [...this.#threads].some(({ isReady }) => !isReady);
    if (this.#nextCall() !== undefined && !isStarting && this.#threads.size < this.#most) this.#start();
  }

  #settle(thread: Thread, reply: ReplyMessage): void {
    const { call } = thread;
    if (call === undefined) return;
    thread.call = undefined;
    thread.worker.unref();
    const path = indexPath(thread.directory, call.teamId);
    if ('figures' in reply) this.#room.changed(path, reply.figures);
    else this.#room.used(path);
    if (reply.damage !== undefined) this.#watch.damaged(reply.damage, call.teamId);
    if ('isDiskFull' in reply) {
      if (this.#room.leaveFullDisk()) call.resolve(undefined as never);
      else call.reject(new IndexDiskFull());
    } else if ('error' in reply) call.reject(errorFromMessage(reply.error));
    else {
      this.#blocked.delete(call.teamId);
      call.resolve(reply.result as never);
    }
  }

  #ended(thread: Thread): void {
    this.#threads.delete(thread);
    const { call, failure, isReady } = thread;
    if (this.#isClosing) return;
    this.#watch.ended(failure, call?.teamId);
    if (call !== undefined) {
      this.#block(call.teamId);
      call.reject(new IndexHostEnded(call.teamId));
    }
    if (isReady) {
      this.#dispatch();
      return;
    }
    // One that does not start would not start again either: the next call tries.
    this.#refuseWaiting(new IndexHostEnded(undefined));
  }

  #refuseWaiting(error: AppError): void {
    for (const { begin, reject } of this.#waiting.clear()) {
      begin?.();
      reject(error);
    }
  }

  #block(teamId: string): void {
    const failures = (this.#blocked.get(teamId)?.failures ?? 0) + 1;
    if (this.#blocked.size >= maxBlockedTeams) this.#blocked.clear();
    this.#blocked.set(teamId, { failures, untilMs: performance.now() + backoffMs(blockWaits, failures) });
  }

  /** Ends the threads when they have done what they do. */
  async close(): Promise<void> {
    this.#isClosing = true;
    clearInterval(this.#looking);
    this.#refuseWaiting(isShuttingDown());
    const closed = [...this.#threads].map(async ({ worker }) => {
      const timer = setTimeout(() => worker.terminate(), closeTimeoutMs);
      const exit = new Promise((resolve) => worker.once('exit', resolve));
      worker.ref();
      worker.postMessage({
        directory: this.#room.directory(),
        method: 'close',
        args: [],
      } satisfies CallMessage);
      worker.once('message', () => worker.terminate());
      await exit;
      clearTimeout(timer);
    });
    await Promise.all(closed);
  }
}

function isShuttingDown(): AppError {
  return new AppError('unavailable', 'The service is shutting down.');
}

function teamIsLeftAlone(): AppError {
  return new AppError(
    'unavailable',
    'The search of this team failed and is left alone for a while; ask again later.',
  );
}
