import { expect, test } from 'vitest';
import { eventLoopTurns } from './event-loop-turns.ts';

const turnMs = 5;

test('long works of one turn of the event loop share its time, so that another caller waits for one share', async () => {
  const first = eventLoopTurns(turnMs);
  const beganMs = performance.now();
  while (performance.now() - beganMs < turnMs);
  const second = eventLoopTurns(turnMs);
  const waits = [first(), second()];
  expect(waits).toEqual([expect.any(Promise), expect.any(Promise)]);
  await Promise.all(waits);
});
