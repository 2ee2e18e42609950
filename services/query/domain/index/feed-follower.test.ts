import { AppError } from '@teammemory/errors/app-error.ts';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { afterEach, expect, test } from 'vitest';
import { type FeedFollower, type FeedPlace, startFeedFollower } from './feed-follower.ts';

const outage = () => new AppError('unavailable', 'away');

let follower: FeedFollower | undefined;
afterEach(() => follower?.close());

/** Begins to follow these feeds, two to a page, looking at them all the time. */
function setUp(feeds: FeedPlace[], intervalMs = 1) {
  const seen = {
    followed: [] as string[],
    woken: new Set<string>(),
    reported: [] as unknown[],
    pages: 0,
    rounds: 0,
    time: 0,
  };
  const parts = {
    list: async (token: string, _signal: AbortSignal) => {
      seen.pages += 1;
      if (token === '') seen.rounds += 1;
      const end = Number(token) + 2;
      return {
        feeds: feeds.slice(Number(token), end).map((feed) => ({ ...feed })),
        nextToken: end < feeds.length ? String(end) : '',
      };
    },
    follow: async (_teamId: string) => {},
  };
  const started = startFeedFollower({
    feeds: { page: (...request) => parts.list(...request) },
    indexes: {
      async follow(teamId) {
        seen.followed.push(teamId);
        await parts.follow(teamId);
      },
    },
    wake: (teamId) => seen.woken.add(teamId),
    intervalMs,
    report: (failure) => seen.reported.push(failure),
    clock: () => seen.time,
    retryWaits: { firstMs: 1, lastMs: 4 },
  });
  follower = started;
  const rounds = async (count: number) => {
    // A round is over when the next one begins.
    const until = Math.max(1, seen.rounds) + count;
    await eventually(`${count} rounds`, () => seen.rounds >= until);
  };
  return { seen, parts, started, rounds };
}

const teams = (...ids: string[]): FeedPlace[] => ids.map((teamId) => ({ teamId, seq: 1 }));

test('every team whose feed has moved is followed once, and no other; each is passed on', async () => {
  const feeds = [...teams('a', 'b', 'c', 'd', 'e'), { teamId: 'empty', seq: 0 }];
  const { seen, rounds } = setUp(feeds);
  await rounds(3);
  expect(seen.followed.toSorted()).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect([...seen.woken].toSorted()).toEqual(['a', 'b', 'c', 'd', 'e', 'empty']);
  seen.followed = [];
  feeds.splice(2, 1, { teamId: 'c', seq: 2 });
  await rounds(3);
  expect(seen.followed).toEqual(['c']);
});

test('teams are followed one at a time', async () => {
  const { seen, parts, rounds } = setUp(teams('a', 'b', 'c'));
  let underWay = 0;
  let most = 0;
  parts.follow = async () => {
    underWay += 1;
    most = Math.max(most, underWay);
    await new Promise(setImmediate);
    underWay -= 1;
  };
  await rounds(2);
  expect(seen.followed).toHaveLength(3);
  expect(most).toBe(1);
});

test('while the list cannot be had that is told once, and tried again until it can', async () => {
  const { seen, parts, rounds } = setUp(teams('a'));
  const { list } = parts;
  const away = async () => {
    seen.pages += 1;
    throw outage();
  };
  for (const times of [1, 2]) {
    await rounds(2);
    parts.list = away;
    const before = seen.pages;
    await eventually('some tries', () => seen.pages > before + 5);
    expect(seen.reported).toHaveLength(times);
    parts.list = list;
  }
  await rounds(1);
});

test('an outage ends a round, which is tried again for those that are left', async () => {
  const { seen, parts, rounds } = setUp(teams('a', 'b', 'c', 'd'));
  parts.follow = async () => {
    if (seen.followed.length === 2) throw outage();
  };
  await rounds(2);
  expect(new Set(seen.followed)).toEqual(new Set(['a', 'b', 'c', 'd']));
  expect(seen.followed).toHaveLength(5);
  expect(seen.reported).toHaveLength(1);
});

test('a team that fails by itself is left alone until its feed moves, and the others go on', async () => {
  const feeds = teams('a', 'bad', 'c');
  const { seen, parts, rounds } = setUp(feeds);
  parts.follow = async (teamId) => {
    if (teamId === 'bad') throw new Error('cannot be cut');
  };
  await rounds(3);
  expect(seen.followed.toSorted()).toEqual(['a', 'bad', 'c']);
  expect(seen.reported).toEqual([]);
  feeds[1] = { teamId: 'bad', seq: 2 };
  await rounds(2);
  expect(seen.followed.toSorted()).toEqual(['a', 'bad', 'bad', 'c']);
});

test('its age is the time since it had gone over all teams', async () => {
  const { seen, parts, started, rounds } = setUp(teams('a', 'b', 'c'));
  await rounds(1);
  parts.list = async () => {
    throw outage();
  };
  await eventually('an outage', () => seen.reported.length > 0);
  const since = started.ageMs();
  seen.time += 5_000;
  expect(started.ageMs()).toBe(since + 5_000);
});

test('closing ends a pause and a call for the list, and nothing is followed after it', async () => {
  const { seen, started } = setUp(teams('a'), 600_000);
  await eventually('a team', () => seen.woken.has('a'));
  await started.close();
  expect(seen.pages).toBe(1);

  const second = setUp(teams('a'));
  await second.rounds(1);
  const called = Promise.withResolvers<void>();
  second.parts.list = (_, signal) => {
    called.resolve();
    return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  };
  await called.promise;
  await second.started.close();
  expect(second.seen.reported).toEqual([]);
});
