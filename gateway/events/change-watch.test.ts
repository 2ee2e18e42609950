import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { AppError } from '@teammemory/errors/app-error.ts';
import type { Log } from '@teammemory/log/log.ts';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { beforeEach, expect, test } from 'vitest';
import type { Clients } from '../clients.ts';
import { type ChangeListener, type ChangeSubscription, createChangeWatch } from './change-watch.ts';

let looked: string[];
let answer: () => Promise<{ itemsUpdatedAt?: ReturnType<typeof timestampFromMs> }>;
let logged: string[];
beforeEach(() => {
  [looked, logged] = [[], []];
  answer = async () => ({ itemsUpdatedAt: timestampFromMs(1_000) });
});

function newWatch() {
  const clients = {
    unary: async (_audience: string, { caller }: { caller: { teamId: string } }) => caller,
    content: {
      readNewestTimes: (_request: unknown, { teamId }: { teamId: string }) => {
        looked.push(teamId);
        return answer();
      },
    },
  };
  const log = { error: (_fields: object, message: string) => logged.push(message) };
  return createChangeWatch({ clients: clients as unknown as Clients, log: log as unknown as Log });
}

function listener(teamId: string, tier = 'team'): ChangeListener & { told: number } {
  const caller = { teamId, tier } as ChangeListener['caller'];
  const own = {
    caller,
    requestId: 'r',
    told: 0,
    onChange: () => {
      own.told += 1;
    },
  };
  return own;
}

test('a thousand listeners of fifty teams share one look of each team a second', async () => {
  const watch = newWatch();
  const listeners = Array.from({ length: 1_000 }, (_, index) => listener(`team-${index % 50}`));
  const subscriptions = await Promise.all(listeners.map((one) => watch.subscribe(one)));
  expect(looked).toHaveLength(50);
  await eventually('the second round', () => looked.length >= 100);
  const beganMs = performance.now();
  await eventually('the fourth round', () => looked.length >= 200);
  expect(performance.now() - beganMs).toBeGreaterThan(1_500);
  for (const { stop } of subscriptions) stop();
});

test('an outage is waited out in silence, is logged once, and the change is told after it', async () => {
  const watch = newWatch();
  const one = listener('blue');
  const subscription = await watch.subscribe(one);
  expect(subscription.newest().items).toBe('1970-01-01T00:00:01.000Z');
  answer = () => Promise.reject(new AppError('unavailable', 'Content is away.'));
  const before = looked.length;
  await eventually('two looks that fail', () => looked.length >= before + 2);
  expect(one.told).toBe(1);
  answer = async () => ({ itemsUpdatedAt: timestampFromMs(2_000) });
  await eventually('the change', () => one.told === 2);
  expect(subscription.newest().items).toBe('1970-01-01T00:00:02.000Z');
  expect(logged).toHaveLength(1);
  subscription.stop();
});

test('nobody looks for a team without listeners, also after a first look that failed', async () => {
  const watch = newWatch();
  const staying = await watch.subscribe(listener('green'));
  const leaving = await watch.subscribe(listener('blue'));
  leaving.stop();
  answer = () => Promise.reject(new AppError('unavailable', 'Content is away.'));
  await expect(watch.subscribe(listener('red'))).rejects.toMatchObject({ code: 'unavailable' });
  looked = [];
  await eventually('two looks of the one who stays', () => looked.length >= 2);
  expect(new Set(looked)).toEqual(new Set(['green']));
  staying.stop();
});

test('who comes right after the last listener left gets times, not those of nobody', async () => {
  const watch = newWatch();
  const [first, second]: ChangeSubscription[] = await Promise.all([
    watch.subscribe(listener('blue')),
    watch.subscribe(listener('blue', 'external')),
  ]);
  first?.stop();
  const next = watch.subscribe(listener('blue'));
  second?.stop();
  const subscription = await next;
  expect(subscription.newest().items).toBe('1970-01-01T00:00:01.000Z');
  subscription.stop();
});
