import { eventLoopTurns } from '@teammemory/async/event-loop-turns.ts';
import { AppError } from '@teammemory/errors/app-error.ts';
import { maxBatchItems } from '@teammemory/vocabulary/limits.ts';
import { hasNoFurtherSecret, type SecretFinder } from '@teammemory/vocabulary/secret-scan.ts';
import { type FeedRow, type FeedRowState, liveRow, type Position } from '../feed/feed-row.ts';
import type { FeedStore } from '../feed/feed-store.ts';
import type { FeedWriter } from '../feed/feed-writer.ts';
import {
  type CheckedItem,
  checkItem,
  type ItemAuthor,
  type ItemDraft,
  type ItemRefusal,
  isRefusal,
  itemJson,
  mayChange,
  ownerOf,
  storedSecrets,
} from './item.ts';

const outOfReach: ItemRefusal = { code: 'forbidden_tier', detail: 'This key may write external items only.' };

const othersItem: ItemRefusal = {
  code: 'forbidden_access',
  detail: 'The access of this key is own, and another member wrote this item last.',
};

/** What became of a batch. */
export interface PushResult {
  /** Items stored, plus those that changed nothing. */
  accepted: number;
  /** Items of `accepted` that were written. */
  written: number;
  /** One per item that was refused, in order. */
  refusals: { index: number; refusal: ItemRefusal }[];
}

/** An item of a batch. */
export interface Candidate {
  index: number;
  item: CheckedItem;
  /** Position of the stored version that has all its credentials already. */
  knownSince?: number;
}

/** What storing a batch would do at this moment. */
export interface PushPlan {
  /** Items that would change nothing. */
  accepted: number;
  /** Rows that would be written. */
  written: number;
  /** Indexes of the items of those rows, in order: they are judged when they are written. */
  pending: number[];
  /** Those of the other items that would be refused, in order. */
  refusals: PushResult['refusals'];
}

/**
 * Judges a batch by what is stored now, and stores nothing.
 * @throws AppError `invalid_request` for a batch of a wrong size, `unavailable` when the store cannot be reached.
 */
export async function planPush(
  dependencies: { items: FeedStore; findSecrets?: SecretFinder },
  teamId: string,
  by: ItemAuthor,
  drafts: readonly ItemDraft[],
): Promise<PushPlan> {
  const { items, refusals } = await sortBatch(dependencies, by, drafts);
  await lookUpSecrets(dependencies, teamId, by, items);
  const stored = await dependencies.items.find(teamId, [...items.keys()]);
  const pending: number[] = [];
  let written = 0;
  for (const [rowKey, candidates] of items) {
    const current = stored.get(rowKey);
    const judged = judgeInOrder(candidates, by, current);
    if (judged.last !== undefined && !isUnchanged(judged.last, current)) {
      written += 1;
      pending.push(...candidates.map(({ index }) => index));
    } else refusals.push(...judged.refusals);
  }
  pending.sort((a, b) => a - b);
  refusals.sort((a, b) => a.index - b.index);
  return { accepted: drafts.length - pending.length - refusals.length, written, pending, refusals };
}

/**
 * Stores a batch. Each item is judged in order, as if it came alone after those before it. Of a row_key that comes
 * twice, only the last good item is written.
 *
 * Once `signal` aborts, nothing more is written: the caller may have pushed again elsewhere and gone on, and a late
 * write would undo what came after.
 * @throws AppError `invalid_request` for a batch of a wrong size, `unavailable` when the store cannot be reached; then
 *   any part may have been stored.
 */
export async function pushItems(
  dependencies: { writer: FeedWriter; items?: FeedStore; findSecrets?: SecretFinder },
  teamId: string,
  by: ItemAuthor,
  drafts: readonly ItemDraft[],
  signal?: AbortSignal,
): Promise<PushResult> {
  const { items, refusals } = await sortBatch(dependencies, by, drafts);
  await lookUpSecrets(dependencies, teamId, by, items);
  const results = await Promise.all(
    [...items].map(([rowKey, candidates]) =>
      writeItem(dependencies.writer, teamId, by, rowKey, candidates, signal),
    ),
  );
  let written = 0;
  for (const result of results) {
    if (result.isWritten) written += 1;
    refusals.push(...result.refusals);
  }
  refusals.sort((a, b) => a.index - b.index);
  return { accepted: drafts.length - refusals.length, written, refusals };
}

