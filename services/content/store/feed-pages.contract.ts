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

    describe('of one beginning', () => {
      const part = (beginning: string, changed: object = {}, tier: Tier = 'team') =>
        feed.pageStartingWith(team, tier, beginning, {
          ...everything,
          maxSorted: 100,
          maxLookedThrough: 100,
          ...changed,
        });
      const keysIn = (rows: readonly { rowKey: string; deleted: boolean }[]) =>
        rows.map(({ rowKey, deleted }) => (deleted ? `-${rowKey}` : rowKey));

      for (const [name, bounds] of [
        ['sorted', {}],
        ['looked through', { maxSorted: 1 }],
      ] as const) {
        test(`hold what pages hold of it, in their order, ${name}`, async () => {
          const last = '\u{10ffff}';
          for (const key of ['p/c', 'q/a', 'p/b', `p/${last}x`, 'p0', 'p', 'P/d'])
            await put(key, { tier: 'external' });
          await put('p/hidden', { externalAtMs: 8 });
          await put('p/gone', { tier: 'external', deleted: true });
          await put('p/c', { tier: 'external' });
          await put('p/theirs', { tier: 'external' }, otherTeam);
          const of = async (changed: object, tier: Tier = 'team') =>
            keysIn((await part('p/', { ...bounds, ...changed }, tier)).rows);
          expect(await of({})).toEqual(['p/b', `p/${last}x`, 'p/hidden', '-p/gone', 'p/c']);
          expect(await of({ includeDeleted: false })).toEqual(['p/b', `p/${last}x`, 'p/hidden', 'p/c']);
          expect(await of({}, 'external')).toEqual(['p/b', `p/${last}x`, '-p/hidden', '-p/gone', 'p/c']);
          expect(await of({ includeDeleted: false }, 'external')).toEqual(['p/b', `p/${last}x`, 'p/c']);
          expect(await of({ afterMs: 3, untilMs: 9 })).toEqual([`p/${last}x`, 'p/hidden', '-p/gone']);
          expect(await of({ limit: 2 })).toEqual(['p/b', `p/${last}x`]);
          expect(await of({ maxBytes: 0 })).toEqual(['p/b']);
          expect(keysIn((await part('p/b', bounds)).rows)).toEqual(['p/b']);
          expect(await part('x', bounds)).toMatchObject({ rows: [] });
        });
      }

      test('end where the bound of rows to look through is reached, and go on from there without a hole', async () => {
        for (let index = 1; index <= 12; index += 1) await put(index % 5 === 0 ? `p/${index}` : `q/${index}`);
        await put('p/first');
        const bounds = { maxSorted: 2, maxLookedThrough: 4, untilMs: 13 };
        const pages: [string[], number][] = [];
        for (let afterMs = 0; afterMs < 13; ) {
          const { rows, throughMs } = await part('p/', { ...bounds, afterMs });
          pages.push([keysIn(rows), throughMs]);
          afterMs = throughMs;
        }
        expect(pages).toEqual([
          [[], 4],
          [['p/5'], 8],
          [['p/10'], 12],
          [['p/first'], 13],
        ]);
      });
    });

    test('of keys are in the order of code points, from one on, of what each reader may know of', async () => {
      const last = '\u{10ffff}';
      const names = [
        'p/b',
        'p/B',
        'p/%',
        'p/_',
        'p/\u{1f600}',
        'p/\uff5e',
        `p/${last}`,
        'p',
        'p0',
        'q/a',
        'P/b',
      ];
      for (const name of names) await put(name, { tier: 'external' });
      await put('p/hidden');
      await put('p/was-open', { externalAtMs: 3 });
      await put('p/gone', { tier: 'external', deleted: true });
      await put('p/theirs', { tier: 'external' }, otherTeam);
      const keys = async (tier: Tier, from = 'p/', limit = 100) =>
        (await feed.keyPage(team, tier, { beginning: 'p/', from, limit })).map(({ rowKey, isLive }) =>
          isLive ? rowKey : `-${rowKey}`,
        );
      const shown = ['p/%', 'p/B', 'p/_', 'p/b', 'p/\uff5e', 'p/\u{1f600}', `p/${last}`];
      expect(await keys('external')).toEqual(shown);
      const known = ['-p/gone', 'p/hidden', 'p/was-open'];
      expect(await keys('team')).toEqual([...shown.slice(0, 4), ...known, ...shown.slice(4)]);
      for (const tier of ['team', 'external'] as const) {
        expect(await keys(tier, 'p/', 2)).toEqual(['p/%', 'p/B']);
        expect(await keys(tier, 'p/C', 2)).toEqual(['p/_', 'p/b']);
        expect(await keys(tier, 'p/_', 1)).toEqual(['p/_']);
        expect(await keys(tier, 'p0')).toEqual([]);
      }
    });

    test('of some rows hold those that each reader sees now, up to the one that makes them too large', async () => {
      for (const key of ['a.md', 'b.md', 'c.md'])
        await put(key, { tier: 'external', json: Buffer.alloc(100) });
      await put('hidden.md', { json: Buffer.alloc(100) });
      await put('gone.md', { tier: 'external', deleted: true });
      const shown = async (tier: Tier, maxBytes: number, keys: readonly string[]) =>
        (await feed.readShown(team, tier, keys, maxBytes)).map(({ rowKey }) => rowKey);
      const keys = ['a.md', 'absent.md', 'b.md', 'gone.md', 'hidden.md'];
      expect(await shown('team', 1e9, keys)).toEqual(['a.md', 'b.md', 'hidden.md']);
      expect(await shown('external', 1e9, keys)).toEqual(['a.md', 'b.md']);
      expect(await shown('team', 199, ['a.md', 'b.md', 'c.md'])).toEqual(['a.md', 'b.md']);
      expect(await shown('team', 0, ['a.md', 'b.md'])).toEqual(['a.md']);
      expect(await shown('team', 1e9, [])).toEqual([]);
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
