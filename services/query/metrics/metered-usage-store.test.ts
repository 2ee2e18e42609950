import type { Log } from '@teammemory/log/log.ts';
import { createMetrics } from '@teammemory/telemetry/metrics.ts';
import { expect, test } from 'vitest';
import { usageStoreInMemory } from '../domain/spending/spending.fixture.ts';
import type { Reservation } from '../domain/spending/usage-store.ts';
import { meteredUsageStore } from './metered-usage-store.ts';

const limits = { member: 10, team: 10, open: 10 };
const used = { inputTokens: 30, outputTokens: 4 };

function reservation(id: string, amount = 5): Reservation {
  const names = { id, day: '2026-01-01', memberId: 'ada', model: 'writer' };
  return { ...names, worstCase: used, amount, expiresAt: 1_000 };
}

function metered() {
  const metrics = createMetrics();
  const logged: object[] = [];
  const log = { warn: (fields: object) => logged.push(fields) } as unknown as Log;
  const store = meteredUsageStore(usageStoreInMemory(), { metrics, log });
  return { store, logged, text: () => metrics.registry.metrics() };
}

test('what is charged is counted in dollars and tokens, and what is held back is shown', async () => {
  const { store, text } = metered();
  await store.reserve('team', reservation('one'), limits);
  await store.reserve('team', reservation('two'), limits);
  expect(await store.reserve('team', reservation('three'), limits)).toBeDefined();
  expect(await text()).toContain('\nteammemory_model_reservations_open 2\n');
  for (let times = 0; times < 2; times += 1) await store.settle('team', reservation('one'), used, 3);
  await store.release('team', reservation('two'));
  const after = await text();
  expect(after).toContain('\nteammemory_model_reservations_open 0\n');
  expect(after).toContain('\nteammemory_model_cost_usd_total 0.000003\n');
  expect(after).toContain('teammemory_model_tokens_total{direction="input"} 30');
  expect(after).toContain('teammemory_model_tokens_total{direction="output"} 4');
});

test('what a process that is gone left behind is logged with its team', async () => {
  const { store, logged } = metered();
  expect(await store.expired('team', 2_000, 10)).toEqual([]);
  expect(logged).toEqual([]);
  await store.reserve('team', reservation('left'), limits);
  expect(await store.expired('team', 2_000, 10)).toHaveLength(1);
  expect(logged).toEqual([{ team_id: 'team', reservations: 1 }]);
});
