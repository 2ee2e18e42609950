import { actorName, entryFrom, genesisHash, hashOf, type StoredAuditEntry } from './audit-entry.ts';
import type { AuditBounds, AuditStore } from './audit-store.ts';
import { beginningFrom } from './prune-entry.ts';

const entriesPerPage = 500;
/** Entries that one call checks; a caller who wants more goes on behind them. */
const maxEntriesPerCall = 10_000;

/** A place up to which a log was checked. */
export interface CheckedTo {
  sequence: number;
  hash: string;
}

/** What a check of a part of a log found. */
export interface Verification {
  /** The place to begin at was removed as too old, so nothing was compared with its hash. */
  isTooOld?: true;
  /** The entry up to which everything is as it was written. Undefined for an empty log. */
  checked: CheckedTo | undefined;
  /** Whether that is the newest one. */
  isEnd: boolean;
  /** The first thing that is wrong, as a sentence. */
  problem?: string;
}

/**
 * `mustBeOlderThan`: a place that is not kept any more can be excused by its age only if the oldest entry is as old as this.
 *
 * Checks up to 10,000 entries behind a place that was checked before, or from the oldest one that is kept: none is missing,
 * and each is as it was written. A whole log that somebody has written anew is told only by a hash that was noted before.
 * @throws AppError `unavailable`.
 */
export async function verifyLog(
  store: AuditStore,
  after?: CheckedTo,
  mustBeOlderThan = Number.POSITIVE_INFINITY,
): Promise<Verification> {
  const bounds = await store.bounds();
  const found = await verifyWithin(store, bounds, { after, mustBeOlderThan });
  // Old entries may have been removed while they were read.
  const isMoved = found.problem !== undefined && (await store.bounds())?.first !== bounds?.first;
  return isMoved ? verifyLog(store, after, mustBeOlderThan) : found;
}

async function verifyWithin(
  store: AuditStore,
  bounds: AuditBounds | undefined,
  { after, mustBeOlderThan }: { after: CheckedTo | undefined; mustBeOlderThan: number },
): Promise<Verification> {
  if (bounds === undefined) {
    const isEmpty = (await store.newest()) === undefined;
    if (isEmpty && after !== undefined)
      return { checked: undefined, isEnd: false, problem: missing(1, after.sequence) };
    if (isEmpty) return { checked: undefined, isEnd: true };
  }
  const { first = 1, firstPreviousHash = genesisHash } = bounds ?? {};
  // What was checked before may have been removed since, because it is too old.
  const isTooOld = after !== undefined && after.sequence < first - 1;
  const told = isTooOld ? ({ isTooOld } as const) : {};
  const beginning = bounds && (await problemWithBeginning(store, bounds));
  if (beginning !== undefined) return { checked: undefined, isEnd: false, problem: beginning };
  if (isTooOld) {
    const [oldest] = await store.list(first - 1, 1);
    if (oldest !== undefined && oldest.at > mustBeOlderThan)
      return { ...told, checked: undefined, isEnd: false, problem: cutOff(after.sequence, oldest) };
  }
  let checked: CheckedTo =
    after !== undefined && !isTooOld ? after : { sequence: first - 1, hash: firstPreviousHash };
  if (after !== undefined && after.sequence === first - 1 && after.hash !== firstPreviousHash)
    return { checked: undefined, isEnd: false, problem: otherHash(after.sequence) };
  if (after !== undefined && after.sequence >= first) {
    const [stored] = await store.list(after.sequence - 1, 1);
    if (stored?.sequence !== after.sequence || stored.hash !== after.hash)
      return {
        checked: undefined,
        isEnd: false,
        problem: otherHash(after.sequence),
      };
  }
  const end = checked.sequence + maxEntriesPerCall;
  while (checked.sequence < end) {
    const page = await store.list(checked.sequence, entriesPerPage);
    for (const entry of page) {
      const problem = problemOf(entry, checked) ?? problemWithEnd(entry, bounds);
      if (problem !== undefined) return { ...told, checked, isEnd: false, problem };
      checked = { sequence: entry.sequence, hash: entry.hash };
    }
    if (page.length < entriesPerPage) {
      if (bounds !== undefined && checked.sequence < bounds.last) {
        return { checked, isEnd: false, problem: missing(checked.sequence + 1, bounds.last) };
      }
      return { ...told, checked, isEnd: true };
    }
  }
  return { ...told, checked, isEnd: false };
}

function problemOf(entry: StoredAuditEntry, before: CheckedTo): string | undefined {
  const expected = before.sequence + 1;
  if (entry.sequence !== expected) return missing(expected, entry.sequence - 1);
  if (hashOf(before.hash, entry.text) !== entry.hash || !isIndexedByItsText(entry))
    return `Entry ${expected} is not as it was written.`;
  return undefined;
}

/** The entry that tells of the last removal says where the log begins. */
async function problemWithBeginning(
  store: AuditStore,
  { first, firstPreviousHash, prunedBy }: AuditBounds,
): Promise<string | undefined> {
  if (prunedBy === undefined && first === 1) return undefined;
  if (prunedBy === undefined)
    return `The log begins with entry ${first}, and no entry tells of the removal of those before it.`;
  const [entry] = await store.list(prunedBy - 1, 1);
  const told = entry?.sequence === prunedBy ? beginningFrom(entry) : undefined;
  return told?.first === first && told.firstPreviousHash === firstPreviousHash
    ? undefined
    : `The log begins with entry ${first}, which is not what entry ${prunedBy} tells of the removal of old entries.`;
}

function cutOff(sequence: number, oldest: StoredAuditEntry): string {
  const since = new Date(oldest.at).toISOString();
  return (
    `Entry ${sequence} is gone, but not because of its age: the oldest entry, ${oldest.sequence}, is of ${since}, and ` +
    'entries are kept longer. The beginning of the log was cut off, or all of it was written anew.'
  );
}

function otherHash(sequence: number): string {
  return `Entry ${sequence} is not the one that had this hash.`;
}

function missing(first: number, last: number): string {
  return first === last ? `Entry ${first} is missing.` : `Entries ${first} to ${last} are missing.`;
}

function problemWithEnd(entry: StoredAuditEntry, bounds: AuditBounds | undefined): string | undefined {
  const isOther = entry.sequence === bounds?.last && entry.hash !== bounds.lastHash;
  return isOther ? `Entry ${entry.sequence} is not the one that was written last.` : undefined;
}

/** Whether an entry is found by what its text says. */
function isIndexedByItsText({ sequence, at, teamId, actor, text }: StoredAuditEntry): boolean {
  try {
    const entry = entryFrom(text);
    return (
      entry.sequence === sequence &&
      entry.at === at &&
      entry.teamId === teamId &&
      actorName(entry.actor) === actor
    );
  } catch {
    return false;
  }
}
