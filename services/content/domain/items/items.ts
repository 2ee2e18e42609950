import { AppError } from '@teammemory/errors/app-error.ts';
import { listVersions, type Reader, type VersionPage, type VersionQuery } from '../feed/feed-page.ts';
import { type FeedRowState, isRemoval, removedRow } from '../feed/feed-row.ts';
import type { FeedStore } from '../feed/feed-store.ts';
import type { FeedWriter, Verdict } from '../feed/feed-writer.ts';
import { checksumFault, type ItemAuthor, mayChange, ownerOf } from './item.ts';

/**
 * Removes an item, durably; removing it again changes nothing. With `baseChecksum` only that version is removed.
 * `noted` runs the removal; it is called only if there is something to remove.
 * @throws AppError `invalid_request` for a malformed checksum, `not_found` if there never was one that the author may
 *   know of, `forbidden_access` for an item that the author sees but may not change, `conflict` if another version is stored, `unavailable`.
 */
export async function deleteItem(
  dependencies: { writer: FeedWriter; audit?: RemovalAudit },
  teamId: string,
  by: ItemAuthor,
  rowKey: string,
  baseChecksum?: string,
): Promise<void> {
  const base = checkedBase(baseChecksum);
  const verdictOn = (current: FeedRowState | undefined) => judgeRemoval(by, current, base);
  const { writer, audit } = dependencies;
  const remove = async () => {
    const { previous } = await writer.write(teamId, {
      rowKey,
      owner: ownerOf(by),
      judge(current) {
        const verdict = verdictOn(current);
        return verdict?.kind === 'write' ? verdict : { kind: 'unchanged' };
      },
    });
    throwUnlessRemoved(verdictOn(previous));
  };
  if (audit === undefined) return remove();
  const stored = verdictOn((await audit.items.find(teamId, [rowKey], by.tier)).get(rowKey));
  if (stored?.kind === 'write') await audit.noted(remove);
  else throwUnlessRemoved(stored);
}

/** How removals are noted. */
export interface RemovalAudit {
  items: Pick<FeedStore, 'find'>;
  noted: (removal: () => Promise<void>) => Promise<void>;
}

/**
 * Returns the checksum of the only version that is to go, in lower case.
 * @throws AppError `invalid_request` for a malformed one.
 */
export function checkedBase(baseChecksum: string | undefined): string | undefined {
  const fault = baseChecksum === undefined ? undefined : checksumFault('base_checksum', baseChecksum);
  if (fault === undefined) return baseChecksum?.toLowerCase();
  const violations = [{ pointer: '/base_checksum', detail: fault.replace('base_checksum ', '') }];
  throw new AppError('invalid_request', `${fault}.`, { violations });
}

/** Throws the error of a removal that is not to be: `not_found`, `forbidden_access`, `conflict`. */
export function throwUnlessRemoved(verdict: RemovalVerdict | undefined): void {
  if (verdict === undefined) throw notFound();
  if (verdict.kind === 'forbidden') {
    throw new AppError(
      'forbidden_access',
      'The access of this key is own, and another member wrote this item last.',
    );
  }
  if (verdict.kind === 'conflict') {
    const { currentChecksum } = verdict;
    throw new AppError('conflict', 'The stored item is not the version to be removed.', { currentChecksum });
  }
}

/** What a removal does to what is stored. */
export type RemovalVerdict = Verdict | { kind: 'forbidden' } | { kind: 'conflict'; currentChecksum: string };

/**
 * Judges a removal. Returns undefined for an item that the author may not know of, exactly as for one that never was.
 * What is gone from the author's sight stays as it is, whichever version was to be removed: a removal whose answer was
 * lost succeeds when it is repeated.
 */
export function judgeRemoval(
  by: ItemAuthor,
  current: FeedRowState | undefined,
  baseChecksum?: string,
): RemovalVerdict | undefined {
  if (!mayKnowOf(by, current)) return undefined;
  if (current.deleted || isOutOfSight(by, current)) return { kind: 'unchanged' };
  if (!mayChange(by, current)) return { kind: 'forbidden' };
  if (baseChecksum !== undefined && baseChecksum !== current.checksum) {
    return { kind: 'conflict', currentChecksum: current.checksum };
  }
  return { kind: 'write', rowAt: (position) => removedRow(current, position, by) };
}

/** Whether an item that the author may know of is hidden from the author now. */
export function isOutOfSight({ tier }: ItemAuthor, current: FeedRowState): boolean {
  return tier === 'external' && current.tier === 'team';
}

function mayKnowOf(by: ItemAuthor, current: FeedRowState | undefined): current is FeedRowState {
  return current !== undefined && (by.tier === 'team' || current.externalAtMs !== null);
}

/**
 * Lists the kept versions of an item before its present one; of a removed item, its last one too.
 * @throws AppError `forbidden_tier` for external readers (an earlier version may have been internal), `not_found`,
 *   `unavailable`.
 */
export async function listItemVersions(
  dependencies: { items: FeedStore },
  reader: Reader,
  query: VersionQuery,
): Promise<VersionPage> {
  if (reader.tier !== 'team') {
    throw new AppError('forbidden_tier', 'Versions are for keys of tier team.');
  }
  const page = await listVersions(dependencies.items, reader.teamId, query);
  if (page === undefined) throw notFound();
  return { ...page, versions: page.versions.filter(({ json }) => !isRemoval(json)) };
}

/** Returns the one answer for an item that is absent, removed or not visible. */
export function notFound(): AppError {
  return new AppError('not_found', 'There is no such item.');
}
