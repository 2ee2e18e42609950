import { AppError } from '@teammemory/errors/app-error.ts';
import type { Item } from './item.ts';
import type { ItemStore } from './item-store.ts';

/** How often the look-up starts anew because the row moved on meanwhile. */
const attempts = 20;

/** What a removed decision has in the place of its checksum, which a hidden one keeps. */
export const removedChecksum = '';

/** Whether a decision was removed for good. */
export function isRemoved({ deleted, checksum }: Pick<Item, 'deleted' | 'checksum'>): boolean {
  return deleted && checksum === removedChecksum;
}

/**
 * The row of a decision, hidden or not.
 * @throws AppError `not_found` where the team has none of this id, `unavailable`.
 */
export async function findDecision(decisions: ItemStore, teamId: string, decisionId: string): Promise<Item> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const state = (await decisions.find(teamId, [decisionId])).get(decisionId);
    if (state === undefined) throw noSuchDecision();
    const [row] = await decisions.readFrom(teamId, state.seq - 1, { limit: 1 });
    if (row?.rowKey !== decisionId) continue;
    if (isRemoved(row)) throw noSuchDecision();
    return row;
  }
  throw new AppError('unavailable', 'The decision changes too often; try again shortly.');
}

/** The answer for a decision that is not there, or is another team's. */
export function noSuchDecision(): AppError {
  return new AppError('not_found', 'There is no such decision.');
}
