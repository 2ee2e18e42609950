import { expect, test } from 'vitest';
import { hostInThisThread } from '../../search-index/search-index.fixture.ts';
import { feedItem, passageStoreInMemory } from '../passages/passages.fixture.ts';
import { feedDecision, feedsInMemory } from '../rows/row.fixture.ts';
import { searchOver } from '../search/passage-search.fixture.ts';
import { listItemCoverage, maxCoveredItems, readItemCoverage } from './item-coverage.ts';

const signal = new AbortController().signal;
const asTeam = { viewer: { teamId: 'team', tier: 'team' }, signal } as const;
const asGuest = { viewer: { teamId: 'team', tier: 'external' }, signal } as const;
const whole = { passages: 1, searchable: 1 };
const nothing = { passages: 0, searchable: 0 };

/** A feed with what reads it. */
function memory(maxBytes = 2 ** 30) {
  const feed = feedsInMemory();
  const passages = passageStoreInMemory();
  const indexes = searchOver({ feed, passages, host: hostInThisThread({ maxBytes }) });
  const of = (rowKeys: readonly string[], asking: typeof asTeam | typeof asGuest = asTeam) =>
    listItemCoverage({ indexes, passages }, rowKeys, asking);
  const ofOne = (rowKey: string, asking: typeof asTeam | typeof asGuest = asTeam) =>
    readItemCoverage({ indexes, passages }, rowKey, asking);
  return { feed, of, ofOne };
}

test('an item that was pushed just before is indexed, a blank one is not and says why', async () => {
  const { feed, of } = memory();
  feed.push('team', feedItem(0, 'words', { rowKey: 'a.md' }));
  feed.push('team', feedItem(0, ' \n', { rowKey: 'blank.md' }));
  expect(await of(['blank.md', 'a.md', 'absent.md', 'a.md'])).toEqual([
    { rowKey: 'blank.md', ...nothing, reason: 'no_text' },
    { rowKey: 'a.md', ...whole },
  ]);
  feed.push('team', feedItem(0, '\n', { rowKey: 'a.md' }));
  expect(await of(['a.md'])).toMatchObject([{ passages: 0, reason: 'no_text' }]);
});

test('absent, removed and hidden items are alike, and so are those of other teams', async () => {
  const { feed, of, ofOne } = memory();
  feed.push('team', feedItem(0, 'words', { rowKey: 'internal.md' }));
  feed.push('team', feedItem(0, 'words', { rowKey: 'open.md', tier: 'external' }));
  feed.push('team', feedItem(0, ' ', { rowKey: 'blank.md' }));
  feed.push('team', feedItem(0, '', { rowKey: 'removed.md', title: '', tier: 'external' }));
  feed.push('other', feedItem(0, 'words', { rowKey: 'foreign.md', tier: 'external' }));
  const all = ['internal.md', 'open.md', 'blank.md', 'removed.md', 'foreign.md', 'absent.md'];
  expect((await of(all)).map(({ rowKey }) => rowKey)).toEqual(['internal.md', 'open.md', 'blank.md']);
  expect(await of(all, asGuest)).toEqual([{ rowKey: 'open.md', ...whole }]);
  const refusals = await Promise.allSettled(
    all.filter((rowKey) => rowKey !== 'open.md').map((rowKey) => ofOne(rowKey, asGuest)),
  );
  expect(new Set(refusals.map((refusal) => 'reason' in refusal && String(refusal.reason))).size).toBe(1);
  await expect(ofOne('internal.md', asGuest)).rejects.toMatchObject({ code: 'not_found' });
});

test('a decision is no item, whatever key is asked for', async () => {
  const { feed, of } = memory();
  feed.putDecision('team', feedDecision('d', { body: 'words' }));
  feed.push('team', feedItem(0, 'words', { rowKey: 'a.md' }));
  expect(await of(['decisions/d', '\u0001decisions/d', 'decision/d'])).toEqual([]);
});

test('where the memory of the index is used up, items are indexed in part or not at all, and no more than that is told', async () => {
  const { feed, of } = memory(2 ** 21);
  const words = (item: number) =>
    Array.from({ length: 9_000 }, (_, place) => `q${(item * 100_000 + place).toString(36)}`).join(' ');
  const keys = Array.from({ length: 30 }, (_, item) => `${item}.md`);
  feed.push('team', feedItem(0, 'zebra', { rowKey: 'first.md' }));
  for (const [item, rowKey] of keys.entries()) feed.push('team', feedItem(0, words(item), { rowKey }));
  const coverage = await of(keys);
  expect(coverage.map(({ rowKey }) => rowKey)).toEqual(keys);
  for (const { passages, searchable, reason } of coverage) {
    expect(passages).toBeGreaterThan(30);
    expect(searchable).toBeLessThanOrEqual(passages);
    expect(reason).toBe(searchable === passages ? undefined : 'no_memory');
  }
  expect(await of(['first.md'])).toEqual([{ rowKey: 'first.md', ...whole }]);
  expect(coverage.filter(({ reason }) => reason === 'no_memory').length).toBeGreaterThan(0);
});

test('no items, and too many, are refused', async () => {
  const { of } = memory();
  const many = Array.from({ length: maxCoveredItems + 1 }, (_, item) => `${item}.md`);
  await expect(of([])).rejects.toMatchObject({ code: 'invalid_request' });
  await expect(of(many)).rejects.toMatchObject({ code: 'invalid_request' });
  expect(await of(many.slice(1))).toEqual([]);
});
