import { eventLoopTurns } from '@teammemory/async/event-loop-turns.ts';
import { AppError } from '@teammemory/errors/app-error.ts';
import { maxBatchItems } from '@teammemory/vocabulary/limits.ts';
import type { CheckedItem, ItemDraft, ItemRefusal } from './item.ts';
import {
  type Decision,
  decidePush,
  judgePush,
  refuseTier,
  type StoredVersion,
  type Writer,
} from './item-decision.ts';
import { ownerOf } from './item-owner.ts';
import { checkItem, isRefusal } from './item-rules.ts';
import type { ItemWriter } from './item-writer.ts';

interface Candidate {
  index: number;
  item: CheckedItem;
}

/** What became of a batch. */
export interface PushResult {
  /** Items stored, plus those that changed nothing. */
  accepted: number;
  /** Items of `accepted` that were written. */
  written: number;
  /** One per item that was refused, in order. */
  refusals: { index: number; refusal: ItemRefusal }[];
}

/**
 * Checks a batch against the rules that need no look-up, and stores nothing.
 * `written` is the most that storing it could write.
 * @throws AppError `invalid_request` for a batch of a wrong size.
 */
export async function checkBatch(by: Writer, drafts: readonly ItemDraft[]): Promise<PushResult> {
  const { items, refusals } = await sortBatch(by, drafts);
  return { accepted: drafts.length - refusals.length, written: items.size, refusals };
}

/**
 * Stores a batch, each item judged in order as if it came alone after those
 * before it. Of a row_key that comes twice only the later good one is written.
 *
 * Once `signal` aborts nothing more is decided: its caller may have asked again
 * elsewhere and gone on, and a late write would undo what came after.
 * @throws AppError `invalid_request` for a batch of a wrong size, `unavailable`
 *   when the store cannot be reached; then any part may have been stored.
 */
export async function pushItems(
  dependencies: { writer: ItemWriter },
  teamId: string,
  by: Writer,
  drafts: readonly ItemDraft[],
  signal?: AbortSignal,
): Promise<PushResult> {
  const { items, refusals } = await sortBatch(by, drafts);
  const outcomes = await Promise.all(
    [...items].map(([rowKey, candidates]) =>
      writeRow(dependencies.writer, teamId, by, rowKey, candidates, signal),
    ),
  );
  let written = 0;
  for (const outcome of outcomes) {
    if (outcome.decision.kind === 'write') written += 1;
    refusals.push(...outcome.refusals);
  }
  refusals.sort((a, b) => a.index - b.index);
  return { accepted: drafts.length - refusals.length, written, refusals };
}

/** Judges the items for one row in order and writes the last good one, as one version. */
async function writeRow(
  writer: ItemWriter,
  teamId: string,
  by: Writer,
  rowKey: string,
  candidates: readonly Candidate[],
  signal: AbortSignal | undefined,
): Promise<{ decision: Decision; refusals: PushResult['refusals'] }> {
  let refusals: PushResult['refusals'] = [];
  let good: number[] = [];
  const decision = await writer.write(teamId, {
    rowKey,
    owner: ownerOf(by),
    decide(current) {
      refusals = [];
      good = [];
      // Nobody waits for the answer any more.
      if (signal?.aborted) return { kind: 'unchanged' };
      let stored: StoredVersion | undefined = current;
      let latest: CheckedItem | undefined;
      for (const { index, item } of candidates) {
        const verdict = judgePush(item, by, stored);
        if (verdict.kind === 'refused') refusals.push({ index, refusal: verdict.refusal });
        if (verdict.kind !== 'write') continue;
        stored = { ...item, deleted: false };
        latest = item;
        good.push(index);
      }
      // Its base is checked already, against what the items before it made of `current`.
      return latest ? decidePush({ ...latest, baseChecksum: undefined }, by, current) : { kind: 'unchanged' };
    },
  });
  // There was no room for the last good one, which would have stood for all of them.
  if (decision.kind === 'refused')
    refusals.push(...good.map((index) => ({ index, refusal: decision.refusal })));
  return { decision, refusals };
}

async function sortBatch(by: Writer, drafts: readonly ItemDraft[]) {
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
    if (index > 0) await turn();
    const checked = checkItem(draft);
    const result = isRefusal(checked) ? checked : (refuseTier(checked, by) ?? checked);
    if (isRefusal(result)) refusals.push({ index, refusal: result });
    else items.getOrInsert(result.rowKey, []).push({ index, item: result });
  }
  return { items, refusals };
}
