import { api } from './api.ts';
import { Problem, problemOf } from './problem.ts';
import { rpc } from './rpc.ts';

const decoder = new TextDecoder();

/** An item whole, as the public API writes it. */
export interface Item {
  row_key: string;
  title: string;
  content: string;
  frontmatter: Record<string, unknown>;
  /** Absent where its author sent none. */
  frontmatter_text?: string;
  tier: 'team' | 'external';
  checksum: string;
  updated_at: string;
  updated_by: string;
  /** Whether a guest wrote it. */
  by_guest?: true;
}

/** An item as it is pushed. */
export interface ItemToPush {
  row_key: string;
  content: string;
  frontmatter: Record<string, unknown>;
  frontmatter_text?: string;
  tier: Item['tier'];
  checksum: string;
  /** Checksum of the version that was edited; null if there must be none. */
  base_checksum: string | null;
}

/** What became of a batch; the items are named by their indexes. */
export interface PushAnswer {
  accepted: number;
  rejected: number;
  errors: { index: number; code: string; detail: string }[];
}

/** Reads an item as it is now. Rejects as the RPC does. */
export async function readItem(rowKey: string, signal?: AbortSignal): Promise<Item> {
  const { itemJson } = await rpc.content.getItem({ rowKey }, signal === undefined ? {} : { signal });
  return JSON.parse(decoder.decode(itemJson));
}

/** Reads an item as it is now; undefined where there is none that the caller sees. */
export async function readItemIfAny(rowKey: string, signal?: AbortSignal): Promise<Item | undefined> {
  try {
    return await readItem(rowKey, signal);
  } catch (thrown) {
    const problem = problemOf(thrown);
    if (problem.code !== 'not_found') throw problem;
    return undefined;
  }
}

/** An item by its name. */
export interface NamedItem {
  row_key: string;
  title: string;
}

/** Finds items by parts of their title or path, 20 at most. Rejects as the RPC does. */
export async function findItems(
  words: string,
  signal?: AbortSignal,
): Promise<{ items: NamedItem[]; hasMore: boolean }> {
  const { items, hasMore } = await rpc.query.findItems({ words }, signal === undefined ? {} : { signal });
  return { items: items.map(({ rowKey, title }) => ({ row_key: rowKey, title })), hasMore };
}

/** Pushes items, each on its own. @throws Problem if none was accepted. */
export function pushItems(items: readonly ItemToPush[]): Promise<PushAnswer> {
  return api<PushAnswer>('POST', '/items', { items });
}

/** Pushes one item. @throws Problem, with code `conflict` where the stored version is not the one that was edited. */
export async function pushItem(item: ItemToPush): Promise<void> {
  const [refusal] = (await pushItems([item])).errors;
  if (refusal !== undefined) throw new Problem(refusal.code, refusal.detail);
}
