import { seededRandom } from '@teammemory/testkit/seeded-random.ts';
import { expect } from 'vitest';
import type { RunningService, Team } from '../service/running-service.ts';
import { type FollowerOptions, followItems, newestRows, type SeenRow } from './feed-follower.ts';
import { type Written, writeItems } from './feed-writer.ts';

const writers = 8;

/** Where requests go. */
type Target = Pick<RunningService, 'url'>;

/**
 * Lets eight writers push and others follow the feed meanwhile, spread over the
 * targets, and expects that each follower saw every change that its key may
 * see, once and in order.
 */
export async function writeAndFollow(options: {
  team: Team;
  targets: readonly Target[];
  /** By all writers together. */
  upserts: number;
  /** Of a follower between two polls. */
  pauseMs: number;
}): Promise<void> {
  const { team, targets, upserts, pauseMs } = options;
  const keys = await Promise.all(Array.from({ length: writers }, () => team.newKey('team')));
  let finished = false;
  const writing = Promise.all(
    keys.map((key, index) => {
      const random = seededRandom(index + 1);
      const service = at(targets, index);
      return writeItems({ service, team, key, name: `writer-${index}`, upserts: upserts / writers, random });
    }),
  ).finally(() => {
    finished = true;
  });
  const following = followers(targets, team, pauseMs).map(async (follower) => ({
    follower,
    seen: await followItems(follower, () => finished),
  }));
  const [written, followed] = await Promise.all([writing, Promise.all(following)]);
  expect(written.reduce((sum, { upserts }) => sum + upserts, 0)).toBeGreaterThanOrEqual(upserts);
  for (const { follower, seen } of followed) {
    expectStrictlyRising(seen);
    if (follower.key === team.teamKey) expectNothingMissed(seen, written, follower.includeDeleted);
    else expectExternalRowsOnly(seen, written);
    await expectSameAfterwards(follower, seen);
  }
}

/** Different page sizes cut the feed at different places. */
function followers(targets: readonly Target[], team: Team, pauseMs: number): FollowerOptions[] {
  const reader = (index: number, key: string, changes: Partial<FollowerOptions>): FollowerOptions => ({
    service: at(targets, index),
    team,
    key,
    by: 'cursor',
    includeDeleted: true,
    limit: 50,
    pauseMs,
    ...changes,
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

function at(targets: readonly Target[], index: number): Target {
  return targets[index % targets.length] as Target;
}
