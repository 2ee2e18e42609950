import { type Charge, type FeedRow, type FeedRowState, isErased } from './feed-row.ts';
import type { FeedChange, Usage, UsageByOwner } from './feed-store.ts';

/** The owner of everything that a team has. Members own parts of it. */
export const wholeTeam = '';
/**
 * Rows, removed ones included, for each text that is allowed. A removed row stays as a mark for followers of the feed.
 * Without this bound somebody who adds and removes rows could fill the disk with marks.
 */
const rowsPerText = 10;

/** The most that an owner may have. */
export interface Share {
  /** Rows that have a text. */
  texts: number;
  bytes: number;
}

/** The shares of one feed. */
export interface Quota {
  team: Share;
  /** Returns an owner's share within the team's; undefined if only the team's counts. */
  of?(owner: string): Share | undefined;
}

/** Why a row finds no room; `detail` is public. */
export interface QuotaRefusal {
  code: 'quota_exceeded';
  detail: string;
}

const nothing: Usage = { rows: 0, texts: 0, bytes: 0 };

/**
 * Returns the change with its charge, or why it has no room. `history` is the number of versions that are kept.
 * A removal drops the row's versions once more than half of a share is used, so that it frees what the row took.
 */
export function chargedChange(
  quota: Quota,
  usage: UsageByOwner,
  change: FeedChange,
  { owner, history }: { owner: string; history: number },
): FeedChange | QuotaRefusal {
  const { row, previous } = change;
  // A removed row stays charged to the owner it was charged to.
  const payer = row.deleted ? (previous?.charge?.owner ?? owner) : owner;
  const counted = (drops: boolean): FeedChange => {
    const charge = isErased(row)
      ? chargeOfErased(previous, payer, row.erasedFrom)
      : chargeOf(row, previous, payer, drops ? 0 : history);
    return { row: { ...row, charge }, previous, dropsVersions: drops };
  };
  const wanted = counted(removalDropsVersions(quota, usage, change));
  const refusal = quotaRefusal(quota, usage, wanted);
  if (refusal === undefined) return wanted;
  // Hiding a row must not fail for want of room: dropping its earlier versions makes the room.
  const without = counted(true);
  return hides(change) && quotaRefusal(quota, usage, without) === undefined ? without : refusal;
}

/** Returns what changes add to each owner's usage, the whole team's included. */
export function usageChanges(changes: readonly FeedChange[]): Map<string, Usage> {
  const byOwner = new Map<string, Usage>();
  const add = (state: FeedRowState | undefined, sign: 1 | -1) => {
    if (state?.charge === undefined) return;
    const { owner, bytes, keptBytes } = state.charge;
    const taken = { rows: sign, texts: bytes > 0 ? sign : 0, bytes: sign * (bytes + keptBytes) };
    for (const name of [wholeTeam, owner]) byOwner.set(name, sum(byOwner.get(name), taken));
  };
  for (const { row, previous } of changes) {
    add(previous, -1);
    add(row, 1);
  }
  return byOwner;
}

/** Returns usage after changes. */
export function usageAfter(usage: UsageByOwner, changes: readonly FeedChange[]): UsageByOwner {
  const after = new Map(usage);
  for (const [owner, added] of usageChanges(changes)) after.set(owner, sum(after.get(owner), added));
  return after;
}

function chargeOf(row: FeedRow, previous: FeedRowState | undefined, owner: string, history: number): Charge {
  const bytes = row.json.length;
  const charged = previous?.charge;
  if (previous === undefined || charged === undefined || history === 0) return { owner, bytes, keptBytes: 0 };
  const keptBytes = charged.keptBytes + (previous.deleted ? 0 : charged.bytes);
  // With more versions than are kept, the oldest goes.
  const dropsOldest = row.revision - 1 > history;
  return {
    owner,
    bytes,
    keptBytes: dropsOldest ? Math.round((keptBytes * history) / (history + 1)) : keptBytes,
  };
}

/** Each kept version counts as their mean, as far as it is left. */
function chargeOfErased(previous: FeedRowState | undefined, owner: string, from: number): Charge {
  const before = (previous?.revision ?? 1) - 1;
  const left = before === 0 ? 0 : Math.min(1, (from - 1) / before);
  return { owner, bytes: 0, keptBytes: Math.round((previous?.charge?.keptBytes ?? 0) * left) };
}

function quotaRefusal(quota: Quota, usage: UsageByOwner, change: FeedChange): QuotaRefusal | undefined {
  if (isGone(change.row)) return undefined;
  for (const [owner, added] of usageChanges([change])) {
    const share = shareOf(quota, owner);
    const used = usage.get(owner) ?? nothing;
    if (share === undefined) continue;
    const whose = owner === wholeTeam ? 'The team' : 'The member';
    const over = (name: keyof Usage, most: number) => added[name] > 0 && used[name] + added[name] > most;
    if (over('texts', share.texts)) return refusal(`${whose} has as many as are allowed (${share.texts}).`);
    if (over('rows', share.texts * rowsPerText)) {
      return refusal(
        `${whose} has used as many names as are allowed (${share.texts * rowsPerText}); use an old one again.`,
      );
    }
    if (over('bytes', share.bytes)) return refusal(`${whose} has no room left of ${share.bytes} bytes.`);
  }
  return undefined;
}

function removalDropsVersions(quota: Quota, usage: UsageByOwner, { row, previous }: FeedChange): boolean {
  if (!isGone(row) || isErased(row) || previous?.charge === undefined) return false;
  return [wholeTeam, previous.charge.owner].some((owner) => {
    const share = shareOf(quota, owner);
    return share !== undefined && (usage.get(owner) ?? nothing).bytes > share.bytes / 2;
  });
}

/** Whether somebody could see the row before the change and cannot after it. */
function hides({ row, previous }: FeedChange): boolean {
  if (previous === undefined || previous.deleted) return false;
  return row.deleted || (row.tier === 'team' && previous.tier === 'external');
}

/** A removed row has no text any more; a hidden one keeps it. */
function isGone({ json }: FeedRow): boolean {
  return json.length === 0;
}

function shareOf(quota: Quota, owner: string): Share | undefined {
  return owner === wholeTeam ? quota.team : quota.of?.(owner);
}

function refusal(detail: string): QuotaRefusal {
  return { code: 'quota_exceeded', detail };
}

function sum(one: Usage = nothing, other: Usage): Usage {
  return { rows: one.rows + other.rows, texts: one.texts + other.texts, bytes: one.bytes + other.bytes };
}
