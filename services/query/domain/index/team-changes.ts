import { AppError } from '@teammemory/errors/app-error.ts';
import type { FeedItem, FeedPositions, ItemFeed, RowFeed } from '../passages/feeds.ts';
import type { ChangesPage, PassageStore, StoredItem } from '../passages/passage-store.ts';
import { decisionChange, decisionDocument, taskChange } from '../rows/row.ts';
import type { IndexChanges } from './index-host.ts';

/** Rows that are read and handed to the index at once: some milliseconds of the event loop. */
const pageOfChanges: ChangesPage = { rows: 500, characters: 2 ** 20 };

/** Items that are read at once at most, and at first; a page of the feed has 8 MiB at most, and as a rule less than one. */
const maxItemsPerPage = 200;
const firstItemsPerPage = 4;
/** Half as many are read next behind a page of more characters than this, else twice as many. */
const maxCharactersPerPage = 2 ** 20;
/** Pages that may be empty, because their rows keep moving on, before the feed counts as faulty. */
const maxEmptyPages = 20;

/**
 * Brings a team's stored passages up to date with its item feed: reads on from
 * the stored cursor, replaces the rows of changed items, then moves the
 * cursor, until nothing newer is there. Every item acknowledged before the
 * call is shown by the rows after it. Returns how many positions it went on by.
 * `cut` makes rows of items, beside the event loop.
 *
 * Interrupted anywhere it goes on where it was; two at once, in one process or
 * in several, do the same work twice and leave the same rows. When `signal`
 * aborts it ends after the page at hand, behind its feed.
 */
export async function catchUp(
  teamId: string,
  dependencies: {
    feed: ItemFeed;
    passages: PassageStore;
    cut: (items: readonly FeedItem[]) => Promise<readonly StoredItem[]>;
    /** Removes for good what else was made of erased items. */
    erase?: (rowKeys: readonly string[]) => Promise<void>;
    /** Identity of content's data. */
    dataId?: string;
    signal?: AbortSignal;
  },
): Promise<number> {
  const { feed, passages, cut, erase, dataId, signal } = dependencies;
  const start = await passages.cursor(teamId);
  let position = start;
  let limit = firstItemsPerPage;
  const read = async (after: number) => {
    const { items: rows, headSeq } = await feed.read(teamId, after, limit);
    const characters = rows.reduce((sum, { content }) => sum + content.length, 0);
    limit =
      characters > maxCharactersPerPage ? Math.max(1, limit >> 1) : Math.min(maxItemsPerPage, 2 * limit);
    return { rows, headSeq };
  };
  for await (const items of pages(teamId, read, start)) {
    await passages.replaceItems(teamId, await cut(items), dataId);
    const erased = items.filter(({ isErased }) => isErased).map(({ rowKey }) => rowKey);
    if (erased.length > 0) await erase?.(erased);
    position = items.at(-1)?.seq ?? position;
    await passages.advanceCursor(teamId, position);
    if (signal?.aborted) break;
  }
  return position - start;
}

/** Everything that `changesSince` reads. */
export interface ChangesSource {
  passages: PassageStore;
  feed: RowFeed;
  /** Cuts texts into the rows of their passages. */
  cut: (items: readonly FeedItem[]) => Promise<readonly StoredItem[]>;
  /** Removes for good what else was made of erased texts. */
  erase: (rowKeys: readonly string[]) => Promise<void>;
  /** How far the lists go. */
  heads: FeedPositions;
}

/**
 * Yields a team's changes since an index was brought up to `start`, to be applied one after the other; the last one has
 * the new positions.
 * @throws what store, feed and `cut` throw.
 */
export async function* changesSince(
  teamId: string,
  start: FeedPositions,
  source: ChangesSource,
): AsyncGenerator<IndexChanges> {
  const { passages, feed, cut, erase, heads } = source;
  const items = Math.max(start.items, await passages.cursor(teamId));
  // Reads on beyond the cursor: a row changed meanwhile has moved there, and would be missed. But
  // what is there may still have gaps, so the position, from where the next reading starts, stays behind.
  for (let after = start.items; ; ) {
    const documents = await passages.changesAfter(teamId, after, pageOfChanges);
    if (documents.length === 0) break;
    yield { documents };
    after = documents.at(-1)?.seq ?? after;
  }
  let { decisions, tasks, projects } = start;
  if (decisions < heads.decisions)
    for await (const rows of pages(teamId, (after) => feed.decisions(teamId, after), decisions)) {
      const documents = rows.map(decisionDocument);
      const erased = documents.filter(({ isErased }) => isErased).map(({ rowKey }) => rowKey);
      if (erased.length > 0) await erase(erased);
      yield { documents: await cut(documents), rows: rows.map(decisionChange) };
      decisions = rows.at(-1)?.seq ?? decisions;
    }
  if (tasks < heads.tasks)
    for await (const rows of pages(teamId, (after) => feed.tasks(teamId, after), tasks)) {
      yield { rows: rows.map(taskChange), erases: rows.some((row) => row.isGone && row.isErased) };
      tasks = rows.at(-1)?.seq ?? tasks;
    }
  if (projects !== heads.projects) {
    const slugs: string[] = [];
    for await (const page of feed.projects(teamId)) {
      yield { projects: { version: heads.projects, projects: page } };
      slugs.push(...page.map(({ slug }) => slug));
    }
    yield { allProjects: { version: heads.projects, slugs } };
    projects = heads.projects;
  }
  yield { positions: { dataId: heads.dataId, items, decisions, tasks, projects } };
}

/**
 * The pages of a feed up to its present head, not to one known before: a row changed meanwhile stands behind that, and
 * nowhere else.
 */
async function* pages<Row extends { seq: number }>(
  teamId: string,
  read: (afterSeq: number) => Promise<{ rows: readonly Row[]; headSeq: number }>,
  start: number,
): AsyncGenerator<readonly Row[]> {
  let position = start;
  for (let emptyPages = 0; emptyPages <= maxEmptyPages; ) {
    const { rows, headSeq } = await read(position);
    const last = rows.at(-1);
    if (last === undefined) {
      if (headSeq <= position) return;
      // The rows there moved on while they were read.
      emptyPages += 1;
      continue;
    }
    if (last.seq <= position) break;
    yield rows;
    position = last.seq;
    if (position >= headSeq) return;
  }
  throw feedStandsStill(teamId, position);
}

function feedStandsStill(teamId: string, position: number): AppError {
  const cause = new Error(`a feed of team ${teamId} answered nothing behind ${position}`);
  return new AppError('internal', 'Something went wrong on our side.', { cause });
}