/** Judges the items of one row_key in order and writes the last good one, as one version. */
async function writeItem(
  writer: FeedWriter,
  teamId: string,
  by: ItemAuthor,
  rowKey: string,
  candidates: readonly Candidate[],
  signal: AbortSignal | undefined,
): Promise<{ isWritten: boolean; refusals: PushResult['refusals'] }> {
  const outcome = await writer.write(teamId, {
    rowKey,
    owner: ownerOf(by),
    judge(current) {
      const { last } = judgeInOrder(candidates, by, current);
      // After an abort nobody waits for the answer any more.
      if (signal?.aborted || last === undefined || isUnchanged(last, current)) return { kind: 'unchanged' };
      return { kind: 'write', rowAt: (position) => itemRow(last, by, current, position) };
    },
  });
  const { good, refusals } = judgeInOrder(candidates, by, outcome.previous);
  if (outcome.kind === 'refused') {
    // The last good item found no room, and stood for all the good ones.
    for (const index of good) refusals.push({ index, refusal: outcome.refusal });
  }
  return { isWritten: outcome.kind === 'written', refusals };
}

/** Judges each candidate over what those before it leave. `last` is the one to write, `good` are those to write or skip over. */
function judgeInOrder(candidates: readonly Candidate[], by: ItemAuthor, current: FeedRowState | undefined) {
  const refusals: PushResult['refusals'] = [];
  const good: number[] = [];
  let last: CheckedItem | undefined;
  let stored: StoredVersion | undefined = current;
  for (const candidate of candidates) {
    const { index, item } = candidate;
    const verdict = judgePush(item, by, stored, bringsSecrets(candidate, current));
    if (verdict.kind === 'refused') refusals.push({ index, refusal: verdict.refusal });
    if (verdict.kind !== 'write') continue;
    stored = { ...item, deleted: false, ...writerOf(by) };
    last = item;
    good.push(index);
  }
  return { last, good, refusals };
}

/** Whether an item has credentials that what is stored has not, or would show those of it to more readers. */
export function bringsSecrets({ item, knownSince }: Candidate, current: FeedRowState | undefined): boolean {
  if (item.secrets === undefined) return false;
  if (current === undefined || current.deleted || current.seq !== knownSince) return true;
  return item.tier === 'external' && current.tier === 'team';
}

/**
 * Notes which items have no other credentials than their stored version, so that these can be corrected step by step, or
 * hidden from guests. Only versions that the author sees are read: else a guess could be tested on a hidden one.
 */
export async function lookUpSecrets(
  { items: feed, findSecrets }: { items?: FeedStore; findSecrets?: SecretFinder },
  teamId: string,
  by: ItemAuthor,
  items: ReadonlyMap<string, Candidate[]>,
): Promise<void> {
  if (feed === undefined || findSecrets === undefined) return;
  const turn = eventLoopTurns();
  for (const [rowKey, candidates] of items) {
    if (candidates.every(({ item }) => item.secrets === undefined)) continue;
    const stored = await feed.read(teamId, rowKey, by.tier);
    if (stored === undefined || stored.deleted) continue;
    await turn();
    const before = storedSecrets(stored.json, findSecrets);
    for (const candidate of candidates) {
      const { found = [] } = candidate.item.secrets ?? {};
      if (hasNoFurtherSecret(found, before)) candidate.knownSince = stored.seq;
    }
  }
}

/** The part of a stored row that the verdict on a push depends on. */
type StoredVersion = Pick<FeedRowState, 'tier' | 'deleted' | 'checksum' | 'writerId'>;

