import { AppError } from '@teammemory/errors/app-error.ts';
import type { ItemStore, ItemVersion } from './item-store.ts';
import { pageLimits, pageMaxBytes } from './list-items.ts';
import type { Tier } from './tier.ts';

/** Versions of a row, newest first; `nextRevision` is 0 on the last page. */
export interface VersionPage {
  versions: ItemVersion[];
  nextRevision: number;
}

/** Which versions are wanted. */
export interface VersionQuery {
  rowKey: string;
  /** `nextRevision` of the page before; 0 for the first. */
  beforeRevision: number;
  /** 0 for the default. */
  limit: number;
}

/**
 * Lists the kept versions of an item before its present one, of a removed item
 * the last one included.
 * @throws AppError `forbidden_tier` for external readers (an earlier version
 *   may have been internal), `not_found`, `unavailable`.
 */
export async function listItemVersions(
  dependencies: { items: ItemStore },
  reader: { teamId: string; tier: Tier },
  query: VersionQuery,
): Promise<VersionPage> {
  if (reader.tier !== 'team') {
    throw new AppError('forbidden_tier', 'Versions are for keys of tier team.');
  }
  const page = await listVersions(dependencies.items, reader.teamId, query);
  if (page === undefined) throw new AppError('not_found', 'There is no such item.');
  return page;
}

/** Lists the kept versions of a row of any list before its present one; undefined where there is none. */
export async function listVersions(
  rows: ItemStore,
  teamId: string,
  query: VersionQuery,
): Promise<VersionPage | undefined> {
  const current = (await rows.find(teamId, [query.rowKey])).get(query.rowKey);
  if (current === undefined) return undefined;
  // A version at the present revision is the trace of a write that lost its race.
  const beforeRevision = Math.min(query.beforeRevision || current.revision, current.revision);
  const limit = Math.min(query.limit || pageLimits.default, pageLimits.maximum);
  const range = { beforeRevision, limit: limit + 1, maxBytes: pageMaxBytes };
  const versions = await rows.versions(teamId, query.rowKey, range);
  const bytes = versions.reduce((sum, { json }) => sum + json.length, 0);
  const hasMore = versions.length > limit || bytes > pageMaxBytes;
  if (hasMore && versions.length > 1) versions.pop();
  return { versions, nextRevision: hasMore ? (versions.at(-1)?.revision ?? 0) : 0 };
}
