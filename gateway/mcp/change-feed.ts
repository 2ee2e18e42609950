import { setTimeout as delay } from 'node:timers/promises';
import type { ServerEvent } from '@modelcontextprotocol/server';
import { type FeedPage, type FeedRange, type Memory, MemoryError } from '@teammemory/mcp/memory.ts';
import { resourceUri } from '@teammemory/mcp/resource-uri.ts';
import type { NewestTimes } from '../events/contract.ts';

/** Rows of a page; the most that a list gives. */
const pageRows = 200;
/** The pause before a list that could not be read is read again. */
const retryMs = 1_000;

/** The lists whose rows are resources. */
type ResourceList = 'items' | 'decisions';

/** What a feed of changes needs. */
export interface ChangeFeed {
  /** As the reader of the stream sees it: no event is of a row that it may not see. */
  memory: Memory;
  /** The newest known times of the lists, and whether something may be told now. */
  newest(): NewestTimes;
  mayTell(): boolean;
  /** Resolves when `newest`, `mayTell` or `hasRoom` may have changed, or when `over` aborts. */
  changed(): Promise<void>;
  /** Whether the reader received what was told before. */
  hasRoom(): boolean;
  /** Ends the feed. */
  over: AbortSignal;
}

/**
 * Tells of each resource that changes from now on, and that the list of resources has changed, until it is over. It reads
 * what changed from the lists, from where it was, so it tells of every change, however slow the reader.
 * @throws MemoryError for a refusal that will not pass.
 */
export async function followChanges(feed: ChangeFeed, tell: (event: ServerEvent) => void): Promise<void> {
  const { memory, newest, over } = feed;
  const from = newest();
  const told = { items: from.items, decisions: from.decisions };
  const ranges = { items: startAt(from.items), decisions: startAt(from.decisions) };

  async function until(isSo: () => boolean): Promise<void> {
    for (;;) {
      const changed = feed.changed();
      if (over.aborted || isSo()) return;
      await changed;
    }
  }

  /** Tells of the next page of a list; returns whether there are more. */
  async function tellPage(list: ResourceList): Promise<boolean> {
    const { rowKeys, nextCursor, hasMore } = await readPage(memory, list, ranges[list], over);
    // What the key may see is told only while it is known to be valid.
    await until(feed.mayTell);
    if (over.aborted) return false;
    for (const rowKey of rowKeys) {
      tell({ kind: 'resource_updated', uri: resourceUri(memory.holder.team, rowKey) });
    }
    // A list of resources has titles and times, so that every change of an item changes it. It has items only.
    if (list === 'items' && rowKeys.length > 0) tell({ kind: 'resources_list_changed' });
    ranges[list] = { cursor: nextCursor, limit: pageRows };
    await until(feed.hasRoom);
    return hasMore;
  }

  const isBehind = (list: ResourceList) => newest()[list] !== told[list];
  while (!over.aborted) {
    await until(() => isBehind('items') || isBehind('decisions'));
    for (const list of ['items', 'decisions'] as const) {
      if (!isBehind(list)) continue;
      const time = newest()[list];
      try {
        while (!over.aborted && (await tellPage(list)));
        told[list] = time;
      } catch (error) {
        if (!(error instanceof MemoryError) || !mayPass(error)) throw error;
        await delay(retryMs, undefined, { signal: over }).catch(() => undefined);
      }
    }
  }
}

function startAt(time: string | null): FeedRange {
  return { limit: pageRows, ...(time === null ? {} : { since: time }) };
}

async function readPage(
  memory: Memory,
  list: ResourceList,
  range: FeedRange,
  signal: AbortSignal,
): Promise<Omit<FeedPage<never>, 'rows'> & { rowKeys: string[] }> {
  if (list === 'items') {
    const { rows, ...rest } = await memory.listItems(range, { signal });
    return { ...rest, rowKeys: rows.map(({ row_key }) => row_key) };
  }
  const { rows, ...rest } = await memory.listDecisions(range, { signal });
  return { ...rest, rowKeys: rows.map(({ decision_id }) => `decisions/${decision_id}`) };
}

/** An outage ends, and a fault may be one of a single process. */
function mayPass({ code }: MemoryError): boolean {
  return code === 'unavailable' || code === 'cancelled' || code === 'internal';
}
