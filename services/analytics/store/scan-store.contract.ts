import { describe, expect, test } from 'vitest';
import { pillars, scanMetrics } from '../domain/domain.fixture.ts';
import type { Scan, ScanStore } from '../domain/scans.ts';

/** Declares the tests that every store of scans passes; `store` returns the empty store of the running test. */
export function scanStoreContract(store: () => ScanStore): void {
  const at = 1_795_219_200_123;
  const scan = (id: string, changes: Partial<Scan> = {}): Omit<Scan, 'revision'> => ({
    id,
    codebaseId: 'codebase-1',
    metrics: scanMetrics(),
    contributions: [],
    issues: [],
    agenticScore: 42.5,
    version: 1,
    ...changes,
  });
  const put = (made: Omit<Scan, 'revision'>, teamId = 'team-1') => store().put(teamId, made, at);
  const find = (teamId = 'team-1', codebaseId = 'codebase-1', headSha = 'a1b2c3') =>
    store().find(teamId, codebaseId, headSha);

  test('a scan reads back whole, whatever names its client chose', async () => {
    const made = scan('s1', {
      metrics: scanMetrics({
        hasAgentsMd: true,
        readinessLevel: 'L3',
        readinessPct: 33.3,
        readinessPillars: pillars({ 'a.b': [1, 2], $where: [0, 0], 'é 🦉': [3, 3] }).concat({
          name: '__proto__',
          passed: 1,
          total: 9,
        }),
      }),
      contributions: [{ member: '$ne', commits: 7, agentCommits: 3 }],
      issues: [
        { number: 2, title: '“quoted” \\ 🦉\n', state: 'open' },
        { number: 1, title: '', state: '' },
      ],
    });
    expect(await put(made)).toBe('s1');
    expect(await find()).toEqual({ ...made, revision: 1 });
  });

  describe('keeping the newest', () => {
    const commit = (id: string, changes: Partial<Scan> = {}) =>
      scan(id, { metrics: scanMetrics({ headSha: id }), ...changes });
    const kept = async (teamId = 'team-1', codebaseId = 'codebase-1') => {
      const found = await Promise.all(['s1', 's2', 's3', 's4'].map((id) => find(teamId, codebaseId, id)));
      return found.flatMap((row) => (row === undefined ? [] : [row.id]));
    };
    const plenty = 1e9;

    test('forgets the oldest of one codebase past a number', async () => {
      for (const id of ['s2', 's1', 's4', 's3']) await put(commit(id));
      await put(commit('s1', { codebaseId: 'codebase-2', id: 'o1' }));
      await put(commit('s1', { id: 'o2' }), 'team-2');
      await store().keepNewest('team-1', 'codebase-1', { scans: 4, bytes: plenty });
      expect(await kept()).toEqual(['s1', 's2', 's3', 's4']);
      await store().keepNewest('team-1', 'codebase-1', { scans: 2, bytes: plenty });
      expect(await kept()).toEqual(['s3', 's4']);
      expect([await kept('team-1', 'codebase-2'), await kept('team-2')]).toEqual([['o1'], ['o2']]);
    });

    test('forgets the oldest past a number of bytes, and never the newest', async () => {
      const issues = [{ number: 1, title: 'x'.repeat(500), state: 'open' }];
      for (const id of ['s1', 's2', 's3', 's4']) await put(commit(id, { issues }));
      await store().keepNewest('team-1', 'codebase-1', { scans: 9, bytes: 2_600 });
      expect(await kept()).toEqual(['s2', 's3', 's4']);
      await store().keepNewest('team-1', 'codebase-1', { scans: 9, bytes: 1 });
      expect(await kept()).toEqual(['s4']);
    });
  });

  test('scans of one codebase are listed with their time, the commit that came last first, in pages', async () => {
    for (const id of ['s2', 's1', 's3']) await put(scan(id, { metrics: scanMetrics({ headSha: id }) }));
    await put(scan('o1', { codebaseId: 'codebase-2' }));
    await put(scan('o2'), 'team-2');
    const list = async (beforeId: string, limit = 2) =>
      (await store().list('team-1', 'codebase-1', beforeId, limit)).map(({ id }) => id);
    expect(await list('')).toEqual(['s3', 's2']);
    expect(await list('s2')).toEqual(['s1']);
    expect(await list('s1')).toEqual([]);
    const [newest] = await store().list('team-1', 'codebase-1', '', 1);
    expect(newest).toEqual({
      id: 's3',
      version: 1,
      revision: 1,
      agenticScore: 42.5,
      createdAt: at,
      metrics: scanMetrics({ headSha: 's3' }),
    });
  });

  test('nothing is found at another commit, of another codebase or team', async () => {
    await put(scan('s1'));
    expect(await find('team-2')).toBeUndefined();
    expect(await find('team-1', 'codebase-2')).toBeUndefined();
    for (const headSha of ['', 'A1B2C3', 'a1b2c', '$ne']) {
      expect(await find('team-1', 'codebase-1', headSha), headSha).toBeUndefined();
    }
  });

  test('a known commit keeps its id and has everything else replaced', async () => {
    const lists = { contributions: [{ member: 'ada', commits: 1, agentCommits: 0 }], issues: [] };
    await put(scan('s1', lists));
    const newer = scan('s2', { issues: [{ number: 1, title: 't', state: 'open' }], agenticScore: 7 });
    expect(await put(newer)).toBe('s1');
    expect(await find()).toEqual({ ...newer, id: 's1', revision: 2 });
  });

  test('the same commit in another codebase or team is another scan', async () => {
    await put(scan('s1'));
    expect(await put(scan('s2', { codebaseId: 'codebase-2' }))).toBe('s2');
    expect(await put(scan('s3'), 'team-2')).toBe('s3');
    expect(await find()).toMatchObject({ id: 's1' });
  });

  test('however many keep the same commit at once, all get one id, and one of them is kept whole', async () => {
    const scans = Array.from({ length: 16 }, (_, n) =>
      scan(`s${n}`, {
        metrics: scanMetrics({ skillsCount: n }),
        issues: Array.from({ length: n }, (_, number) => ({ number, title: `${n}`, state: 'open' })),
      }),
    );
    const ids = new Set(await Promise.all(scans.map((made) => put(made))));
    expect(ids.size).toBe(1);
    const kept = await find();
    expect(kept).toMatchObject({ id: [...ids][0], revision: 16 });
    expect(kept?.issues).toHaveLength(kept?.metrics.skillsCount ?? -1);
  });

  describe('scoring again', () => {
    const beginning = { version: 0, id: '' };
    const old = async (version: number, after = beginning, limit = 10) =>
      (await store().ratedBefore('team-1', version, after, limit)).map(({ id }) => id);
    const putAt = (id: string, version: number, teamId?: string) =>
      put(scan(id, { version, metrics: scanMetrics({ headSha: id }) }), teamId);

    test('scans of older versions come by version and id, in pages, of one team', async () => {
      await putAt('s5', 1);
      for (const [id, version] of [
        ['s4', 2],
        ['s3', 1],
        ['s2', 3],
        ['s1', 2],
      ] as const) {
        await putAt(id, version);
      }
      await putAt('s0', 1, 'team-2');
      expect(await old(1)).toEqual([]);
      expect(await old(3)).toEqual(['s3', 's5', 's1', 's4']);
      expect(await old(3, beginning, 3)).toEqual(['s3', 's5', 's1']);
      expect(await old(3, { version: 2, id: 's1' })).toEqual(['s4']);
      expect(await old(3, { version: 2, id: 's4' })).toEqual([]);
    });

    test('a score is replaced with its version, and nothing else', async () => {
      const made = scan('s1', { issues: [{ number: 1, title: 't', state: 'open' }] });
      await put(made);
      const score = { id: 's1', revision: 1, version: 2, agenticScore: 99.9 };
      expect(await store().rescore('team-1', [score])).toBe(1);
      expect(await find()).toEqual({ ...made, revision: 1, version: 2, agenticScore: 99.9 });
    });

    test('a scan that was replaced meanwhile, or is of another team, is left alone', async () => {
      await put(scan('s1'));
      await put(scan('s1', { agenticScore: 50 }));
      const score = { id: 's1', revision: 1, version: 2, agenticScore: 99.9 };
      expect(await store().rescore('team-1', [score])).toBe(0);
      expect(await store().rescore('team-2', [{ ...score, revision: 2 }])).toBe(0);
      expect(await find()).toMatchObject({ agenticScore: 50, version: 1 });
    });
  });
}
