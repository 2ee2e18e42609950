import type { Log } from '@teammemory/log/log.ts';
import { beforeEach, expect, test } from 'vitest';
import { createMetrics, type Metrics } from './metrics.ts';
import { watchCatchUps } from './watch-catch-ups.ts';

let metrics: Metrics;
let logged: object[];
let watch: ReturnType<typeof watchCatchUps>;

beforeEach(() => {
  metrics = createMetrics();
  logged = [];
  const log = { warn: (fields: object) => logged.push(fields) } as unknown as Log;
  watch = watchCatchUps({ projection: 'tasks', metrics, log });
});

test('how far behind and how long is counted, and nobody is told of what is quick', async () => {
  expect(await watch('team', async () => 7)).toBe(7);
  const text = await metrics.registry.metrics();
  expect(text).toContain('teammemory_feed_lag_rows_sum{projection="tasks"} 7');
  expect(text).toContain('teammemory_feed_catch_up_seconds_count{projection="tasks"} 1');
  expect(logged).toEqual([]);
});

test('a failure is counted, logged with the team, and passed on', async () => {
  const error = new Error('no store');
  await expect(watch('team', () => Promise.reject(error))).rejects.toBe(error);
  expect(logged).toEqual([{ projection: 'tasks', team_id: 'team', err: error }]);
  expect(await metrics.registry.metrics()).toContain(
    'teammemory_feed_catch_up_failures_total{projection="tasks"} 1',
  );
});
