import { describe, expect, test } from 'vitest';
import { keptSnapshot } from '../domain/domain.fixture.ts';
import type { Snapshot, SnapshotPut, SnapshotStore } from '../domain/snapshots.ts';

/** Declares the tests that every store of snapshots passes; `store` returns the empty store of the running test. */
export function snapshotStoreContract(store: () => SnapshotStore): void {
  const at = 1_795_219_200_123;
  const metric = 'aem-individual';
  const put = (changes: Partial<Snapshot>, teamId = 'team-1', how: Partial<SnapshotPut> = {}) =>
    store().put(teamId, keptSnapshot(changes), { at, counts: true, maxOfMember: 100, ...how });
  const find = (changes: { memberId?: string; date?: string; metric?: string } = {}, teamId = 'team-1') =>
    store().find(teamId, { memberId: 'member-1', date: '2026-11-20', metric, ...changes });

  test.for([
    ['without a placement of the client', undefined],
    ['with an empty one', { spine: undefined, axes: {} }],
    ['with a whole one', { spine: 'L5', axes: { autonomy: 3.99, learning: 0 } }],
  ] as const)('a snapshot reads back %s', async ([, provisional]) => {
    const signals = { error_rate: 0.1, tokens_per_task: 1e300, tool_diversity: 0 };
    expect(await put({ id: 'n1', provisional, signals })).toBe('n1');
    expect(await find()).toEqual({ ...keptSnapshot({ id: 'n1', provisional, signals }), revision: 1 });
  });

  test('snapshots of one member are listed, the newest day first, in pages', async () => {
    for (const day of ['18', '20', '19']) await put({ id: `n${day}`, date: `2026-11-${day}` });
    await put({ id: 'o1', memberId: 'member-2', date: '2026-11-21' });
    await put({ id: 'o2', date: '2026-11-22' }, 'team-2');
    const list = async (beforeDate: string) =>
      (await store().list('team-1', { memberId: 'member-1', metric }, beforeDate, 2)).map(({ date }) => date);
    expect(await list('')).toEqual(['2026-11-20', '2026-11-19']);
    expect(await list('2026-11-19')).toEqual(['2026-11-18']);
    expect(await store().list('team-1', { memberId: 'member-1', metric: 'other' }, '', 2)).toEqual([]);
  });

  test('nothing is found of another member, day, metric or team', async () => {
    await put({ id: 'n1' });
    expect(await find({ memberId: 'member-2' })).toBeUndefined();
    expect(await find({ date: '2026-11-21' })).toBeUndefined();
    expect(await find({ metric: '$ne' })).toBeUndefined();
    expect(await find({}, 'team-2')).toBeUndefined();
  });

  test('a known day keeps its id and has everything else replaced, what was measured before too', async () => {
    await put({ id: 'n1', provisional: { spine: 'L5', axes: {} }, signals: { error_rate: 1 } });
    const newer = { id: 'n2', signals: { cache_hit_rate: 0.5 }, sessions: 0 };
    expect(await put(newer)).toBe('n1');
    expect(await find()).toEqual({ ...keptSnapshot({ ...newer, id: 'n1' }), revision: 2 });
  });

  test('however many keep the same day at once, all get one id, and one of them is kept whole', async () => {
    const puts = Array.from({ length: 16 }, (_, n) => {
      return put({ id: `n${n}`, sessions: n, signals: { tool_diversity: n } });
    });
    const ids = new Set(await Promise.all(puts));
    expect(ids.size).toBe(1);
    const kept = await find();
    expect(kept).toMatchObject({ id: [...ids][0], revision: 16 });
    expect(kept?.signals.tool_diversity).toBe(kept?.sessions);
  });

  test('what counts comes by day and id, in pages, of one metric and team', async () => {
    await put({ id: 'n3', date: '2026-11-18' });
    await put({ id: 'n2', date: '2026-11-19', memberId: 'member-2' });
    await put({ id: 'n1', date: '2026-11-19' });
    await put({ id: 'n4', date: '2026-11-20' });
    await put({ id: 'n5', date: '2026-11-19', metric: 'other' });
    await put({ id: 'n6', date: '2026-11-19' }, 'team-2');
    const ids = async (after: { date: string; id: string }, to: string, limit = 10) =>
      (await store().counted('team-1', { metric, after, to, limit })).map(({ id }) => id);
    expect(await ids({ date: '2026-11-18', id: '' }, '2026-11-20')).toEqual(['n3', 'n1', 'n2', 'n4']);
    expect(await ids({ date: '2026-11-18', id: '' }, '2026-11-20', 2)).toEqual(['n3', 'n1']);
    expect(await ids({ date: '2026-11-19', id: 'n1' }, '2026-11-20')).toEqual(['n2', 'n4']);
    expect(await ids({ date: '2026-11-19', id: '' }, '2026-11-19')).toEqual(['n1', 'n2']);
    expect(await ids({ date: '2026-11-20', id: '' }, '2026-11-19')).toEqual([]);
    const [row] = await store().counted('team-1', {
      metric,
      after: { date: '2026-11-20', id: '' },
      to: '2026-11-20',
      limit: 1,
    });
    const { sessions, tasks, signals } = keptSnapshot();
    const measured = { sessions, tasks, signals };
    expect(row).toEqual({ id: 'n4', memberId: 'member-1', date: '2026-11-20', measured });
  });

  describe('what does not count', () => {
    const counted = async () => {
      const range = { metric, after: { date: '2026-11-20', id: '' }, to: '2026-11-20', limit: 10 };
      return (await store().counted('team-1', range)).map(({ id, measured }) => [id, measured.sessions]);
    };

    test('is stored, and is no day that counts', async () => {
      expect(await put({ id: 'n1', sessions: 1 }, 'team-1', { counts: false })).toBe('n1');
      expect(await find()).toMatchObject({ sessions: 1 });
      expect(await counted()).toEqual([]);
    });

    test('replaces what is stored, and leaves what counted before as it was', async () => {
      await put({ id: 'n1', sessions: 1 });
      await put({ id: 'n2', sessions: 2 }, 'team-1', { counts: false });
      await put({ id: 'n3', sessions: 3 }, 'team-1', { counts: false });
      expect(await find()).toMatchObject({ id: 'n1', sessions: 3, revision: 3 });
      expect(await counted()).toEqual([['n1', 1]]);
      await put({ id: 'n4', sessions: 4 });
      expect(await counted()).toEqual([['n1', 4]]);
    });
  });

  test('a day that is new is refused where the member has too many, and known ones are not', async () => {
    const most = { maxOfMember: 2 };
    expect(await put({ id: 'n1', date: '2026-11-18' }, 'team-1', most)).toBe('n1');
    expect(await put({ id: 'n2', date: '2026-11-19' }, 'team-1', most)).toBe('n2');
    expect(await put({ id: 'n3', date: '2026-11-20' }, 'team-1', most)).toBeUndefined();
    expect(await put({ id: 'n3', date: '2026-11-19', sessions: 7 }, 'team-1', most)).toBe('n2');
    expect(await put({ id: 'n4', memberId: 'member-2' }, 'team-1', most)).toBe('n4');
    expect(await put({ id: 'n5' }, 'team-2', most)).toBe('n5');
    expect(await find()).toBeUndefined();
    expect(await find({ date: '2026-11-19' })).toMatchObject({ sessions: 7 });
  });

  describe('placing again', () => {
    const beginning = { version: 0, id: '' };
    const canonical = { ...keptSnapshot().canonical, spine: 'L5' } as const;

    test('snapshots of older versions come by version and id, in pages, of one team', async () => {
      const versions = { n4: 1, n3: 2, n2: 1, n1: 3 };
      for (const [id, version] of Object.entries(versions)) await put({ id, version, memberId: id });
      await put({ id: 'n0' }, 'team-2');
      const old = async (version: number, after = beginning, limit = 10) =>
        (await store().ratedBefore('team-1', version, after, limit)).map(({ id }) => id);
      expect(await old(1)).toEqual([]);
      expect(await old(3)).toEqual(['n2', 'n4', 'n3']);
      expect(await old(3, beginning, 2)).toEqual(['n2', 'n4']);
      expect(await old(3, { version: 1, id: 'n4' })).toEqual(['n3']);
    });

    test('a placement is replaced with its version, and nothing else', async () => {
      await put({ id: 'n1' });
      expect(await store().rescore('team-1', [{ id: 'n1', revision: 1, version: 2, canonical }])).toBe(1);
      expect(await find()).toEqual({ ...keptSnapshot({ id: 'n1', version: 2, canonical }), revision: 1 });
    });

    test('a snapshot that was replaced meanwhile, or is of another team, is left alone', async () => {
      await put({ id: 'n1' });
      await put({ id: 'n1' });
      const placed = { id: 'n1', revision: 1, version: 2, canonical };
      expect(await store().rescore('team-1', [placed])).toBe(0);
      expect(await store().rescore('team-2', [{ ...placed, revision: 2 }])).toBe(0);
      expect(await find()).toMatchObject({ version: 1, canonical: { spine: 'L2' } });
    });
  });
}
