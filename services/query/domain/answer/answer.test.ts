import { expect, test } from 'vitest';
import { hostInThisThread } from '../../search-index/search-index.fixture.ts';
import { noFields } from '../passages/passage.ts';
import { feedItem } from '../passages/passages.fixture.ts';
import { feedsInMemory, feedTask } from '../rows/row.fixture.ts';
import { searchOver } from '../search/passage-search.fixture.ts';
import { rankPassages } from '../search/passage-search.ts';
import type { Spending } from '../spending/spending.ts';
import { answer } from './answer.fixture.ts';
import { scriptedModel } from './answer-model.fixture.ts';
import { answerPrompt } from './answer-prompt.ts';

const viewer = { teamId: 'team', memberId: 'ada', tier: 'team' } as const;

function parts() {
  const feed = feedsInMemory();
  for (let item = 1; item <= 12; item += 1) {
    feed.push('team', feedItem(0, `Rule ${item} is short. It has two sentences.`, { rowKey: `${item}.md` }));
  }
  const { findPassages } = searchOver({ feed });
  return { viewer, findPassages, signal: new AbortController().signal };
}

test('an answer is one or more deltas, then the sources, once and last', async () => {
  const kinds = async (question: string) => {
    return (await Array.fromAsync(answer(question, parts()))).map(({ kind }) => kind).join(' ');
  };
  expect(await kinds('Which rule is 7, and which is 8?')).toMatch(/^(delta )+sources$/);
  expect(await kinds('Unrelated zebras?')).toBe('delta sources');
});

test('titles and statuses of sources are plain text', async () => {
  const { viewer, signal } = parts();
  const feed = feedsInMemory();
  const fields = { ...noFields, status: 'draft <b>' };
  feed.push('team', feedItem(0, 'The ferry leaves at nine.', { title: '[Ferry](javascript:x)', fields }));
  const indexes = searchOver({ feed });
  const { findPassages } = indexes;
  const given = await Array.fromAsync(answer('When does the ferry leave?', { viewer, signal, findPassages }));
  expect(given.at(-1)).toMatchObject({ sources: [{ title: 'Ferry', status: 'draft' }] });
  await indexes.close();
});

test('nothing more comes once the caller has gone', async () => {
  const leaving = new AbortController();
  const stream = answer('Which rule with sentences is 7?', { ...parts(), signal: leaving.signal });
  expect((await stream.next()).value).toMatchObject({ kind: 'delta' });
  leaving.abort(new Error('gone'));
  await expect(stream.next()).rejects.toThrow('gone');
});

test('an answer that is left while money is reserved ends when that was given back, and not before', async () => {
  const leaving = new AbortController();
  const reserving = Promise.withResolvers<void>();
  const steps: string[] = [];
  const spending: Spending = {
    async reserve() {
      reserving.resolve();
      await new Promise(setImmediate);
      steps.push('reserved');
      return {
        settle: () => Promise.reject(new Error('nothing was used')),
        async release() {
          await new Promise(setImmediate);
          steps.push('released');
        },
      };
    },
  };
  const writer = {
    model: scriptedModel(),
    spending,
    timeLimits: { firstTokenMs: 40, idleMs: 40, totalMs: 200 },
    report: () => undefined,
    fellBack: () => undefined,
  };
  const stream = answer('Which rule is 7?', { ...parts(), writer, signal: leaving.signal });
  const first = stream.next().finally(() => steps.push('ended'));
  await reserving.promise;
  leaving.abort(new Error('gone'));
  await expect(first).rejects.toThrow('gone');
  expect(steps).toEqual(['reserved', 'released', 'ended']);
});

test('a question for a list is answered by the rows that its reader sees; a model gets them with their numbers', async () => {
  const feed = feedsInMemory();
  feed.push('team', feedItem(0, 'Task ferry and task crane.', { rowKey: 'tasks.md', tier: 'external' }));
  feed.putTask('team', feedTask('ferry', { owner: 'ada', tier: 'external' }));
  feed.putTask('team', feedTask('crane', { owner: 'ada' }));
  const { findPassages } = searchOver({ feed });
  const asked = async (tier: 'team' | 'external') => {
    const { signal } = new AbortController();
    const asking = { viewer: { ...viewer, tier }, findPassages, signal };
    const given = await Array.fromAsync(answer('How many open tasks does Ada have?', asking));
    expect(given.at(-1)).toMatchObject({ kind: 'sources', sources: [{ rowKey: 'tasks.md', kind: 'task' }] });
    return given.flatMap((part) => (part.kind === 'delta' ? [part.text] : []));
  };
  expect(await asked('team')).toEqual([
    '2 open tasks of ada:',
    '\n\n- Task crane — ada, no due date [1]',
    '\n- Task ferry — ada, no due date [1]',
  ]);
  expect(await asked('external')).toEqual(['1 open task of ada:', '\n\n- Task ferry — ada, no due date [1]']);
  const { list, passages } = await findPassages(
    { question: 'How many open tasks does Ada have?', limit: 20 },
    { viewer, signal: new AbortController().signal },
  );
  const prompt = answerPrompt(
    'How many?',
    passages.map(({ passage }) => passage),
    { list },
  );
  expect(prompt.user).toContain(
    'list of rows, complete\n2 open tasks of ada:\n\n- Task crane — ada, no due date [1]',
  );
  expect(prompt.sources[0]).toMatchObject({ rowKey: 'tasks.md', kind: 'task' });
});

test('a question outside the limits is refused before anything is read', async () => {
  const findPassages = () => Promise.reject(new Error('read'));
  await expect(answer('', { ...parts(), findPassages }).next()).rejects.toMatchObject({
    code: 'invalid_request',
  });
  const searched = rankPassages(findPassages, { question: 'x'.repeat(4_001), limit: 1 }, parts());
  await expect(searched).rejects.toMatchObject({ code: 'invalid_request' });
});

test.for([
  [0, 10],
  [3, 3],
  [4_294_967_295, 12],
])('a search with limit %i gives %i of 12 passages', async ([limit = 0, count = 0]) => {
  const { findPassages, ...asking } = parts();
  const { passages } = await rankPassages(findPassages, { question: 'rule sentences', limit }, asking);
  expect(passages).toHaveLength(count);
});

test('an answer from a team that is not wholly indexed says so, before its sources', async () => {
  const words = (item: number) => Array.from({ length: 4_000 }, (_, place) => `w${item}x${place}`).join(' ');
  const feed = feedsInMemory();
  feed.push('team', feedItem(0, 'The ferry leaves at nine.', { rowKey: 'ferry.md', tier: 'external' }));
  for (let item = 1; item <= 12; item += 1)
    feed.push('team', feedItem(0, words(item), { rowKey: `${item}.md` }));
  const host = hostInThisThread({ maxBytes: 2 ** 20 });
  const { findPassages } = searchOver({ feed, host });
  const textFor = async (tier: 'team' | 'external') => {
    const { signal } = new AbortController();
    const given = await Array.fromAsync(
      answer('When does the ferry leave?', { viewer: { ...viewer, tier }, findPassages, signal }),
    );
    expect(given.at(-1)?.kind).toBe('sources');
    return given.map((part) => (part.kind === 'delta' ? part.text : '')).join('');
  };
  expect(await textFor('team')).toMatch(
    /nine\. \[1\]\n\nNot all of this team's memory could be searched: \d+ passages of \d+ are not indexed\.$/,
  );
  expect(await textFor('external')).toMatch(/nine\. \[1\]$/);
});
