import type { Engine } from '@teammemory/testkit/describe-each-engine.ts';
import type { Tier } from '@teammemory/vocabulary/tier.ts';
import { describe, expect, test } from 'vitest';
import { feedStoreOf, otherTeam, team } from './feed-store.fixture.ts';

const everything = { afterMs: 0, untilMs: 1e9, limit: 1_000, maxBytes: 1e9, includeDeleted: true };
const liveOnly = { ...everything, includeDeleted: false };

/** Declares the promises of `FeedStore` about what each reader sees for one engine. */
export function feedPagesContract(engine: Engine): void {
  const { feed, put } = feedStoreOf(engine);

  const keysOf = async (tier: Tier, range = everything) =>
    (await feed.page(team, tier, range)).map(({ rowKey, deleted }) => (deleted ? `-${rowKey}` : rowKey));

  describe('pages', () => {
    test('for team keys hold both tiers, for external keys external rows only', async () => {
      await put('team.md');
      await put('external.md', { tier: 'external' });
      expect(await keysOf('team')).toEqual(['team.md', 'external.md']);
      expect(await keysOf('external')).toEqual(['external.md']);
    });

    test('are in order of change, after a time, and no longer than asked', async () => {
      for (const rowKey of ['d.md', 'c.md', 'b.md', 'a.md']) await put(rowKey, { tier: 'external' });
      for (const tier of ['team', 'external'] as const) {
        const rows = await feed.page(team, tier, { ...liveOnly, afterMs: 1, limit: 2 });
        expect(rows.map(({ rowKey, atMs }) => [rowKey, atMs])).toEqual([
          ['c.md', 2],
          ['b.md', 3],
        ]);
      }
    });

    test('end at the time that is asked for, that row included', async () => {
      for (const rowKey of ['a.md', 'b.md', 'c.md']) await put(rowKey, { tier: 'external' });
      for (const tier of ['team', 'external'] as const) {
        expect(await keysOf(tier, { ...liveOnly, untilMs: 2 })).toEqual(['a.md', 'b.md']);
        expect(await keysOf(tier, { ...everything, afterMs: 2, untilMs: 2 })).toEqual([]);
      }
    });

    test('end with the row that makes them too large', async () => {
      for (const rowKey of ['a.md', 'b.md', 'c.md', 'd.md']) await put(rowKey, { json: Buffer.alloc(100) });
      expect(await keysOf('team', { ...everything, maxBytes: 199 })).toEqual(['a.md', 'b.md']);
      expect(await keysOf('team', { ...everything, maxBytes: 200 })).toEqual(['a.md', 'b.md', 'c.md']);
      expect(await keysOf('team', { ...everything, maxBytes: 0 })).toEqual(['a.md']);
    });

    test('hold a row that changed once, at its new position', async () => {
      await put('a.md');
      await put('b.md');
      await put('a.md');
      expect(await keysOf('team')).toEqual(['b.md', 'a.md']);
    });

    test('hold removed rows only where they are wanted, and without their text', async () => {
      await put('kept.md', { tier: 'external' });
      await put('gone.md', { tier: 'external', deleted: true });
      for (const tier of ['team', 'external'] as const) {
        expect(await keysOf(tier)).toEqual(['kept.md', '-gone.md']);
        expect(await keysOf(tier, liveOnly)).toEqual(['kept.md']);
        expect((await feed.page(team, tier, everything))[1]?.json).toHaveLength(0);
      }
    });

    test('show external keys a hidden row as gone, where it was hidden, and nothing of its text', async () => {
      await put('a.md', { externalAtMs: 1 });
      await put('b.md', { tier: 'external' });
      await put('a.md', { externalAtMs: 1 });
      const rows = await feed.page(team, 'external', everything);
      expect(rows.map(({ rowKey, atMs, deleted }) => [rowKey, atMs, deleted])).toEqual([
        ['a.md', 1, true],
        ['b.md', 2, false],
      ]);
      expect(rows[0]?.json).toHaveLength(0);
      expect(await keysOf('external', liveOnly)).toEqual(['b.md']);
    });

    test('end at the newest time of each reader, which may be that of a row to be forgotten', async () => {
      const newest = async () => [
        await feed.newestAtMs(team, 'team'),
        await feed.newestAtMs(team, 'external'),
      ];
      await put('theirs.md', { tier: 'external' }, otherTeam);
      expect(await newest()).toEqual([0, 0]);
      await put('internal.md');
      expect(await newest()).toEqual([1, 0]);
      await put('shown.md', { tier: 'external' });
      expect(await newest()).toEqual([2, 2]);
      await put('shown.md', { externalAtMs: 3 });
      expect(await newest()).toEqual([3, 3]);
      await put('shown.md', { externalAtMs: 3 });
      expect(await newest()).toEqual([4, 3]);
      await put('shown.md', { externalAtMs: 3, deleted: true });
      expect(await newest()).toEqual([5, 3]);
    });

    test('for followers end with the row that makes them large', async () => {
      for (const rowKey of ['a.md', 'b.md', 'c.md', 'd.md'])
        await put(rowKey, { json: new Uint8Array(1_000) });
      const keysOf = async (afterSeq: number, maxBytes: number) =>
        (await feed.readFrom(team, afterSeq, { limit: 9, maxBytes })).map(({ rowKey }) => rowKey);
      expect(await keysOf(0, 1_500)).toEqual(['a.md', 'b.md']);
      expect(await keysOf(2, 1)).toEqual(['c.md']);
      expect(await keysOf(0, 4_000)).toHaveLength(4);
      // Nothing of a page that was not read to its end is left open.
      expect(await keysOf(0, 1)).toEqual(['a.md']);
    });

    test('for followers hold every row by position, whatever its tier, removed ones included', async () => {
      await put('a.md');
      await put('b.md', { tier: 'external', deleted: true });
      await put('c.md');
      expect((await feed.readFrom(team, 0, { limit: 2 })).map(({ rowKey }) => rowKey)).toEqual([
        'a.md',
        'b.md',
      ]);
      expect((await feed.readFrom(team, 2, { limit: 2 })).map(({ rowKey }) => rowKey)).toEqual(['c.md']);
    });
  });
}
