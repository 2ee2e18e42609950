import { parentPort, workerData } from 'node:worker_threads';
import { matchTasks } from './match-tasks.ts';
import { type TaskEntry, taskEntries } from './task-entries.ts';

/** What the thread of `task-worker.ts` is asked to do. */
export type TaskJob =
  | { kind: 'read'; text: string }
  | { kind: 'match'; old: TaskEntry[]; now: TaskEntry[]; gone: TaskEntry[] };

/** By this a thread knows that it is to do jobs, and was not started for something else that reads this file. */
export const threadName = 'tasks';

/** Does a job at once, in whatever thread this runs. */
export function runTaskJob(job: TaskJob): ReturnType<typeof taskEntries> | ReturnType<typeof matchTasks> {
  return job.kind === 'read' ? taskEntries(job.text) : matchTasks(job.old, job.now, job.gone);
}

if (workerData === threadName) {
  // One job at a time; an error ends the thread, which tells `task-worker.ts` all that it needs to know.
  parentPort?.on('message', (job: TaskJob) => parentPort?.postMessage(runTaskJob(job)));
  parentPort?.postMessage('ready');
}
