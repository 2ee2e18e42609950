import { rpc } from '../service/rpc.ts';

/** An item without its text. */
export interface ItemSummary {
  row_key: string;
  title: string;
  tier: 'team' | 'external';
  checksum: string;
  /** ISO 8601. */
  updated_at: string;
  /** Handle of the member who wrote it. */
  updated_by: string;
  /** Whether a guest wrote it. */
  by_guest?: true;
}

/** The most that one call reads. */
const readAtOnce = 200;
const decoder = new TextDecoder();

/** Reads those of some items that this session sees, by row_key. Rejects as the RPC does. */
export async function readSummaries(
  rowKeys: readonly string[],
  signal: AbortSignal,
): Promise<Map<string, ItemSummary>> {
  const found = new Map<string, ItemSummary>();
  let unread = [...new Set(rowKeys)];
  while (unread.length > 0) {
    const asked = unread.slice(0, readAtOnce);
    const answer = await rpc.content.getItemSummaries({ rowKeys: asked }, { signal });
    const items: ItemSummary[] = JSON.parse(decoder.decode(answer.itemsJson));
    for (const item of items) found.set(item.row_key, item);
    unread = [...answer.unreadRowKeys, ...unread.slice(readAtOnce)];
  }
  return found;
}
