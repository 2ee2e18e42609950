import { expect, test } from 'vitest';
import { eventLoopTurns } from './event-loop-turns.ts';

const turnMs = 8;

function compute(milliseconds: number): void {
  const untilMs = performance.now() + milliseconds;
  while (performance.now() < untilMs);
}

test('long works of one turn of the event loop share its time, of which each has a quarter at most behind others', async () => {
  const first = eventLoopTurns(turnMs);
  compute(turnMs);
  const second = eventLoopTurns(turnMs);
  compute(turnMs / 4);
  const waits = [first(), second()];
  expect(waits).toEqual([expect.any(Promise), expect.any(Promise)]);
  await Promise.all(waits);
});

test('a short work beside a long one gets more than one piece done in a turn', async () => {
  let isOver = false;
  const long = (async () => {
    const turn = eventLoopTurns(turnMs);
    while (!isOver) {
      await turn();
      compute(1);
    }
  })();
  const turn = eventLoopTurns(turnMs);
  let waits = 0;
  for (let piece = 0; piece < 60; piece += 1) {
    const wait = turn();
    if (wait !== undefined) waits += 1;
    await wait;
  }
  isOver = true;
  await long;
  expect(waits).toBeLessThan(20);
});
