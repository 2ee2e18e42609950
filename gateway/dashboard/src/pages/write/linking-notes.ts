import { hasAllItems, teamItems } from '../../data/team-items.ts';
import { feedPageRows, rowsOf } from '../../data/use-feed.ts';
import { t } from '../../language/language.ts';
import { storeContent, untilStored } from '../../service/edit-content.ts';
import { type Item, readItem } from '../../service/items.ts';
import { type Problem, problemOf } from '../../service/problem.ts';
import { rpc } from '../../service/rpc.ts';
import { mayChange } from '../../service/session.ts';
import { type Move, nameOf, withMovedLinks } from './moved-links.ts';

/** A note with links to one that was moved. */
export interface LinkingNote {
  path: string;
  count: number;
  /** Why they cannot be changed; undefined if they can. */
  closed?: string;
}

/** A note whose links could not be changed. */
export interface Unchanged {
  path: string;
  problem: Problem;
}

/** Reads all notes and returns those whose links do not lead to a note any more since it was moved, itself among them. */
export async function findLinks(
  from: string,
  to: string,
  { onRead, signal }: { onRead: (notes: number) => void; signal: AbortSignal },
): Promise<LinkingNote[]> {
  const found: LinkingNote[] = [];
  const move = moveOf(from, to);
  let cursor = '';
  for (let [read, hasMore] = [0, true]; hasMore; ) {
    const { page } = await rpc.content.listItems({ page: { cursor, limit: feedPageRows } }, { signal });
    const items = rowsOf<Item>(page);
    for (const item of items) {
      const note = await linksOf(item, move);
      if (note !== undefined) found.push(note);
    }
    read += items.length;
    onRead(read);
    cursor = page?.nextCursor ?? '';
    hasMore = page?.hasMore === true;
  }
  return found;
}

async function linksOf(item: Item, move: Move): Promise<LinkingNote | undefined> {
  const path = item.row_key;
  try {
    const { count } = await withMovedLinks(item.content, path, move);
    if (count === 0) return undefined;
    return mayChange(item) ? { path, count } : { path, count, closed: t('others wrote it last') };
  } catch (thrown) {
    return { path, count: 0, closed: problemOf(thrown).message };
  }
}

/** Changes the links of notes, one after the other, in what is stored by then. Returns those that could not be changed. */
export async function changeLinks(
  from: string,
  to: string,
  notes: readonly LinkingNote[],
): Promise<Unchanged[]> {
  const unchanged: Unchanged[] = [];
  const move = moveOf(from, to);
  for (const { path } of notes) {
    try {
      await untilStored(async () => {
        const item = await readItem(path);
        const { text, count } = await withMovedLinks(item.content, path, move);
        if (count > 0) await storeContent(item, text);
      });
    } catch (thrown) {
      unchanged.push({ path, problem: problemOf(thrown) });
    }
  }
  return unchanged;
}

function moveOf(from: string, to: string): Move {
  const others = new Set<string>();
  for (const { row_key } of teamItems.value) {
    if (row_key === from || row_key === to) continue;
    others.add(nameOf(row_key));
  }
  return { from, to, isOnly: (name) => hasAllItems.value && !others.has(name) };
}
