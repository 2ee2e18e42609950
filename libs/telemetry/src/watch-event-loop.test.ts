import { setImmediate } from 'node:timers/promises';
import type { Log } from '@teammemory/log/log.ts';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createMetrics, type Metrics } from './metrics.ts';
import { longestTurnMs, watchEventLoop } from './watch-event-loop.ts';

let metrics: Metrics;
let logged: [{ milliseconds: number }, string][];
let stop: () => void;
let nowMs: number;

beforeEach(() => {
  metrics = createMetrics();
  logged = [];
  nowMs = 0;
  const log = {
    warn: (fields: { milliseconds: number }, message: string) => logged.push([fields, message]),
  };
  stop = watchEventLoop({ log: log as unknown as Log, metrics, clock: () => nowMs });
});
afterEach(() => stop());

/** Computes without a break until the thread has used so much processor time. */
function compute(milliseconds: number): void {
  const started = process.threadCpuUsage();
  let used = 0;
  while (used < milliseconds * 1_000) {
    const { user, system } = process.threadCpuUsage(started);
    used = user + system;
  }
}

test('a turn that computes for long is counted and logged with its time', async () => {
  compute(longestTurnMs * 3);
  const [fields, message] = await eventually('the turn is logged', () => logged[0]);
  // End-to-end tests look for these words.
  expect(message).toBe('the event loop was held up');
  expect(fields.milliseconds).toBeGreaterThan(longestTurnMs);
  const text = await metrics.registry.metrics();
  expect(text).toMatch(/^teammemory_event_loop_long_turns_total [1-9]/m);
  expect(Number(/^teammemory_event_loop_longest_turn_seconds (.*)$/m.exec(text)?.[1])).toBeGreaterThan(
    longestTurnMs / 1_000,
  );
});

test('long work that lets the loop turn between its pieces is not counted', async () => {
  for (let piece = 0; piece < 30; piece += 1) {
    compute(5);
    await setImmediate();
  }
  expect(logged).toEqual([]);
});

test('a turn that waits for long without computing, as for a slow disk, is counted apart and not logged', async () => {
  const lateTurns = async () =>
    /^teammemory_event_loop_late_turns_total (\d+)$/m.exec(await metrics.registry.metrics())?.[1];
  expect(await lateTurns()).toBe('0');
  nowMs = 300;
  await eventually('the turn is counted', async () => (await lateTurns()) === '1');
  expect(logged).toEqual([]);
});

test('a process that is held up again and again says so at most once a second', async () => {
  async function longTurns(): Promise<number> {
    const sample = /^teammemory_event_loop_long_turns_total (\d+)$/m.exec(await metrics.registry.metrics());
    return Number(sample?.[1]);
  }
  async function holdUp(): Promise<void> {
    const before = await longTurns();
    compute(longestTurnMs * 2);
    await eventually('the turn is counted', async () => (await longTurns()) > before);
  }
  await holdUp();
  nowMs = 999;
  await holdUp();
  expect(logged).toHaveLength(1);
  nowMs = 1_000;
  await holdUp();
  expect(logged).toHaveLength(2);
});
