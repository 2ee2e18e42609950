import { parentPort, workerData } from 'node:worker_threads';
import { matchTasks } from '../domain/tasks/match-tasks.ts';
import { type TaskEntry, taskEntries } from '../domain/tasks/task-entries.ts';

/** A job for the thread of `task-worker.ts`. */
export type TaskJob =
  | { kind: 'read'; text: string }
  | { kind: 'match'; old: TaskEntry[]; now: TaskEntry[]; gone: TaskEntry[] };

/** Name of the thread that does jobs. Other threads may import this file, too. */
export const threadName = 'tasks';

/** Does a job in the calling thread. */
export function runTaskJob(job: TaskJob): ReturnType<typeof taskEntries> | ReturnType<typeof matchTasks> {
  return job.kind === 'read' ? taskEntries(job.text) : matchTasks(job.old, job.now, job.gone);
}

if (workerData === threadName) {
  // One job at a time. An error ends the thread, and `task-worker.ts` needs to know no more.
  parentPort?.on('message', (job: TaskJob) => parentPort?.postMessage(runTaskJob(job)));
  parentPort?.postMessage('ready');
}
