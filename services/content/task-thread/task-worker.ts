import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { AppError } from '@teammemory/errors/app-error.ts';
import { matchEqualTitles } from '../domain/tasks/match-tasks.ts';
import type { TaskWorker } from '../domain/tasks/plan-tasks.ts';
import type { TaskEntries } from '../domain/tasks/task-entries.ts';
import { runTaskJob, type TaskJob, threadName } from './task-thread.ts';

/** Texts up to this length are read at once: the worst known takes some 5 ms. */
const maxInlineCharacters = 8 * 1024;
/** Up to this many entries are compared at once: the worst known take some 5 ms. */
const maxInlineEntries = 200;
/** Processor time of one job: four times what the worst known needs on a slow machine. */
const processorBudgetMs = 2_000;
/** A job that has not had its processor time by then is given up, because the machine is too busy. It may be tried again. */
const deadlineMs = 30_000;
/** How often the processor time of a job is checked. */
const lookMs = 50;
/** Memory of the thread: many times what the largest text needs. */
const maxHeapMegabytes = 64;
/** Jobs that may wait. A team has one at a time, so this is a number of teams. */
const maxWaitingJobs = 1_000;

/** What one job may use. */
export interface TaskBudget {
  /** Processor time, whatever else the machine is doing. */
  processorMs: number;
  heapMegabytes: number;
  /** The thread reads texts that are longer than this. */
  inlineCharacters: number;
}

/** A worker with its thread. */
export interface TaskThread extends TaskWorker {
  /** Returns the number of jobs that wait for the thread. */
  waiting(): number;
  close(): Promise<void>;
}

interface Waiting {
  job: TaskJob;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/** The job was ended because it used up its budget, or failed with an error that would come again. */
const overBudget = Symbol('over budget');

/**
 * Makes a worker with one thread, which starts with the first job and is replaced after a job that had to be ended.
 * Jobs run in order of arrival. A catch-up waits for each job before the next, so a team has at most one job here and
 * every team gets its turn. Hand-written because pools of worker threads bound the time of a job, not its processor
 * time. The queue is its own because closing refuses the jobs that wait.
 */
export function createTaskWorker(changed: Partial<TaskBudget> = {}): TaskThread {
  const budget: TaskBudget = {
    processorMs: processorBudgetMs,
    heapMegabytes: maxHeapMegabytes,
    inlineCharacters: maxInlineCharacters,
    ...changed,
  };
  const queue: Waiting[] = [];
  const thread = createJobThread(budget);
  let isBusy = false;
  let isClosed = false;

  async function runQueue(): Promise<void> {
    isBusy = true;
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      await thread.run(next.job).then(next.resolve, next.reject);
    }
    isBusy = false;
  }

  function inThread(job: TaskJob): Promise<unknown> {
    if (isClosed) return Promise.reject(new AppError('unavailable', 'The service is shutting down.'));
    if (queue.length >= maxWaitingJobs) return Promise.reject(tooBusy());
    return new Promise((resolve, reject) => {
      queue.push({ job, resolve, reject });
      if (!isBusy) void runQueue();
    });
  }

  return {
    async read(text) {
      const job: TaskJob = { kind: 'read', text };
      if (text.length <= budget.inlineCharacters) return readAtOnce(job);
      const result = await inThread(job);
      return result === overBudget ? undefined : (result as TaskEntries);
    },
    async match(old, now, gone) {
      const job: TaskJob = { kind: 'match', old, now, gone };
      const size = old.length + now.length + gone.length;
      const result = size <= maxInlineEntries ? runTaskJob(job) : await inThread(job);
      return result === overBudget
        ? matchEqualTitles([...old, ...gone], now)
        : (result as (number | undefined)[]);
    },
    waiting: () => queue.length,
    async close() {
      isClosed = true;
      for (const { reject } of queue.splice(0))
        reject(new AppError('unavailable', 'The service is shutting down.'));
      await thread.end();
    },
  };
}

/** A thread that runs one job at a time, and is replaced after one that had to be ended. */
function createJobThread(budget: TaskBudget) {
  let thread: Worker | undefined;

  /** Starts the thread and waits until it can work, so that no job pays for the start. */
  async function startThread(): Promise<Worker> {
    const started = new Worker(new URL('./task-thread.ts', import.meta.url), {
      name: threadName,
      workerData: threadName,
      execArgv: [],
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: budget.heapMegabytes, maxYoungGenerationSizeMb: 16 },
    });
    thread = started;
    // The thread must not keep the process alive.
    started.unref();
    const ended = new AbortController();
    started.once('exit', () => ended.abort());
    const signal = AbortSignal.any([ended.signal, AbortSignal.timeout(deadlineMs)]);
    try {
      await once(started, 'message', { signal });
      return started;
    } catch (cause) {
      dropThread(started);
      throw tooBusy(cause);
    }
  }

  async function run(job: TaskJob): Promise<unknown> {
    const worker = thread ?? (await startThread());
    const startedMs = performance.now();
    return new Promise((resolve, reject) => {
      const usedBefore = worker.cpuUsage();
      // If the thread has ended, its `exit` event says so.
      usedBefore.catch(() => undefined);
      const look = async () => {
        if (performance.now() - startedMs > deadlineMs) fail(tooBusy());
        const { user, system } = await worker.cpuUsage(await usedBefore);
        if ((user + system) / 1000 > budget.processorMs) give(overBudget);
      };
      const timer = setInterval(() => void look().catch(() => undefined), lookMs);
      const end = () => {
        clearInterval(timer);
        worker.off('message', give).off('error', give).off('exit', fail);
      };
      function give(result: unknown): void {
        end();
        const isResult = result !== overBudget && !(result instanceof Error);
        if (!isResult) dropThread(worker);
        resolve(isResult ? result : overBudget);
      }
      function fail(reason: unknown): void {
        end();
        dropThread(worker);
        reject(reason instanceof AppError ? reason : tooBusy());
      }
      worker.on('message', give).on('error', give).on('exit', fail);
      worker.postMessage(job);
    });
  }

  function dropThread(worker: Worker): void {
    if (thread === worker) thread = undefined;
    // Errors while it ends concern nobody any more.
    worker.on('error', () => undefined);
    void worker.terminate();
  }

  return { run, end: async () => thread?.terminate() };
}

/** A text that makes our own code fail is skipped too, so that it does not cost a team all its tasks. */
function readAtOnce(job: TaskJob): TaskEntries | undefined {
  try {
    return runTaskJob(job) as TaskEntries;
  } catch {
    return undefined;
  }
}

function tooBusy(cause?: unknown): AppError {
  return new AppError('unavailable', 'The service is too busy to read tasks; try again shortly.', { cause });
}
