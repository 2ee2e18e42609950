// The thread as it is, but that questions about these words end it, or make it stand still.
import { parentPort, workerData } from 'node:worker_threads';
import type { CallMessage, ThreadSettings } from './messages.ts';
import { turnRecord } from './messages.ts';

parentPort?.on('message', ({ method, args }: CallMessage) => {
  const [teamId, request] = args as [string, { question: string }];
  if (method !== 'search' || !/^(end|halt)$/.test(request.question)) return;
  turnRecord((workerData as ThreadSettings).turnRecord).begin(teamId);
  // As want of memory does: amid a turn, without a word.
  if (request.question === 'end') process.exit(1);
  for (;;);
});
await import('./main.ts');
