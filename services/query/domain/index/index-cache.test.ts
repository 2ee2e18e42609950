import { expect, test } from 'vitest';
import { itemPassages } from '../passages/item.fixture.ts';
import { passageStoreInMemory } from '../passages/passage-store.fixture.ts';
import type { PassageStore } from '../passages/passage-store.ts';
import { createIndexCache, type IndexWatch } from './index-cache.ts';
import type { TeamIndex } from './team-index.ts';

const plenty = 2 ** 30;

/** Texts that the index finds for a word, in order. */
function found(index: TeamIndex, word: string): string[] {
  const { passages } = index.view('team').search(word, 1_000);
  return passages.map(({ passage }) => passage.text).toSorted();
}

/** Counts the rows that are read. */
function counted(passages: PassageStore) {
  const reads = { rows: 0 };
  const changesAfter: PassageStore['changesAfter'] = async (...request) => {
    const rows = await passages.changesAfter(...request);
    reads.rows += rows.length;
    return rows;
  };
  return { passages: { ...passages, changesAfter }, reads };
}

test('takes over every row, page by page, and later only what changed', async () => {
  const { passages, reads } = counted(passageStoreInMemory());
  const items = Array.from({ length: 120 }, (_, index) => itemPassages(index + 1, `word ${index}`));
  await passages.replaceItems('team', items);
  await passages.advanceCursor('team', 120);
  const cache = createIndexCache({ passages, maxBytes: plenty });
  expect(found(await cache.upToDate('team'), 'word')).toHaveLength(120);
  reads.rows = 0;
  await passages.replaceItems('team', [itemPassages(121, 'word changed', { rowKey: 'notes/1.md' })]);
  await passages.replaceItems('team', [itemPassages(122, '', { rowKey: 'notes/2.md' })]);
  await passages.advanceCursor('team', 122);
  expect(found(await cache.upToDate('team'), 'word')).toHaveLength(119);
  expect(reads.rows).toBe(2);
});

test('a row that moves far behind the cursor while pages are read is not missed', async () => {
  const store = passageStoreInMemory();
  const rows = (from: number, to: number) => {
    return Array.from({ length: to - from + 1 }, (_, index) =>
      itemPassages(from + index, `word ${from + index}`),
    );
  };
  await store.replaceItems('team', rows(1, 60));
  await store.advanceCursor('team', 60);
  let pages = 0;
  const changesAfter: PassageStore['changesAfter'] = async (...request) => {
    const page = await store.changesAfter(...request);
    pages += 1;
    if (pages > 1) return page;
    await store.replaceItems('team', [
      ...rows(61, 200),
      itemPassages(201, 'word moved', { rowKey: 'notes/60.md' }),
    ]);
    return page;
  };
  const cache = createIndexCache({ passages: { ...store, changesAfter }, maxBytes: plenty });
  expect(found(await cache.upToDate('team'), 'word')).toContain('word moved');
});

test('rows that come late below others, but behind the cursor, are not missed', async () => {
  const passages = passageStoreInMemory();
  const cache = createIndexCache({ passages, maxBytes: plenty });
  await passages.replaceItems('team', [itemPassages(1, 'word one'), itemPassages(3, 'word three')]);
  await passages.advanceCursor('team', 1);
  expect(found(await cache.upToDate('team'), 'word')).toEqual(['word one', 'word three']);
  await passages.replaceItems('team', [itemPassages(2, 'word two')]);
  await passages.advanceCursor('team', 3);
  expect(found(await cache.upToDate('team'), 'word')).toEqual(['word one', 'word three', 'word two']);
});

test('over its memory it drops the team not asked about for longest, and answers it again when asked', async () => {
  const { passages, reads } = counted(passageStoreInMemory());
  for (const team of ['a', 'b', 'c']) {
    await passages.replaceItems(team, [itemPassages(1, `word of ${team}`)]);
    await passages.advanceCursor(team, 1);
  }
  const size = (await createIndexCache({ passages, maxBytes: 0 }).upToDate('a')).bytes();
  const cache = createIndexCache({ passages, maxBytes: 2 * size });
  for (const team of ['a', 'b', 'a', 'c']) await cache.upToDate(team);
  reads.rows = 0;
  await cache.upToDate('a');
  await cache.upToDate('c');
  expect(reads.rows).toBe(0);
  expect(found(await cache.upToDate('b'), 'word')).toEqual(['word of b']);
  expect(reads.rows).toBe(1);
});

test('what is built and dropped is told, and how much is kept', async () => {
  const passages = passageStoreInMemory();
  const told: string[] = [];
  const watch: IndexWatch = {
    built: (team) => void told.push(`built ${team}`),
    dropped: (team) => void told.push(`dropped ${team}`),
  };
  const cache = createIndexCache({ passages, maxBytes: 0, watch });
  expect(cache.size()).toEqual({ teams: 0, bytes: 0 });
  await passages.replaceItems('a', [itemPassages(1, 'word')]);
  const index = await cache.upToDate('a');
  await cache.upToDate('a');
  expect(cache.size()).toEqual({ teams: 1, bytes: index.bytes() });
  await cache.upToDate('b');
  expect(told).toEqual(['built a', 'built b', 'dropped a']);
  expect(cache.size().teams).toBe(1);
});

test('a team larger than all the memory is kept while it is the one in use', async () => {
  const { passages, reads } = counted(passageStoreInMemory());
  await passages.replaceItems('team', [itemPassages(1, 'word')]);
  await passages.advanceCursor('team', 1);
  const cache = createIndexCache({ passages, maxBytes: 0 });
  await cache.upToDate('team');
  expect(found(await cache.upToDate('team'), 'word')).toEqual(['word']);
  expect(reads.rows).toBe(1);
});