/** What a push does to what is stored. */
export type PushVerdict =
  | { kind: 'write' }
  | { kind: 'unchanged' }
  | { kind: 'refused'; refusal: ItemRefusal };

/**
 * Judges a push (docs/contract.md, "Push items"). A no-op changes nothing, so it needs no access to the
 * item, and it comes before a conflict, so that repeating a push whose answer was lost succeeds. To an external key a
 * hidden item is absent when the base is compared: with an invented base the key could else look for names. With
 * `bringsSecrets` the item is refused for the credentials in it.
 */
export function judgePush(
  item: CheckedItem,
  by: ItemAuthor,
  stored: StoredVersion | undefined,
  bringsSecrets = item.secrets !== undefined,
): PushVerdict {
  const live = stored?.deleted === false ? stored : undefined;
  const isHidden = by.tier === 'external' && live?.tier === 'team';
  const seen = isHidden ? undefined : live;
  const refusal = refuseTier(item, by);
  if (refusal !== undefined) return { kind: 'refused', refusal };
  if (isUnchanged(item, seen)) return { kind: 'unchanged' };
  if (item.secrets !== undefined && bringsSecrets) return { kind: 'refused', refusal: item.secrets.refusal };
  if (seen !== undefined && !mayChange(by, seen)) return { kind: 'refused', refusal: othersItem };
  const currentChecksum = seen?.checksum ?? null;
  if (item.baseChecksum !== undefined && item.baseChecksum !== currentChecksum) {
    const detail =
      item.baseChecksum === null
        ? 'There is an item of this name already.'
        : 'The stored item is not the version that this one was edited from.';
    return { kind: 'refused', refusal: { code: 'conflict', detail, currentChecksum } };
  }
  return isHidden ? { kind: 'refused', refusal: outOfReach } : { kind: 'write' };
}

/** Returns the row of an item over what is stored. */
export function itemRow(
  { rowKey, tier, checksum, jsonHead }: CheckedItem,
  by: ItemAuthor,
  current: FeedRowState | undefined,
  position: Position,
): FeedRow {
  const jsonAt = (updatedAtMs: number) => itemJson(jsonHead, updatedAtMs, by);
  return liveRow({ rowKey, tier, checksum, ...writerOf(by), origin: by.origin, jsonAt }, current, position);
}

function writerOf({ memberId }: Pick<ItemAuthor, 'memberId'>): { writerId?: string } {
  return memberId === undefined ? {} : { writerId: memberId };
}

/** Returns whether what is stored is this version already. */
export function isUnchanged(
  item: Pick<CheckedItem, 'checksum' | 'tier'>,
  stored: StoredVersion | undefined,
): boolean {
  return stored?.deleted === false && stored.checksum === item.checksum && stored.tier === item.tier;
}

/** Returns why an author may not push an item whatever is stored. */
function refuseTier(item: CheckedItem, by: ItemAuthor): ItemRefusal | undefined {
  return by.tier === 'external' && item.tier !== 'external' ? outOfReach : undefined;
}

/** Checks a batch and groups its good items by row_key. */
export async function sortBatch(
  { findSecrets }: { findSecrets?: SecretFinder },
  by: ItemAuthor,
  drafts: readonly ItemDraft[],
) {
  if (drafts.length === 0 || drafts.length > maxBatchItems) {
    const detail = `must have 1 to ${maxBatchItems} items`;
    throw new AppError('invalid_request', `A batch ${detail}.`, {
      violations: [{ pointer: '/items', detail }],
    });
  }
  const items = new Map<string, Candidate[]>();
  const refusals: PushResult['refusals'] = [];
  const turn = eventLoopTurns();
  for (const [index, draft] of drafts.entries()) {
    await turn();
    const checked = checkItem(draft, findSecrets);
    const result = isRefusal(checked) ? checked : (refuseTier(checked, by) ?? checked);
    if (isRefusal(result)) refusals.push({ index, refusal: result });
    else items.getOrInsert(result.rowKey, []).push({ index, item: result });
  }
  return { items, refusals };
}
