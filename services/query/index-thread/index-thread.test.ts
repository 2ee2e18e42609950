import { join } from 'node:path';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { afterEach, expect, test } from 'vitest';
import { applyItems } from '../domain/index/index-host.fixture.ts';
import { itemPassages } from '../domain/passages/passages.fixture.ts';
import { type IndexThread, startIndexThread } from './index-thread.ts';

let thread: IndexThread | undefined;
afterEach(() => thread?.close());

const unavailable = expect.objectContaining({ code: 'unavailable' });
const request = (question: string) => ({ tier: 'team' as const, question, limit: 5 });

/** A thread with an index of two teams. */
async function start(program?: string) {
  const ended: (string | undefined)[] = [];
  const started = startIndexThread({
    maxBytes: 2 ** 24,
    embeds: false,
    files: undefined,
    ...(program === undefined ? {} : { program: join(import.meta.dirname, program), lookIntervalMs: 200 }),
    watch: { ended: (_failure, teamId) => ended.push(teamId), counted: () => undefined },
  });
  thread = started;
  const fill = async (teamId: string) => applyItems(started, teamId, [itemPassages(1, `zebra of ${teamId}`)]);
  await fill('a');
  await fill('b');
  return { thread: started, ended, fill };
}

test('a search is done in the thread, and its figures are told', async () => {
  const { thread } = await start();
  const found = await thread.search('a', request('zebra'));
  expect(found?.passages.map(({ passage }) => passage.text)).toEqual(['zebra of a']);
  expect(found?.quotes.sources).toHaveLength(1);
  expect(thread.figures()).toMatchObject({ teams: 2, missing: 0 });
  expect(await thread.search('c', request('zebra'))).toBeUndefined();
});

test.for(['end', 'halt'])(
  'a question that makes the thread %s does not end the process: calls are unavailable, others are served again, the team is left alone',
  async (question) => {
    const { thread, ended, fill } = await start('ending-thread.fixture.ts');
    const [broken, beside] = [thread.search('a', request(question)), thread.search('b', request('zebra'))];
    await expect(broken).rejects.toEqual(unavailable);
    await beside.catch((error) => expect(error).toEqual(unavailable));
    expect(ended).toEqual(['a']);
    expect(await thread.search('b', request('zebra'))).toBeUndefined();
    await fill('b');
    expect((await thread.search('b', request('zebra')))?.passages).toHaveLength(1);
    await expect(fill('a')).rejects.toEqual(unavailable);
    expect(ended).toEqual(['a']);
  },
);

test('while the thread works the event loop is free', async () => {
  const { thread } = await start();
  const words = Array.from({ length: 30_000 }, (_, place) => `w${(place * 7_919).toString(36)}`).join(' ');
  let turns = 0;
  const other = setInterval(() => {
    turns += 1;
  }, 1);
  await applyItems(thread, 'a', [itemPassages(2, words)]);
  clearInterval(other);
  expect(turns).toBeGreaterThan(10);
  await eventually('the figures', () => thread.figures().bytes > 2 ** 20);
});
