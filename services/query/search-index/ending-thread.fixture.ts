// The thread as it is, but that questions about these words end it, or make it stand still, or take a while.
import { parentPort } from 'node:worker_threads';
import type { CallMessage } from './messages.ts';

parentPort?.on('message', ({ method, args }: CallMessage) => {
  const [, request] = args as [string, { question: string }];
  if (method !== 'search') return;
  // As want of memory does: amid a call, without a word.
  if (request.question === 'end') process.exit(1);
  if (request.question === 'halt') for (;;);
  if (request.question === 'pause') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
});
await import('./main.ts');
