import { AppError, type ErrorCode } from '@teammemory/errors/app-error.ts';
import { silentLog } from '@teammemory/log/log.ts';
import type { RecordRefusalsRequest } from '@teammemory/proto/auth/v1/auth_pb.ts';
import type { Caller } from '@teammemory/rpc/auth/principal.ts';
import { createMetrics } from '@teammemory/telemetry/metrics.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createRefusals } from './refusals.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const callerOf = (teamId: string): Caller => ({
  teamId,
  teamSlug: teamId,
  memberId: 'm',
  memberHandle: 'ada',
  tier: 'team',
  access: 'write',
  keyId: 'k',
});
const reason = (code: ErrorCode, message = 'No.') => new AppError(code, message);

function notes() {
  const batches: RecordRefusalsRequest[] = [];
  const state = { isAway: false };
  const metrics = createMetrics();
  const refusals = createRefusals({
    auth: {
      recordRefusals: async (batch) => {
        if (state.isAway) throw new AppError('unavailable', 'Away.');
        batches.push(batch as RecordRefusalsRequest);
        return {} as never;
      },
    },
    signer: { sign: async () => 'token' },
    clock: () => 5,
    metrics,
    log: silentLog(),
  });
  const sent = () => batches.map((batch) => batch.refusals.map(({ refusal }) => refusal?.detail));
  const dropped = async () => {
    const metric = await metrics.registry.getSingleMetric('teammemory_refusals_dropped_total')?.get();
    return metric?.values[0]?.value;
  };
  return { refusals, batches, state, sent, dropped };
}

test('refusals are sent together, at most once a second', async () => {
  const { refusals, sent } = notes();
  refusals.note(callerOf('t'), 'POST /x', reason('invalid_request', 'one'));
  refusals.note(callerOf('t'), 'POST /x', reason('rate_limited', 'two'));
  await vi.advanceTimersByTimeAsync(999);
  expect(sent()).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(sent()).toEqual([['one', 'two']]);
  refusals.note(callerOf('t'), 'POST /x', reason('conflict', 'three'));
  await vi.advanceTimersByTimeAsync(999);
  expect(sent()).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(sent()).toHaveLength(2);
});

test('what is not there, faults of ours and callers that are not known are not noted', async () => {
  const { refusals, sent } = notes();
  for (const code of ['not_found', 'unimplemented', 'internal', 'unavailable', 'invalid_key'] as const) {
    refusals.note(callerOf('t'), 'GET /x', reason(code));
  }
  refusals.note(undefined, 'GET /x', reason('invalid_request'));
  await vi.advanceTimersByTimeAsync(5_000);
  expect(sent()).toEqual([]);
});

test('an item that is private is noted without its name, and a long message is cut', async () => {
  const { refusals, batches } = notes();
  refusals.note(callerOf('t'), 'POST /x', reason('admin_tier'), 'diary.md');
  refusals.note(callerOf('t'), 'POST /x', reason('forbidden_access', 'x'.repeat(9_000)), 'plan.md');
  await vi.advanceTimersByTimeAsync(1_000);
  const [secret, other] = batches[0]?.refusals ?? [];
  expect(secret?.refusal?.rowKey).toBe('');
  expect(other?.refusal).toMatchObject({ rowKey: 'plan.md', detail: 'x'.repeat(500) });
});

test('a request that breaks rules is noted with the first of them', async () => {
  const { refusals, sent } = notes();
  const violations = ['/a', '/b', '/c', '/d'].map((pointer) => ({ pointer, detail: 'must be short' }));
  const error = new AppError('invalid_request', 'It breaks rules.', { violations });
  refusals.note(callerOf('t'), 'GET /x', error);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(sent()).toEqual([['It breaks rules. a must be short. b must be short. c must be short.']]);
});

test('a team with very many refusals neither fills the memory nor crowds out another', async () => {
  const { refusals, batches, dropped } = notes();
  for (let index = 0; index < 5_000; index++)
    refusals.note(callerOf('loud'), 'GET /x', reason('rate_limited'));
  refusals.note(callerOf('calm'), 'GET /x', reason('rate_limited'));
  await vi.advanceTimersByTimeAsync(1_000);
  const teams = Object.groupBy(batches[0]?.refusals ?? [], ({ teamId }) => teamId);
  expect(teams.loud).toHaveLength(20);
  expect(teams.calm).toHaveLength(1);
  expect(await dropped()).toBe(4_980);
});

test('refusals of many teams wait within a bound, and go on in batches of at most 200', async () => {
  const { refusals, batches, dropped } = notes();
  for (let team = 0; team < 1_100; team++) refusals.note(callerOf(`t${team}`), 'GET /x', reason('conflict'));
  expect(await dropped()).toBe(100);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(batches.map((batch) => batch.refusals.length)).toEqual([200, 200, 200, 200, 200]);
});

test('what the auth service did not take is dropped and counted, and the next ones are sent', async () => {
  const { refusals, state, sent, dropped } = notes();
  state.isAway = true;
  refusals.note(callerOf('t'), 'GET /x', reason('conflict', 'lost'));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await dropped()).toBe(1);
  state.isAway = false;
  refusals.note(callerOf('t'), 'GET /x', reason('conflict', 'kept'));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(sent()).toEqual([['kept']]);
});

test('what waits is sent when the gateway closes', async () => {
  const { refusals, sent } = notes();
  refusals.note(callerOf('t'), 'GET /x', reason('conflict', 'last'));
  await refusals.close();
  expect(sent()).toEqual([['last']]);
});
