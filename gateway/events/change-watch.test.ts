import { setTimeout as delay } from 'node:timers/promises';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { AppError } from '@teammemory/errors/app-error.ts';
import type { Log } from '@teammemory/log/log.ts';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { beforeEach, expect, test } from 'vitest';
import type { Clients } from '../clients.ts';
import { type ChangeListener, type ChangeSubscription, ChangeWatch } from './change-watch.ts';

let looked: string[];
let answer: () => Promise<{ itemsUpdatedAt?: ReturnType<typeof timestampFromMs> }>;
let logged: string[];
/** The streams that were opened and have not ended. */
let streams: { say: (...teamIds: string[]) => void; end: () => void }[];
let opened: number;
/** What opening a stream throws. */
let refusal: AppError | undefined;
beforeEach(() => {
  [looked, logged, streams, opened, refusal] = [[], [], [], 0, undefined];
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
  return new ChangeWatch({
    clients: clients as unknown as Clients,
    openTeamChanges,
    log: log as unknown as Log,
  });
}

/** Content's side. */
async function openTeamChanges(signal: AbortSignal): Promise<AsyncIterable<{ teamIds: string[] }>> {
  opened += 1;
  if (refusal !== undefined) throw refusal;
  return new ReadableStream<{ teamIds: string[] }>({
    start(controller) {
      const stream = {
        say: (...teamIds: string[]) => controller.enqueue({ teamIds }),
        end() {
          streams = streams.filter((one) => one !== stream);
          controller.close();
        },
      };
      signal.addEventListener('abort', () => {
        streams = streams.filter((one) => one !== stream);
        controller.error(signal.reason);
      });
      streams.push(stream);
    },
  });
}

/** Says that teams changed. */
function say(...teamIds: string[]): void {
  for (const stream of streams) stream.say(...teamIds);
}
const opening = () => eventually('a stream', () => streams.length === 1);
const settle = () => delay(20);

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

test('a thousand listeners of fifty teams cost one stream, and one look of a team that changed', async () => {
  const watch = newWatch();
  const listeners = Array.from({ length: 1_000 }, (_, index) => listener(`team-${index % 50}`));
  const subscriptions = await Promise.all(listeners.map((one) => watch.subscribe(one)));
  expect(looked).toHaveLength(50);
  await opening();
  // Nobody knows what happened before the stream began.
  say();
  await eventually('all teams once more', () => looked.length === 100);
  for (let message = 0; message < 20; message += 1) say();
  say('team-7', 'team of nobody');
  await eventually('the team that changed', () => looked.length > 100);
  await settle();
  expect([looked.slice(100), opened]).toEqual([['team-7'], 1]);
  for (const { stop } of subscriptions) stop();
  expect(streams).toEqual([]);
});

test('both tiers of a team are looked at, and a listener is told only if its own times changed', async () => {
  const watch = newWatch();
  const [one, other] = [listener('blue'), listener('blue', 'external')];
  const subscriptions = await Promise.all([one, other].map((each) => watch.subscribe(each)));
  await opening();
  say();
  await eventually('both', () => looked.length === 4);
  say('blue');
  await eventually('both looks', () => looked.length === 6);
  await settle();
  expect([one.told, other.told]).toEqual([1, 1]);
  for (const { stop } of subscriptions) stop();
});

test('an outage is waited out in silence, is logged once, and the change is told after it', async () => {
  const watch = newWatch();
  const one = listener('blue');
  const subscription = await watch.subscribe(one);
  await opening();
  say();
  await eventually('the team once more', () => looked.length === 2);
  expect(subscription.newest().items).toBe('1970-01-01T00:00:01.000Z');
  answer = () => Promise.reject(new AppError('unavailable', 'Content is away.'));
  say('blue');
  await eventually('a look that fails', () => looked.length === 3);
  await settle();
  // A look that failed is made up for with the next message, whatever that says.
  say();
  await eventually('another', () => looked.length === 4);
  await settle();
  answer = async () => ({ itemsUpdatedAt: timestampFromMs(2_000) });
  say();
  await eventually('the change', () => one.told === 2);
  expect(subscription.newest().items).toBe('1970-01-01T00:00:02.000Z');
  expect(logged).toHaveLength(1);
  subscription.stop();
});

test('a change between two streams is told, and a content process without the method is asked each time', async () => {
  const watch = newWatch();
  const one = listener('blue');
  const subscription = await watch.subscribe(one);
  await opening();
  say();
  await eventually('the team once more', () => looked.length === 2);
  answer = async () => ({ itemsUpdatedAt: timestampFromMs(2_000) });
  streams[0]?.end();
  await opening();
  say();
  await eventually('the change', () => one.told === 2);
  expect(opened).toBe(2);
  refusal = new AppError('unimplemented', 'No such method.');
  answer = async () => ({ itemsUpdatedAt: timestampFromMs(3_000) });
  streams[0]?.end();
  await eventually('the next change', () => one.told === 3);
  refusal = undefined;
  await eventually('a new stream', () => streams.length === 1);
  expect(logged).toEqual([]);
  subscription.stop();
});

test('nobody looks for a team without listeners, also after a first look that failed', async () => {
  const watch = newWatch();
  const staying = await watch.subscribe(listener('green'));
  const leaving = await watch.subscribe(listener('blue'));
  leaving.stop();
  answer = () => Promise.reject(new AppError('unavailable', 'Content is away.'));
  await expect(watch.subscribe(listener('red'))).rejects.toMatchObject({ code: 'unavailable' });
  await opening();
  say();
  await eventually('the team once more', () => looked.length === 4);
  answer = async () => ({ itemsUpdatedAt: timestampFromMs(2_000) });
  await settle();
  looked = [];
  say('green', 'blue', 'red');
  await eventually('the look of the one who stays', () => looked.length > 0);
  await settle();
  expect(looked).toEqual(['green']);
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
