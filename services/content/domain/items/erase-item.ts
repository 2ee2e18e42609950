import { AppError } from '@teammemory/errors/app-error.ts';
import { maxPageBytes } from '../feed/feed-page.ts';
import { erasedRow, type FeedRowState, isErased } from '../feed/feed-row.ts';
import type { FeedStore } from '../feed/feed-store.ts';
import type { FeedWriter } from '../feed/feed-writer.ts';
import type { Projection } from '../feed/progress.ts';
import { type ItemAuthor, ownerOf } from './item.ts';
import { summaryOf, type VersionSummary } from './item-history.ts';
import { checkedBase, isOutOfSight, judgeRemoval, type RemovalAudit, throwUnlessRemoved } from './items.ts';

/** Versions that are read from the store at once. */
const maxReadVersions = 50;
/** How often an erasure starts again because the item changed in the meantime. */
const maxAttempts = 20;

interface ErasureDependencies {
  items: FeedStore;
  writer: FeedWriter;
  /** Follows the erasure, and has ended it when it has caught up. */
  projection: Pick<Projection, 'catchUp'>;
  /** Runs the erasure; called only if there is something to erase. */
  noted: RemovalAudit['noted'];
}

/**
 * Erases an item: removes it as `deleteItem` does, with its versions, and with the titles of its tasks, for good. A removed
 * item can be erased too. Once this returns, nothing of it is in the store; if it fails, what has begun is ended by the
 * projection, and repeating it waits for that.
 *
 * An erasure cannot be undone, so it reaches no further than the key's right to write: access `own` erases back to the
 * newest version of another member, and an external key back to the newest version that was hidden from it. A key that
 * pushes a new item over the name of a removed one must not destroy what others wrote under that name.
 * @throws AppError as `deleteItem`.
 */
export async function eraseItem(
  dependencies: ErasureDependencies,
  teamId: string,
  by: ItemAuthor,
  rowKey: string,
  baseChecksum?: string,
): Promise<void> {
  const { items, projection, noted } = dependencies;
  const base = checkedBase(baseChecksum);
  const found = async () => erasable(items, teamId, by, { rowKey, base });
  const first = await found();
  // What was erased before may not be gone yet.
  if (first === undefined) return projection.catchUp(teamId);
  await noted(async () => {
    let erasure: Erasure | undefined = first;
    for (let attempt = 0; erasure !== undefined; attempt += 1) {
      if (attempt === maxAttempts)
        throw new AppError('unavailable', 'The item changes too often; try again shortly.');
      if (await erase(dependencies, teamId, by, erasure)) break;
      erasure = await found();
    }
    await projection.catchUp(teamId);
  });
}

/** What an erasure is to do: to which state of an item, and from which revision on. */
interface Erasure {
  current: FeedRowState;
  from: number;
}

/** Writes the erased row; returns false if the item has changed in the meantime. */
async function erase(
  { writer }: ErasureDependencies,
  teamId: string,
  by: ItemAuthor,
  { current, from }: Erasure,
): Promise<boolean> {
  const { kind } = await writer.write(teamId, {
    rowKey: current.rowKey,
    owner: ownerOf(by),
    judge: (now) =>
      now?.seq === current.seq
        ? { kind: 'write', rowAt: (position) => erasedRow(current, position, { from, by }) }
        : { kind: 'unchanged' },
  });
  return kind === 'written';
}

/** Returns what an author may erase of an item; undefined if nothing of it is left in the author's reach. */
async function erasable(
  items: FeedStore,
  teamId: string,
  by: ItemAuthor,
  { rowKey, base }: { rowKey: string; base: string | undefined },
): Promise<Erasure | undefined> {
  const current = (await items.find(teamId, [rowKey], by.tier)).get(rowKey);
  const verdict = judgeRemoval(by, current, base);
  throwUnlessRemoved(verdict);
  if (current === undefined || isOutOfSight(by, current)) return undefined;
  const isUnbounded = by.tier === 'team' && by.access !== 'own';
  const from = isUnbounded ? 1 : await reachOf(items, teamId, by, current);
  const known = isErased(current) ? current.erasedFrom : current.revision;
  const isNews = !current.deleted || from < known || (from === 1 && !isErased(current));
  return isNews ? { current, from } : undefined;
}

/** Returns the lowest revision that is reached without passing one that the author may not erase. */
async function reachOf(
  items: FeedStore,
  teamId: string,
  by: ItemAuthor,
  { rowKey, revision }: FeedRowState,
): Promise<number> {
  for (let from = revision; ; ) {
    const range = { beforeRevision: from, limit: maxReadVersions, maxBytes: maxPageBytes };
    const versions = await items.versions(teamId, rowKey, range);
    if (versions.length === 0) return from;
    for (const version of versions) {
      if (!mayErase(by, summaryOf(version.json))) return from;
      from = version.revision;
    }
  }
}

function mayErase(by: ItemAuthor, version: Omit<VersionSummary, 'revision'>): boolean {
  if (by.tier === 'external' && version.tier !== 'external') return false;
  return by.access !== 'own' || version.deleted === true || isOf(by, version);
}

/** Whether a version is by this member, and not by a former one whose handle was given to this member. */
function isOf({ handle, memberId }: ItemAuthor, version: Omit<VersionSummary, 'revision'>): boolean {
  return version.updated_by === handle && Date.parse(version.updated_at) >= addedAtMs(memberId);
}

/** Returns when a member was added: the id is a UUID of version 7, which begins with the time. NaN for any other. */
function addedAtMs(memberId = ''): number {
  return Number.parseInt(memberId.replace('-', '').slice(0, 12), 16);
}
