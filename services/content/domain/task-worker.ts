import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { AppError } from '@teammemory/errors/app-error.ts';
import { matchEqualTitles } from './match-tasks.ts';
import type { TaskEntries, TaskEntry } from './task-entries.ts';
import { runTaskJob, type TaskJob, threadName } from './task-thread.ts';

/** Characters of a text that is read at once: the worst known takes some 5 ms. */
const inlineMaxCharacters = 8 * 1024;
/** Entries that are compared at once: the worst known take some 5 ms. */
const inlineMaxEntries = 200;
/** Processor time of one job: four times what the worst known takes on a slow machine. */
const processorBudgetMs = 2_000;
/** A job that has not had its processor time by then is given up, and may be tried again: the machine is too busy. */
const deadlineMs = 30_000;
/** How often the processor time of a job is looked at. */
const lookMs = 50;
/** Memory of the thread: many times what the largest text takes. */
const heapMaxMegabytes = 64;
/** Jobs that may wait. A team has one at a time, so this many teams. */
const waitingMaxJobs = 1_000;

/** What one job may use. */
export interface TaskBudget {
  /** Processor time, whatever else the machine does meanwhile. */
  processorMs: number;
  heapMegabytes: number;
  /** Longer texts than this are read by the thread. */
  inlineCharacters: number;
}

/** Reads tasks beside the event loop, in a thread with a budget for each text. */
export interface TaskWorker {
  /**
   * The tasks of a text; undefined where it takes more than the budget.
   * @throws AppError `unavailable` when the machine is too busy to tell.
   */
  read(text: string): Promise<TaskEntries | undefined>;
  /**
   * As `matchTasks`; where that takes more than the budget, by equal titles alone.
   * @throws AppError `unavailable` when the machine is too busy to tell.
   */
  match(old: TaskEntry[], now: TaskEntry[], gone: TaskEntry[]): Promise<(number | undefined)[]>;
  /** Jobs that wait for the thread. */
  waiting(): number;
  close(): Promise<void>;
}

interface Waiting {
  job: TaskJob;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/** The job was ended because it used up its budget, or ran into an error that it would run into again. */
const overBudget = Symbol('over budget');

/**
 * Makes a worker of one thread, which starts with its first job and is replaced
 * after one that had to be ended. Jobs are done in the order in which they
 * come. Whoever catches up with a team's feed waits for each job before the
 * next, so a team has at most one here, and every team its turn.
 */
export function createTaskWorker(changed: Partial<TaskBudget> = {}): TaskWorker {
  const budget: TaskBudget = {
    processorMs: processorBudgetMs,
    heapMegabytes: heapMaxMegabytes,
    inlineCharacters: inlineMaxCharacters,
    ...changed,
  };
  const queue: Waiting[] = [];
  let thread: Worker | undefined;
  let isBusy = false;
  let isClosed = false;

  /** Starts the thread and waits until it can work, so that its start counts for no job. */
  async function startThread(): Promise<Worker> {
    const started = new Worker(new URL('./task-thread.ts', import.meta.url), {
      name: threadName,
      workerData: threadName,
      execArgv: [],
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: budget.heapMegabytes, maxYoungGenerationSizeMb: 16 },
    });
    thread = started;
    // It must not keep a process alive that has nothing else to do.
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
      // A thread that has ended meanwhile tells so by itself.
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
    // Errors of its end are nobody's business any more.
    worker.on('error', () => undefined);
    void worker.terminate();
  }

  async function workOff(): Promise<void> {
    isBusy = true;
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      await run(next.job).then(next.resolve, next.reject);
    }
    isBusy = false;
  }

  function beside(job: TaskJob): Promise<unknown> {
    if (isClosed) return Promise.reject(new AppError('unavailable', 'The service is shutting down.'));
    if (queue.length >= waitingMaxJobs) return Promise.reject(tooBusy());
    return new Promise((resolve, reject) => {
      queue.push({ job, resolve, reject });
      if (!isBusy) void workOff();
    });
  }

  return {
    async read(text) {
      const job: TaskJob = { kind: 'read', text };
      if (text.length <= budget.inlineCharacters) return readAtOnce(job);
      const result = await beside(job);
      return result === overBudget ? undefined : (result as TaskEntries);
    },
    async match(old, now, gone) {
      const job: TaskJob = { kind: 'match', old, now, gone };
      const size = old.length + now.length + gone.length;
      const result = size <= inlineMaxEntries ? runTaskJob(job) : await beside(job);
      return result === overBudget
        ? matchEqualTitles([...old, ...gone], now)
        : (result as (number | undefined)[]);
    },
    waiting: () => queue.length,
    async close() {
      isClosed = true;
      for (const { reject } of queue.splice(0))
        reject(new AppError('unavailable', 'The service is shutting down.'));
      await thread?.terminate();
    },
  };
}

/** A text at which our own code fails is skipped, too: it must not keep a team from all its tasks. */
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
