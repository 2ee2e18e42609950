import { t } from '../../language/language.ts';
import { storeContent, untilStored } from '../../service/edit-content.ts';
import { findItems, type Item, readItem, readItemIfAny } from '../../service/items.ts';
import { type Problem, problemOf } from '../../service/problem.ts';
import { rpc } from '../../service/rpc.ts';
import { mayChange } from '../../service/session.ts';
import { type Move, mayName, nameOf, withMovedLinks } from './moved-links.ts';

/** Passages that are searched for, the most that a search finds. */
const maxPassages = 1_000;
/** Notes that are read: each takes a call. */
const maxNotes = 200;

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

/**
 * Returns notes whose links do not lead to a note any more since it was moved, itself among them: of those that a search for
 * its path finds, the best 200.
 */
export async function findLinks(
  from: string,
  to: string,
  { onRead, signal }: { onRead: (notes: number) => void; signal: AbortSignal },
): Promise<LinkingNote[]> {
  const found: LinkingNote[] = [];
  const move = await moveOf(from, to, signal);
  const { passages } = await rpc.query.search(
    { question: from, limit: maxPassages, kind: 'item' },
    { signal },
  );
  const naming = passages.filter(({ text }) => mayName(text, nameOf(from)));
  const paths = [...new Set([to, ...naming.map(({ rowKey }) => rowKey)])].slice(0, maxNotes);
  for (const [read, path] of paths.entries()) {
    const item = await readItemIfAny(path, signal);
    const note = item && (await linksOf(item, move));
    if (note !== undefined) found.push(note);
    onRead(read + 1);
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
  const move = await moveOf(from, to);
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

async function moveOf(from: string, to: string, signal?: AbortSignal): Promise<Move> {
  const only = new Set<string>();
  for (const name of new Set([nameOf(from), nameOf(to)])) {
    const { items, hasMore } = await findItems(`/${name}`, signal);
    const others = items.filter(
      ({ row_key }) => row_key !== from && row_key !== to && nameOf(row_key) === name,
    );
    if (others.length === 0 && !hasMore) only.add(name);
  }
  return { from, to, isOnly: (name) => only.has(name) };
}