/** A store with one item of the same size for each of these teams, the size of its index, and what becomes of indexes. */
async function equalTeams(...teams: string[]) {
  const { passages, reads } = counted(passageStoreInMemory());
  for (const team of teams) {
    await passages.replaceItems(team, [itemPassages(1, `word of ${team}`)]);
    await passages.advanceCursor(team, 1);
  }
  const size = (await createIndexCache({ passages, maxBytes: 0 }).upToDate(teams[0] ?? '')).bytes();
  const told: string[] = [];
  const watch: IndexWatch = {
    built: (team) => void told.push(`built ${team}`),
    dropped: (team) => void told.push(`dropped ${team}`),
  };
  reads.rows = 0;
  return { passages, reads, size, told, watch };
}

test('an index that nobody asks about is made while a quarter of the memory stays free, and then kept up to date', async () => {
  const { passages, size, told, watch } = await equalTeams('a', 'b', 'c', 'd', 'e');
  const cache = createIndexCache({ passages, maxBytes: 4 * size, watch });
  for (const team of ['a', 'b', 'c', 'd', 'e', 'a']) await cache.warm(team);
  expect(told).toEqual(['built a', 'built b', 'built c']);
  await passages.replaceItems('a', [itemPassages(2, 'word anew')]);
  await passages.advanceCursor('a', 2);
  await cache.warm('a');
  expect(found(cache.peek('a') as TeamIndex, 'word')).toEqual(['word anew', 'word of a']);
  expect(cache.peek('d')).toBeUndefined();
});

test('to keep indexes warm drops none that was asked about, nor makes it look used', async () => {
  const { passages, size, told, watch } = await equalTeams('a', 'b', 'c', 'd');
  const cache = createIndexCache({ passages, maxBytes: 3 * size, watch });
  await cache.upToDate('a');
  await cache.upToDate('b');
  await cache.warm('c');
  await cache.warm('a');
  told.length = 0;
  // What nobody asked about goes first, then what was not asked about for longest.
  await cache.upToDate('d');
  await cache.upToDate('c');
  expect(told).toEqual(['built d', 'dropped c', 'built c', 'dropped a']);
});

test('an index that nobody asks about and that finds no room is given up half way, until a question comes', async () => {
  const { passages, size, told, watch, reads } = await equalTeams('a', 'large');
  const items = Array.from({ length: 200 }, (_, index) => itemPassages(index + 1, `word ${index}`));
  await passages.replaceItems('large', items);
  await passages.advanceCursor('large', 200);
  const cache = createIndexCache({ passages, maxBytes: 2 * size, watch });
  await cache.upToDate('a');
  for (let times = 0; times < 2; times += 1) await cache.warm('large');
  expect(reads.rows).toBe(1 + 50);
  expect(told).toEqual(['built a', 'dropped large']);
  expect(cache.peek('a')).toBeDefined();
  expect(found(await cache.upToDate('large'), 'word')).toHaveLength(200);
});

test('vectors that make the indexes too large have some dropped', async () => {
  const { passages, size, told, watch } = await equalTeams('a', 'b');
  const cache = createIndexCache({ passages, maxBytes: 3 * size, watch });
  const index = await cache.upToDate('a');
  await cache.warm('b');
  const [passage] = index.passagesOf('notes/1.md');
  if (passage !== undefined) index.embed(passage, new Float32Array(2 * size).fill(1));
  cache.trim();
  expect(told).toEqual(['built a', 'built b', 'dropped b']);
});

test('what is dropped while it is still being built counts no more', async () => {
  const { passages, size, told, watch } = await equalTeams('a');
  const items = Array.from({ length: 60 }, (_, index) => itemPassages(index + 1, `word ${index}`));
  await passages.replaceItems('large', items);
  const changesAfter: PassageStore['changesAfter'] = async (...request) => {
    const rows = await passages.changesAfter(...request);
    if (rows.length === 10) await cache.upToDate('a');
    return rows;
  };
  const cache = createIndexCache({ passages: { ...passages, changesAfter }, maxBytes: 2 * size, watch });
  await cache.upToDate('large');
  expect(told).toEqual(['built a', 'dropped large', 'built large']);
  expect(cache.size()).toEqual({ teams: 1, bytes: size });
  await cache.warm('large');
  expect(cache.size().teams).toBe(1);
});

test('what is broken off ends at once and is taken up again', async () => {
  const { passages } = await equalTeams('a');
  const cache = createIndexCache({ passages, maxBytes: plenty });
  for (const method of ['upToDate', 'warm'] as const)
    await expect(cache[method]('a', AbortSignal.abort(new Error('closing')))).rejects.toThrow('closing');
  expect(found(await cache.warm('a'), 'word')).toEqual(['word of a']);
});

test('other work gets its turn while one large item is taken over, and while it is taken out again', async () => {
  const passages = passageStoreInMemory();
  const cache = createIndexCache({ passages, maxBytes: plenty });
  const words = Array.from({ length: 40_000 }, (_, index) => `w${(index * 7_919).toString(36)}`).join(' ');
  let turns = 0;
  const other = setInterval(() => {
    turns += 1;
  }, 1);
  for (const [index, content] of [words, ''].entries()) {
    await passages.replaceItems('team', [itemPassages(index + 1, content, { rowKey: 'large.md' })]);
    turns = 0;
    await cache.upToDate('team');
    expect(turns).toBeGreaterThan(2);
  }
  clearInterval(other);
});
