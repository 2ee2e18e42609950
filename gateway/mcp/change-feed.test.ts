import type { ServerEvent } from '@modelcontextprotocol/server';
import { type FeedRange, type Memory, MemoryError } from '@teammemory/mcp/memory.ts';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { followChanges } from './change-feed.ts';

/** Row keys of the items in the order of their changes; the time and the cursor of each is its index. */
let items: string[];
let newest: { items: string | null; tasks: null; decisions: null };
let [mayTell, hasRoom] = [true, true];
let failure: MemoryError | undefined;
let asked: FeedRange[];
let told: string[];
let wake: () => void;
let pageRows: number;

beforeEach(() => {
  [items, asked, told, pageRows] = [['old.md'], [], [], 2];
  [mayTell, hasRoom, failure] = [true, true, undefined];
  newest = { items: '0', tasks: null, decisions: null };
  wake = () => {};
});

async function listItems(range: FeedRange) {
  asked.push(range);
  if (failure !== undefined) throw failure;
  const after = Number(range.cursor ?? range.since ?? -1) + 1;
  const rows = items.slice(after, after + pageRows).map((row_key) => ({ row_key }));
  const nextCursor = String(after + rows.length - 1);
  return { rows, nextCursor, hasMore: after + rows.length < items.length };
}

function change(...rowKeys: string[]): void {
  items.push(...rowKeys);
  newest = { ...newest, items: String(items.length - 1) };
  wake();
}

function follow() {
  const ending = new AbortController();
  const over = ending.signal;
  over.addEventListener('abort', () => wake());
  onTestFinished(() => ending.abort());
  const memory = { holder: { team: 'blue' }, listItems } as unknown as Memory;
  const feed = {
    memory,
    over,
    newest: () => newest,
    mayTell: () => mayTell,
    hasRoom: () => hasRoom,
    changed: () =>
      new Promise<void>((resolve) => {
        wake = resolve;
      }),
  };
  const tell = (event: ServerEvent) => told.push('uri' in event ? event.uri : event.kind);
  return { ended: followChanges(feed, tell), end: () => ending.abort() };
}

const list = 'resources_list_changed';

test('what changed before is not told, and of many changes none is missed', async () => {
  const feed = follow();
  change('a.md', 'b.md', 'a.md');
  await eventually('the last change', () => told.length === 5);
  expect(told).toEqual(['tms://blue/a.md', 'tms://blue/b.md', list, 'tms://blue/a.md', list]);
  expect(asked).toEqual([
    { since: '0', limit: 200 },
    { cursor: '2', limit: 200 },
  ]);
  feed.end();
  await feed.ended;
});

test('a team without rows is told of its first ones', async () => {
  items = [];
  newest = { ...newest, items: null };
  follow();
  change('first.md');
  await eventually('the first item', () => told.length === 2);
  expect(told).toEqual(['tms://blue/first.md', list]);
});

test('nothing is told while the key is not known to be valid, and everything afterwards', async () => {
  follow();
  mayTell = false;
  change('a.md');
  await eventually('the page', () => asked.length === 1);
  wake();
  expect(told).toEqual([]);
  mayTell = true;
  wake();
  await eventually('the change', () => told.length === 2);
});

test('no page is read for a reader who has not received the one before', async () => {
  follow();
  hasRoom = false;
  change('a.md', 'b.md', 'c.md');
  await eventually('the first page', () => told.length === 3);
  wake();
  expect(asked).toHaveLength(1);
  hasRoom = true;
  wake();
  await eventually('the second page', () => told.length === 5);
});

test('an outage is waited out, and a refusal that will not pass ends the feed', async () => {
  const feed = follow();
  failure = new MemoryError('unavailable', 'Content is away.');
  change('a.md');
  await eventually('the first attempt', () => asked.length === 1);
  failure = undefined;
  await eventually('the change', () => told.length === 2);
  failure = new MemoryError('invalid_cursor', 'No such cursor.');
  change('b.md');
  await expect(feed.ended).rejects.toMatchObject({ code: 'invalid_cursor' });
});
