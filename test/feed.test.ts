import { describeEachEngine } from '@teammemory/testkit/describe-each-engine.ts';
import { seededRandom } from '@teammemory/testkit/seeded-random.ts';
import { afterEach, expect, test } from 'vitest';
import { serviceOptionsFor } from './support/engine-settings.ts';
import { type FollowerOptions, followItems, newestRows, type SeenRow } from './support/feed-follower.ts';
import { type Written, writeItems } from './support/feed-writer.ts';
import { type RunningService, startService, type Team } from './support/running-service.ts';

const writers = 8;
const upsertsOfOneProcess = 2_000;
/** Two processes collide on every group of writes, which a small machine's test server is slow at. */
const upsertsOfTwoProcesses = 800;
/** A limit for what hangs: seconds on SQLite, minutes on a busy machine with a test server that has no index for its sorts. */
const timeoutMs = 300_000;
/** Followers must leave a test server without indexes for its sorts some time to write. */
const pollPauseMs = { sqlite: 20, mongodb: 250 } as const;
const unlimited = { ITEM_WRITES_PER_MINUTE: '1000000' };

const running: RunningService[] = [];
afterEach(async () => {
  for (const service of running.splice(0)) await service.remove();
});

describeEachEngine('the item feed', ({ name, storage }) => {
  test(
    'shows every change once and in order to all who follow it while eight writers push',
    async () => {
      await writeAndFollow([await start()], upsertsOfOneProcess, pollPauseMs[name]);
    },
    timeoutMs,
  );

  // SQLite belongs to one process.
  if (name === 'sqlite') return;
  test(
    'has no holes when two processes write to one database',
    async () => {
      await writeAndFollow([await start(), await start()], upsertsOfTwoProcesses, pollPauseMs[name]);
    },
    timeoutMs,
  );

  async function start(): Promise<RunningService> {
    const service = await startService(serviceOptionsFor(storage(), unlimited));
    running.push(service);
    return service;
  }
});

async function writeAndFollow(
  services: readonly RunningService[],
  upserts: number,
  pauseMs: number,
): Promise<void> {
  const team = await at(services, 0).createTeam();
  const keys = await Promise.all(Array.from({ length: writers }, () => team.newKey('team')));
  let finished = false;
  const writing = Promise.all(
    keys.map((key, index) => {
      const random = seededRandom(index + 1);
      const service = at(services, index);
      return writeItems({ service, team, key, name: `writer-${index}`, upserts: upserts / writers, random });
    }),
  ).finally(() => {
    finished = true;
  });
  const following = followers(services, team, pauseMs).map(async (options) => ({
    options,
    seen: await followItems(options, () => finished),
  }));
  const [written, followed] = await Promise.all([writing, Promise.all(following)]);
  expect(written.reduce((sum, { upserts }) => sum + upserts, 0)).toBeGreaterThanOrEqual(upserts);
  for (const { options, seen } of followed) {
    expectStrictlyRising(seen);
    if (options.key === team.teamKey) expectNothingMissed(seen, written, options.includeDeleted);
    else expectExternalRowsOnly(seen, written);
    await expectSameAfterwards(options, seen);
  }
}

/** Different page sizes cut the feed at different places. */
function followers(services: readonly RunningService[], team: Team, pauseMs: number): FollowerOptions[] {
  const reader = (index: number, key: string, changes: Partial<FollowerOptions>): FollowerOptions => ({
    ...{ service: at(services, index), team, key, by: 'cursor', includeDeleted: true },
    ...{ limit: 50, pauseMs, ...changes },
  });
  return [
    reader(0, team.teamKey, { by: 'cursor', limit: 19 }),
    reader(1, team.teamKey, { by: 'cursor', includeDeleted: false }),
    reader(0, team.teamKey, { by: 'since', limit: 200 }),
    reader(1, team.teamKey, { by: 'since', limit: 37 }),
    reader(0, team.externalKey, { by: 'cursor' }),
    reader(1, team.externalKey, { by: 'since', limit: 23 }),
  ];
}

function expectStrictlyRising(seen: readonly SeenRow[]): void {
  const times = seen.map(({ updated_at }) => updated_at);
  expect(times).toEqual([...new Set(times)].sort());
}

function expectNothingMissed(
  seen: readonly SeenRow[],
  written: readonly Written[],
  knowsRemovals: boolean,
): void {
  const newest = newestRows(seen);
  for (const { own, shared } of written) {
    for (const [rowKey, { checksum, tier, deleted }] of own) {
      if (!deleted) expect(newest.get(rowKey), rowKey).toMatchObject({ checksum, tier });
      else if (knowsRemovals) expect(newest.get(rowKey)?.deleted, rowKey).toBe(true);
    }
    if (knowsRemovals) for (const rowKey of shared.keys()) expect(newest.has(rowKey), rowKey).toBe(true);
  }
  const once = seen.filter(({ row_key, deleted }) => row_key.startsWith('once/') && !deleted);
  expect(new Set(once.map(({ row_key }) => row_key)).size).toBe(once.length);
}

function expectExternalRowsOnly(seen: readonly SeenRow[], written: readonly Written[]): void {
  const newest = newestRows(seen);
  expect(seen.filter(({ deleted, tier }) => !deleted && tier !== 'external')).toEqual([]);
  for (const { own } of written) {
    for (const [rowKey, { checksum, tier, deleted }] of own) {
      if (tier === 'external' && !deleted) expect(newest.get(rowKey)?.checksum, rowKey).toBe(checksum);
      else expect(newest.get(rowKey)?.deleted ?? true, rowKey).toBe(true);
    }
  }
}

/** Whoever followed live ends with the same rows at the same places as who reads them in peace afterwards. */
async function expectSameAfterwards(options: FollowerOptions, seen: readonly SeenRow[]): Promise<void> {
  const inPeace = { ...options, by: 'cursor', limit: 200, pauseMs: 0 } as const;
  const afterwards = await followItems(inPeace, () => true);
  const visible = new Set(afterwards.map(({ row_key }) => row_key));
  const live = [...newestRows(seen).values()].sort((a, b) => (a.updated_at < b.updated_at ? -1 : 1));
  // Without include_deleted a follower keeps what was removed.
  const known = options.includeDeleted ? live : live.filter(({ row_key }) => visible.has(row_key));
  expect(known).toEqual(afterwards);
}

function at(services: readonly RunningService[], index: number): RunningService {
  return services[index % services.length] as RunningService;
}
