import type { Item, ItemRefusal, ItemState } from './item.ts';
import type { ItemChange } from './item-store.ts';

/** Owner of everything that a team has, beside the members who own parts of it. */
export const wholeTeam = '';
/**
 * Rows, removed ones included, for each item that may be there. A removed row stays as a mark for those who follow the
 * feed, so that without a bound somebody who adds and removes items would fill the disk with marks.
 */
const rowsPerItem = 10;

/** What a row takes, and whose share it takes it from. */
export interface Charge {
  /** Never `wholeTeam`. */
  owner: string;
  /** Of its JSON. */
  bytes: number;
  /** Of its kept versions. Once versions are dropped it is an estimate: each counts as their mean. */
  keptBytes: number;
}

/** What an owner has. */
export interface Usage {
  /** Rows, removed ones included. */
  rows: number;
  /** Rows that have a text: hidden decisions do, removed rows do not. */
  items: number;
  /** Of items and kept versions. */
  bytes: number;
}

/** The most that an owner may have. */
export interface Share {
  items: number;
  bytes: number;
}

/** Shares of a list of rows. */
export interface Quota {
  team: Share;
  /** Share of an owner within the team's; undefined where only that counts. */
  of?(owner: string): Share | undefined;
}

/** What owners have, as known before a write and counted on while it is decided. */
export type UsageByOwner = ReadonlyMap<string, Usage>;

const nothing: Usage = { rows: 0, items: 0, bytes: 0 };

/** What a row takes that is written over `previous`, of which at most `history` versions are kept. */
export function chargeOf(
  item: Item,
  previous: ItemState | undefined,
  owner: string,
  history: number,
): Charge {
  const bytes = item.json.length;
  const charged = previous?.charge;
  if (previous === undefined || charged === undefined || history === 0) return { owner, bytes, keptBytes: 0 };
  const keptBytes = charged.keptBytes + (previous.deleted ? 0 : charged.bytes);
  // One version more than are kept: the oldest goes.
  const dropsOldest = item.revision - 1 > history;
  return {
    owner,
    bytes,
    keptBytes: dropsOldest ? Math.round((keptBytes * history) / (history + 1)) : keptBytes,
  };
}

/** What changes add to each owner's usage, that of the whole team included. */
export function usageChanges(changes: readonly ItemChange[]): Map<string, Usage> {
  const byOwner = new Map<string, Usage>();
  const add = (state: ItemState | undefined, sign: 1 | -1) => {
    // A row of an earlier version of this program counts from its first change on.
    if (state?.charge === undefined) return;
    const { owner, bytes, keptBytes } = state.charge;
    const taken = { rows: sign, items: bytes > 0 ? sign : 0, bytes: sign * (bytes + keptBytes) };
    for (const name of [wholeTeam, owner]) byOwner.set(name, sum(byOwner.get(name), taken));
  };
  for (const { item, previous } of changes) {
    add(previous, -1);
    add(item, 1);
  }
  return byOwner;
}

/** Usage after changes. */
export function usageAfter(usage: UsageByOwner, changes: readonly ItemChange[]): UsageByOwner {
  const after = new Map(usage);
  for (const [owner, added] of usageChanges(changes)) after.set(owner, sum(after.get(owner), added));
  return after;
}

/** Why a change has no room; undefined where it has, or makes room. */
export function quotaRefusal(quota: Quota, usage: UsageByOwner, change: ItemChange): ItemRefusal | undefined {
  if (isGone(change.item)) return undefined;
  for (const [owner, added] of usageChanges([change])) {
    const share = shareOf(quota, owner);
    const used = usage.get(owner) ?? nothing;
    if (share === undefined) continue;
    const whose = owner === wholeTeam ? 'The team' : 'The member';
    const over = (name: keyof Usage, most: number) => added[name] > 0 && used[name] + added[name] > most;
    if (over('items', share.items)) return refusal(`${whose} has as many as are allowed (${share.items}).`);
    if (over('rows', share.items * rowsPerItem)) {
      return refusal(
        `${whose} has used as many names as are allowed (${share.items * rowsPerItem}); use an old one again.`,
      );
    }
    if (over('bytes', share.bytes)) return refusal(`${whose} has no room left of ${share.bytes} bytes.`);
  }
  return undefined;
}

/**
 * Whether a row's versions go with it when it is removed. They stay while there is plenty of room; beyond half of a
 * share removing an item has to free what it took.
 */
export function dropsVersions(quota: Quota, usage: UsageByOwner, { item, previous }: ItemChange): boolean {
  if (!isGone(item) || previous?.charge === undefined) return false;
  return [wholeTeam, previous.charge.owner].some((owner) => {
    const share = shareOf(quota, owner);
    return share !== undefined && (usage.get(owner) ?? nothing).bytes > share.bytes / 2;
  });
}

/** Whether a change takes a row out of the sight of somebody who could see it. */
export function hides({ item, previous }: ItemChange): boolean {
  if (previous === undefined || previous.deleted) return false;
  return item.deleted || (item.tier === 'team' && previous.tier === 'external');
}

/** A removed row has no text any more, where a hidden one keeps it. */
function isGone({ json }: Item): boolean {
  return json.length === 0;
}

function shareOf(quota: Quota, owner: string): Share | undefined {
  return owner === wholeTeam ? quota.team : quota.of?.(owner);
}

function refusal(detail: string): ItemRefusal {
  return { code: 'quota_exceeded', detail };
}

function sum(one: Usage = nothing, other: Usage): Usage {
  return { rows: one.rows + other.rows, items: one.items + other.items, bytes: one.bytes + other.bytes };
}
