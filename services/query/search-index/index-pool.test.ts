import { statSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { afterEach, expect, test } from 'vitest';
import { applyItems } from '../domain/index/index-host.fixture.ts';
import { itemPassages } from '../domain/passages/passages.fixture.ts';
import { openIndexDatabase } from './index-database.ts';
import { indexPath } from './index-files.ts';
import { type IndexPool, type SearchLimits, startIndexPool } from './index-pool.ts';
import { indexDirectory } from './search-index.fixture.ts';

let pool: IndexPool | undefined;
afterEach(() => pool?.close());

const unavailable = expect.objectContaining({ code: 'unavailable' });
const request = (question: string) => ({ tier: 'team' as const, question, limit: 5 });

interface Changed {
  isScripted?: boolean;
  maxBytes?: number;
  threads?: number;
  limits?: Partial<SearchLimits>;
}

/** A pool with indexes of two teams. */
async function start({ isScripted = false, maxBytes = 2 ** 26, threads = 2, limits = {} }: Changed = {}) {
  const ended: (string | undefined)[] = [];
  const dropped: number[] = [];
  const damaged: string[] = [];
  const directory = indexDirectory();
  const started = startIndexPool({
    directory,
    maxBytes,
    embeds: false,
    embeddingModel: '',
    threads,
    limits: { ofTeam: 100, inAll: 100, waitMs: 60_000, ...limits },
    ...(isScripted && {
      program: join(import.meta.dirname, 'ending-thread.fixture.ts'),
      callTimeoutMs: 5_000,
    }),
    watch: {
      ended: (_failure, teamId) => ended.push(teamId),
      dropped: () => dropped.push(1),
      damaged: (cause, teamId) => damaged.push(`${teamId}: ${cause}`),
    },
  });
  pool = started;
  const fill = async (teamId: string) => applyItems(started, teamId, [itemPassages(1, `zebra of ${teamId}`)]);
  await fill('a');
  await fill('b');
  return { pool: started, ended, dropped, damaged, directory, fill };
}

test('a search is done in a thread, and figures are told', async () => {
  const { pool } = await start();
  const found = await pool.search('a', request('zebra'));
  expect(found?.passages.map(({ passage }) => passage.text)).toEqual(['zebra of a']);
  expect(found?.quotes.sources).toHaveLength(1);
  expect(pool.figures()).toMatchObject({ teams: 2, missing: 0 });
  expect(await pool.search('c', request('zebra'))).toBeUndefined();
});

test.for(['end', 'halt'])(
  'a question that makes a thread %s does not end the process: it is unavailable, others are served, the team is left alone',
  async (question) => {
    const { pool, ended, fill } = await start({ isScripted: true });
    const [broken, beside] = [pool.search('a', request(question)), pool.search('b', request('zebra'))];
    await expect(broken).rejects.toEqual(unavailable);
    expect((await beside)?.passages).toHaveLength(1);
    expect(ended).toEqual(['a']);
    expect((await pool.search('b', request('zebra')))?.passages).toHaveLength(1);
    await expect(fill('a')).rejects.toEqual(unavailable);
    expect(ended).toEqual(['a']);
  },
);

test('while a thread works the event loop is free', async () => {
  const { pool } = await start();
  const words = Array.from({ length: 30_000 }, (_, place) => `w${(place * 7_919).toString(36)}`).join(' ');
  let turns = 0;
  const other = setInterval(() => {
    turns += 1;
  }, 1);
  await applyItems(pool, 'a', [itemPassages(2, words)]);
  clearInterval(other);
  expect(turns).toBeGreaterThan(10);
  await eventually('the figures', () => pool.figures().bytes > 2 ** 20);
});

test('teams are served in turn, however much one of them asks', async () => {
  const { pool } = await start({ isScripted: true, threads: 1 });
  const order: string[] = [];
  const ask = async (teamId: string) => {
    await pool.search(teamId, request('pause'));
    order.push(teamId);
  };
  await Promise.all([ask('a'), ask('a'), ask('a'), ask('a'), ask('b')]);
  expect(order.indexOf('b')).toBeLessThanOrEqual(2);
});

test('a team’s second search leaves a thread to others', async () => {
  const { pool } = await start({ isScripted: true, threads: 2 });
  await eventually('both threads', async () => {
    const startedMs = performance.now();
    await Promise.all(['a', 'b'].map((teamId) => pool.search(teamId, request('pause'))));
    return performance.now() - startedMs < 380;
  });
  const order: string[] = [];
  const ask = async (teamId: string, question: string) => {
    await pool.search(teamId, request(question));
    order.push(teamId);
  };
  await Promise.all([ask('a', 'pause'), ask('a', 'pause'), ask('b', 'zebra')]);
  expect(order[0]).toBe('b');
});

test('of too many searches the last are refused, and none of another team', async () => {
  const { pool } = await start({ isScripted: true, limits: { ofTeam: 2 } });
  const asked = Promise.allSettled(Array.from({ length: 6 }, () => pool.search('a', request('pause'))));
  expect((await pool.search('b', request('zebra')))?.passages).toHaveLength(1);
  const outcomes = await asked;
  const refused = outcomes.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
  expect(refused.length).toBeGreaterThanOrEqual(3);
  for (const { reason } of refused) expect(reason).toEqual(unavailable);
});

test('a search that waits too long is refused, and one whose caller leaves is not made', async () => {
  const { pool } = await start({ isScripted: true, threads: 1, limits: { waitMs: 50 } });
  const leaving = new AbortController();
  const first = pool.search('a', request('pause'));
  const late = pool.search('a', request('zebra'));
  const left = pool.search('b', request('zebra'), leaving.signal);
  leaving.abort(new Error('gone'));
  await expect(left).rejects.toThrow('gone');
  await expect(late).rejects.toEqual(unavailable);
  expect((await first)?.passages).toEqual([]);
  expect((await pool.search('b', request('zebra')))?.passages).toHaveLength(1);
});

test('files stay within their bound: those not used for longest go, and are made again when they are asked for', async () => {
  const { pool, dropped, fill } = await start();
  const { bytes } = pool.figures();
  await pool.close();
  const small = await start({ maxBytes: 1.6 * bytes });
  await small.pool.search('a', request('zebra'));
  await small.fill('c');
  await small.fill('d');
  expect(small.dropped.length).toBeGreaterThan(0);
  expect(small.pool.figures().bytes).toBeLessThanOrEqual(1.6 * bytes);
  expect(await small.pool.search('b', request('zebra'))).toBeUndefined();
  await small.fill('b');
  expect((await small.pool.search('b', request('zebra')))?.passages).toHaveLength(1);
  expect([dropped, typeof fill]).toEqual([[], 'function']);
});

test('a question under which our code fails fails alone, and leaves the index of its team as it is', async () => {
  const { pool, damaged, directory } = await start();
  const made = statSync(indexPath(directory, 'a')).ino;
  const broken = { ...request('zebra'), question: 7 as unknown as string };
  for (let times = 0; times < 3; times += 1)
    await expect(pool.search('a', broken)).rejects.toMatchObject({ code: 'internal' });
  expect((await pool.search('a', request('zebra')))?.passages).toHaveLength(1);
  expect([statSync(indexPath(directory, 'a')).ino, damaged]).toEqual([made, []]);
});

test('a damaged file is made again, and its operator is told why', async () => {
  const { pool, damaged, directory, fill } = await start();
  const database = openIndexDatabase(indexPath(directory, 'a'));
  database.exec("UPDATE passages SET kept = 'no JSON'");
  database.close();
  expect(await pool.search('a', request('zebra'))).toBeUndefined();
  expect(damaged.join()).toMatch(/^a: .*no JSON/s);
  await fill('a');
  expect((await pool.search('a', request('zebra')))?.passages).toHaveLength(1);
});
