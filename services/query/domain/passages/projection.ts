import { AppError } from '@teammemory/errors/app-error.ts';
import type { FeedItem, ItemFeed } from './item-feed.ts';
import type { PassageStore, StoredItem } from './passage-store.ts';
import { passagesToJson } from './passage-store.ts';
import { cutIntoPassages } from './passages.ts';
import { withTextFields } from './text-fields.ts';

/** Items that are read at once at most, and at first; a page of the feed has 8 MiB at most, and as a rule less than one. */
const maxItemsPerPage = 200;
const firstItemsPerPage = 4;
/** Half as many are read next behind a page of more characters than this, else twice as many. */
const maxCharactersPerPage = 2 ** 20;
/** Pages that may be empty, because their rows keep moving on, before the feed counts as faulty. */
export const maxEmptyPages = 20;

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
  const start = await dependencies.passages.cursor(teamId);
  let position = start;
  let limit = firstItemsPerPage;
  let emptyPages = 0;
  // Up to the present head, not that of the call: an item changed meanwhile stands behind it, and nowhere else.
  while (!dependencies.signal?.aborted) {
    const { items, headSeq } = await dependencies.feed.read(teamId, position, limit);
    const last = items.at(-1);
    if (last === undefined && headSeq <= position) break;
    if (last === undefined) {
      // The rows there moved on while they were read.
      emptyPages += 1;
      if (emptyPages > maxEmptyPages) throw feedStandsStill(teamId, position);
      continue;
    }
    if (last.seq <= position) throw feedStandsStill(teamId, position);
    await dependencies.passages.replaceItems(teamId, await dependencies.cut(items), dependencies.dataId);
    const erased = items.filter(({ isErased }) => isErased).map(({ rowKey }) => rowKey);
    if (erased.length > 0) await dependencies.erase?.(erased);
    await dependencies.passages.advanceCursor(teamId, last.seq);
    position = last.seq;
    if (position >= headSeq) break;
    const characters = items.reduce((sum, { content }) => sum + content.length, 0);
    limit =
      characters > maxCharactersPerPage ? Math.max(1, limit >> 1) : Math.min(maxItemsPerPage, 2 * limit);
  }
  return position - start;
}

/** Cuts items into their rows. 1 MiB can take half a second: to be called beside the event loop. */
export function cutItems(items: readonly FeedItem[]): StoredItem[] {
  return items.map(({ seq, rowKey, kind, tier, title, content, fields, writerId, isErased }) => {
    const passages = cutIntoPassages(content);
    return {
      seq,
      rowKey,
      ...(kind && { kind }),
      tier,
      writerId,
      json: passagesToJson({
        title,
        passages,
        ...(fields && passages.length > 0 && { fields: withTextFields(fields, title, content) }),
        isErased,
      }),
    };
  });
}

function feedStandsStill(teamId: string, position: number): AppError {
  const cause = new Error(`the item feed of team ${teamId} answered nothing behind ${position}`);
  return new AppError('internal', 'Something went wrong on our side.', { cause });
}
