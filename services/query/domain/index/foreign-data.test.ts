import { expect, test } from 'vitest';
import { hostInThisThread } from '../../search-index/search-index.fixture.ts';
import { feedItem, passageStoreInMemory } from '../passages/passages.fixture.ts';
import { type FeedsInMemory, feedsInMemory } from '../rows/row.fixture.ts';
import { searchOver } from '../search/passage-search.fixture.ts';

const viewer = { teamId: 'team', tier: 'team' } as const;
const { signal } = new AbortController();

/** Feeds with these words in one item each, as data of this identity. */
function feedsOf(dataId: string, words: readonly string[]): FeedsInMemory {
  const feeds = feedsInMemory();
  for (const word of words) feeds.push('team', feedItem(0, word, { rowKey: `${word}.md` }));
  return { ...feeds, heads: async (teamId) => ({ ...(await feeds.heads(teamId)), dataId }) };
}

/** A search over feeds that can be exchanged for others. */
function searchOverOne(first: FeedsInMemory) {
  let present = first;
  const feed: FeedsInMemory = {
    ...first,
    heads: (...args) => present.heads(...args),
    read: (...args) => present.read(...args),
  };
  const passages = passageStoreInMemory();
  const process = () => searchOver({ feed, passages, host: hostInThisThread({ maxBytes: 2 ** 26 }) });
  const finds = async (search: ReturnType<typeof process>, question: string) => {
    const found = await search.findPassages({ question, limit: 10 }, { viewer, signal });
    return found.passages.map(({ passage }) => passage.rowKey);
  };
  return {
    process,
    finds,
    exchange(next: FeedsInMemory) {
      present = next;
    },
  };
}

test.for([
  ['other data', 'data-2', ['lobster', 'oyster', 'prawn', 'shrimp']],
  ['an older copy of the same data', 'data-1', ['anchor']],
] as const)(
  'after content came back with %s nothing that it does not have is found, in this process and in the next',
  async ([, dataId, words]) => {
    const { process, finds, exchange } = searchOverOne(feedsOf('data-1', ['anchor', 'buoy', 'capstan']));
    const running = process();
    expect(await finds(running, 'capstan')).toEqual(['capstan.md']);
    exchange(feedsOf(dataId, words));
    for (const search of [running, process()]) {
      expect(await finds(search, 'capstan')).toEqual([]);
      for (const word of words) expect(await finds(search, word)).toEqual([`${word}.md`]);
    }
  },
);

test('what was verified at the start is not found later, however many changes came before the first question', async () => {
  const { process, finds, exchange } = searchOverOne(feedsOf('data-1', ['anchor', 'buoy', 'capstan']));
  expect(await finds(process(), 'capstan')).toEqual(['capstan.md']);
  const restored = feedsOf('data-1', ['anchor']);
  exchange(restored);
  const next = process();
  await next.verify();
  for (const word of ['lobster', 'oyster', 'prawn'])
    restored.push('team', feedItem(0, word, { rowKey: `${word}.md` }));
  expect(await finds(next, 'capstan')).toEqual([]);
  expect(await finds(next, 'lobster')).toEqual(['lobster.md']);
});
