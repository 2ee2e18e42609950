import { AppError } from '@teammemory/errors/app-error.ts';
import { temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openContentStores } from '../../store/open-stores.ts';
import { itemDraft } from '../items/item.fixture.ts';
import { pushItems } from '../items/push-items.ts';
import { storedRow } from './feed-row.fixture.ts';
import type { FeedStore } from './feed-store.ts';
import { createFeedWriter, type FeedWrite, type Verdict } from './feed-writer.ts';

let items: FeedStore;
let appended: number[];
let cleanUp: () => Promise<void>;

beforeEach(async () => {
  const directory = await temporaryDirectory();
  const stores = await openContentStores({ engine: 'sqlite', directory: directory.path });
  items = stores.items;
  appended = [];
  cleanUp = async () => {
    await stores.close();
    await directory.remove();
  };
});
afterEach(async () => {
  vi.restoreAllMocks();
  await cleanUp();
});

/** A writer over the store, with what a test wants it to meet there. */
function writerOver(changed: Partial<FeedStore> = {}, clock = () => 1_000) {
  const append: FeedStore['append'] = (teamId, changes, history) => {
    appended.push(changes.length);
    return (changed.append ?? items.append)(teamId, changes, history);
  };
  return createFeedWriter({ feed: { ...items, ...changed, append }, clock, history: 20 });
}

const put = (rowKey: string): FeedWrite => ({
  rowKey,
  judge: (current) => ({
    kind: 'write',
    rowAt: ({ seq, updatedAtMs }) =>
      storedRow(rowKey, seq, { updatedAtMs, revision: (current?.revision ?? 0) + 1 }),
  }),
});
const putOnce = (rowKey: string): FeedWrite => ({
  rowKey,
  judge: (current): Verdict => (current === undefined ? put(rowKey).judge(current) : { kind: 'unchanged' }),
});
const nothing: FeedWrite = { rowKey: 'none.md', judge: () => ({ kind: 'unchanged' }) };
const rows = async () =>
  (await items.readFrom('team', 0, { limit: 1_000 })).map(({ rowKey, seq }) => [rowKey, seq]);

test('writes that arrive together are written together, in order', async () => {
  const { write } = writerOver();
  await Promise.all(['a', 'b', 'c'].map((rowKey) => write('team', put(rowKey))));
  expect(appended).toEqual([3]);
  expect(await rows()).toEqual([
    ['a', 1],
    ['b', 2],
    ['c', 3],
  ]);
});

test('writes that arrive during a group form the next one', async () => {
  const held = Promise.withResolvers<void>();
  const { write } = writerOver({
    async append(...change) {
      await held.promise;
      return items.append(...change);
    },
  });
  const first = write('team', put('a'));
  await vi.waitFor(() => expect(appended).toEqual([1]));
  const next = Promise.all([write('team', put('b')), write('team', put('c'))]);
  held.resolve();
  await Promise.all([first, next]);
  expect(appended).toEqual([1, 2]);
});

test('a write is answered after it is durable, not before', async () => {
  const held = Promise.withResolvers<void>();
  const { write } = writerOver({
    async append(...change) {
      await held.promise;
      return items.append(...change);
    },
  });
  const answered = vi.fn();
  const work = write('team', put('a')).then(answered);
  await vi.waitFor(() => expect(appended).toEqual([1]));
  expect(answered).not.toHaveBeenCalled();
  held.resolve();
  await work;
  expect(await rows()).toEqual([['a', 1]]);
});

test('a group is bounded', async () => {
  const { write } = writerOver();
  await Promise.all(Array.from({ length: 401 }, (_, index) => write('team', put(`${index}`))));
  expect(appended).toEqual([400, 1]);
});

test('what changes nothing is not written', async () => {
  expect(await writerOver().write('team', nothing)).toEqual({ kind: 'unchanged' });
  expect(appended).toEqual([]);
});

test('a write of a group is judged on what those before it leave', async () => {
  const { write } = writerOver();
  const outcomes = await Promise.all([write('team', putOnce('a')), write('team', putOnce('a'))]);
  expect(outcomes.map(({ kind }) => kind)).toEqual(['written', 'unchanged']);
});

test('times rise with positions, though the clock stands still or goes back', async () => {
  const readings = [5_000, 5_000, 4_000, 6_000];
  const { write } = writerOver({}, () => readings.shift() ?? 0);
  for (const rowKey of ['a', 'b', 'c', 'd']) await write('team', put(rowKey));
  const times = (await items.readFrom('team', 0, { limit: 10 })).map(({ updatedAtMs }) => updatedAtMs);
  expect(times).toEqual([5_000, 5_001, 5_002, 6_000]);
});

