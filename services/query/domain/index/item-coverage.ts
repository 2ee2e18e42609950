import { AppError } from '@teammemory/errors/app-error.ts';
import { type PassageStore, passagesFromJson } from '../passages/passage-store.ts';
import type { IndexedItem } from './index-host.ts';
import type { TeamIndexes, Viewer } from './team-indexes.ts';

/** Items of which one call tells. */
export const maxCoveredItems = 200;
/** An item may change between the index and its row being read; the next attempt sees one state in both as a rule. */
const maxAttempts = 3;

/**
 * Why an item is not found, or not all of it: it has no text, its text could not be cut into passages, or the index has
 * no more memory.
 */
export type CoverageReason = 'no_text' | 'not_readable' | 'no_memory';

/** How much of an item a search finds. */
export interface ItemCoverage extends IndexedItem {
  rowKey: string;
  /** Absent where all of it is found. */
  reason?: CoverageReason;
}

/**
 * Tells of items how much of them a search by this viewer finds, after bringing the index up to date. Items that are
 * absent, removed or not visible to the viewer are left out.
 * @throws AppError `invalid_request` for no items or too many, `unavailable`, and the signal's reason when it aborts.
 */
export async function listItemCoverage(
  { indexes, passages }: { indexes: TeamIndexes; passages: PassageStore },
  rowKeys: readonly string[],
  { viewer, signal }: { viewer: Viewer; signal: AbortSignal },
): Promise<ItemCoverage[]> {
  if (rowKeys.length === 0 || rowKeys.length > maxCoveredItems) throw notThatMany();
  const { teamId, tier } = viewer;
  const wanted = [...new Set(rowKeys)];
  const known = new Map<string, ItemCoverage | undefined>();
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const unknown = wanted.filter((rowKey) => !known.has(rowKey));
    const { items, upTo } = await indexes.use(viewer, signal, (host) =>
      host.indexedItems(teamId, { tier, rowKeys: unknown }),
    );
    for (const rowKey of unknown) {
      const indexed = items.get(rowKey);
      if (indexed !== undefined) {
        known.set(rowKey, { rowKey, ...indexed, ...(isWhole(indexed) ? {} : { reason: 'no_memory' }) });
        continue;
      }
      signal.throwIfAborted();
      const row = await passages.findItem(teamId, rowKey);
      const shown = row && isVisible(row, tier) ? row : undefined;
      // What came after the index was read may be in it by now.
      if (shown !== undefined && shown.seq > upTo) continue;
      known.set(rowKey, shown && coverageOfRow(rowKey, shown.json));
    }
    if (unknown.every((rowKey) => known.has(rowKey)))
      return wanted.map((rowKey) => known.get(rowKey)).filter((coverage) => coverage !== undefined);
  }
  throw new AppError('unavailable', 'The items change faster than they are indexed; ask again.');
}

/**
 * The same of one item.
 * @throws AppError `not_found` for an item that is absent, removed or not visible; else as `listItemCoverage`.
 */
export async function readItemCoverage(
  dependencies: { indexes: TeamIndexes; passages: PassageStore },
  rowKey: string,
  asking: { viewer: Viewer; signal: AbortSignal },
): Promise<ItemCoverage> {
  const [coverage] = await listItemCoverage(dependencies, [rowKey], asking);
  if (coverage === undefined) throw new AppError('not_found', 'There is no such item.');
  return coverage;
}

function isWhole({ passages, searchable }: IndexedItem): boolean {
  return searchable === passages;
}

function isVisible({ tier }: { tier: Viewer['tier'] }, viewerTier: Viewer['tier']): boolean {
  return viewerTier === 'team' || tier === 'external';
}

/** What the row of an item tells of which the index has nothing; undefined for a removed one, which has no title. */
function coverageOfRow(rowKey: string, json: string): ItemCoverage | undefined {
  const { title, passages, isRefused } = passagesFromJson(json);
  if (title === '') return undefined;
  const reason = passages.length > 0 ? 'no_memory' : isRefused ? 'not_readable' : 'no_text';
  return { rowKey, passages: passages.length, searchable: 0, reason };
}

function notThatMany(): AppError {
  const detail = `must have 1 to ${maxCoveredItems} elements`;
  const violations = [{ pointer: '/row_keys', detail }];
  return new AppError('invalid_request', `The row_keys ${detail}.`, { violations });
}
