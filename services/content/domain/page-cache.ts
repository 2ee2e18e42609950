import type { ItemStore } from './item-store.ts';
import { listItems, type PageQuery, type ReadyPage, readyPage } from './list-items.ts';
import type { Tier } from './tier.ts';

/** Memory for pages: a few hundred of 50 items of 2 KB, which is what a team's members poll at one time. */
const defaultMaxBytes = 32 * 1024 * 1024;
/** What a page costs beside its bytes: its name, its cursor and the entry. */
const overheadBytes = 1_024;

/** Reads pages of items, as `listItems` does. */
export type PageReader = (reader: { teamId: string; tier: Tier }, query: PageQuery) => Promise<ReadyPage>;

/**
 * Remembers pages while their team's feed stands still, for many clients read
 * the same ones. The head is read before the page, so a page is never older
 * than the head it is kept under, and any change of the team gives a new head.
 */
export function createPageCache(dependencies: { items: ItemStore; maxBytes?: number }): PageReader {
  const { items, maxBytes = defaultMaxBytes } = dependencies;
  /** By what was asked for, the one not used for longest first. */
  const pages = new Map<string, { headSeq: number; page: ReadyPage }>();
  let bytes = 0;

  function forget(name: string): void {
    const kept = pages.get(name);
    if (kept === undefined) return;
    bytes -= sizeOf(kept.page);
    pages.delete(name);
  }

  function keep(name: string, headSeq: number, page: ReadyPage): void {
    forget(name);
    pages.set(name, { headSeq, page });
    bytes += sizeOf(page);
    for (const oldest of pages.keys()) {
      if (bytes <= maxBytes) return;
      forget(oldest);
    }
  }

  return async (reader, query) => {
    const { seq } = await items.head(reader.teamId);
    const name = nameOf(reader, query);
    const kept = pages.get(name);
    if (kept?.headSeq === seq) {
      keep(name, seq, kept.page);
      return kept.page;
    }
    const page = readyPage(await listItems({ items }, reader, query), 'row_key');
    keep(name, seq, page);
    return page;
  };
}

function nameOf({ teamId, tier }: { teamId: string; tier: Tier }, query: PageQuery): string {
  return JSON.stringify([teamId, tier, query.sinceMs, query.cursor, query.limit, query.includeDeleted]);
}

function sizeOf(page: ReadyPage): number {
  return page.json.length + overheadBytes;
}