test('the times of external keys do not tell how many writes are out of their sight', async () => {
  const draft = (rowKey: string, tier: string) => itemDraft({ rowKey, tier });
  const drafts = Array.from({ length: 30 }, (_, index) =>
    draft(`${index}.md`, index % 10 === 9 ? 'external' : 'team'),
  );
  await pushItems(
    { writer: writerOver() },
    'team',
    { tier: 'team', handle: 'ada', memberId: 'id-of-ada' },
    drafts,
  );
  const rows = await items.readFrom('team', 0, { limit: 100 });
  const shown = rows.filter(({ tier }) => tier === 'external');
  expect(shown.map(({ updatedAtMs }) => updatedAtMs)).toEqual([1_009, 1_019, 1_029]);
  expect(shown.map(({ externalAtMs }) => externalAtMs)).toEqual([1_000, 1_001, 1_002]);
});

test('a group ends with the write that makes it large, and the next one goes on', async () => {
  const { write } = writerOver();
  const large: FeedWrite['judge'] = (current) => {
    const verdict = put('x').judge(current);
    if (verdict.kind !== 'write') return verdict;
    return {
      kind: 'write',
      rowAt: (position) => ({ ...verdict.rowAt(position), json: new Uint8Array(350_000) }),
    };
  };
  const outcomes = ['a', 'b', 'c', 'd', 'e'].map((rowKey) =>
    write('team', {
      rowKey,
      judge(current) {
        const verdict = large(current);
        if (verdict.kind !== 'write') return verdict;
        return { kind: 'write', rowAt: (position) => ({ ...verdict.rowAt(position), rowKey }) };
      },
    }),
  );
  expect((await Promise.all(outcomes)).map(({ kind }) => kind)).toEqual(Array(5).fill('written'));
  expect(appended).toEqual([2, 2, 1]);
});

test('a write whose position another process took is judged again and takes the next', async () => {
  const other = writerOver();
  const { write } = writerOver({
    async append(...change) {
      if (appended.length === 1) await other.write('team', put('taken'));
      return items.append(...change);
    },
  });
  await Promise.all([write('team', put('a')), write('team', putOnce('taken'))]);
  expect(await rows()).toEqual([
    ['taken', 1],
    ['a', 2],
  ]);
});

test('of a group that is written in part, the rest alone is judged again', async () => {
  const { write } = writerOver({
    append: (teamId, changes, history) =>
      items.append(teamId, appended.length === 1 ? changes.slice(0, 1) : changes, history),
  });
  await Promise.all([write('team', put('a')), write('team', put('b')), write('team', put('c'))]);
  expect(appended).toEqual([3, 2]);
  expect(await rows()).toEqual([
    ['a', 1],
    ['b', 2],
    ['c', 3],
  ]);
});

test('a writer that never gets its turn says so', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
  const { write } = writerOver({ append: async () => 0 });
  await expect(write('team', put('a'))).rejects.toMatchObject({ code: 'unavailable' });
  expect(appended).toHaveLength(200);
});

test('removals go on while the store takes nothing else, also among writes that fail', async () => {
  await writerOver().write('team', put('old'));
  const full = new AppError('unavailable', 'The disk is full.');
  const { write } = writerOver({
    append: async (...change) => {
      if (!change[1].every(({ row }) => row.deleted)) throw full;
      return items.append(...change);
    },
  });
  const removal: FeedWrite = {
    rowKey: 'old',
    judge: () => ({
      kind: 'write',
      rowAt: ({ seq, updatedAtMs }) => storedRow('old', seq, { updatedAtMs, revision: 2, deleted: true }),
    }),
  };
  const outcomes = [put('a'), removal, put('b')].map((each) => write('team', each));
  expect(await Promise.allSettled(outcomes)).toMatchObject([
    { reason: full },
    { value: { kind: 'written' } },
    { reason: full },
  ]);
  expect(await rows()).toEqual([['old', 2]]);
});

test('a fault of the store fails the group it hit, and no later one', async () => {
  const outage = new Error('gone');
  const { write } = writerOver({
    append: (...change) => (appended.length === 1 ? Promise.reject(outage) : items.append(...change)),
  });
  const group = await Promise.allSettled([write('team', put('a')), write('team', put('b'))]);
  expect(group.map((result) => result.status === 'rejected' && result.reason)).toEqual([outage, outage]);
  await write('team', put('c'));
  expect(await rows()).toEqual([['c', 1]]);
});

test('writes that may wait are bounded, and those that wait are answered', async () => {
  const held = Promise.withResolvers<void>();
  const { write } = writerOver({
    async head(teamId) {
      await held.promise;
      return items.head(teamId);
    },
  });
  const first = write('team', put('a'));
  // The first group takes its writes from the queue before it reads the head.
  await Promise.resolve();
  const waiting = Array.from({ length: 20_000 }, () => write('team', nothing));
  await expect(write('team', nothing)).rejects.toMatchObject({ code: 'unavailable' });
  held.resolve();
  await first;
  const kinds = (await Promise.all(waiting)).map(({ kind }) => kind);
  expect([kinds.length, new Set(kinds)]).toEqual([20_000, new Set(['unchanged'])]);
});

test('a team does not wait for another', async () => {
  const held = Promise.withResolvers<void>();
  const { write } = writerOver({
    async head(teamId) {
      if (teamId === 'slow') await held.promise;
      return items.head(teamId);
    },
  });
  const slow = write('slow', put('a'));
  await write('team', put('a'));
  held.resolve();
  await slow;
});
