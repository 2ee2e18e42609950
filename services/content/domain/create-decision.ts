import { randomUUIDv7 } from 'node:crypto';
import { checkDecision } from './decision-rules.ts';
import { externalPlace, liveRow } from './feed-change.ts';
import type { Item, ItemState } from './item.ts';
import type { Position } from './item-decision.ts';
import type { ItemWriter } from './item-writer.ts';
import { type DecisionFields, decisionContent, decisionFromRow, type TeamDecision } from './team-decision.ts';

/**
 * Stores a new decision, durably.
 * @throws AppError `invalid_request`, `unavailable`.
 */
export async function createDecision(
  dependencies: { writer: ItemWriter },
  teamId: string,
  by: string,
  fields: DecisionFields,
): Promise<TeamDecision> {
  checkDecision(fields);
  const decisionId = randomUUIDv7();
  let row: Item | undefined;
  await dependencies.writer.write(teamId, {
    rowKey: decisionId,
    decide: (current) => ({
      kind: 'write',
      at(place) {
        row = decisionRow(decisionId, fields, by, current, place);
        return row;
      },
    }),
  });
  return decisionFromRow(row as Item);
}

/** The row of a decision; a hidden one is a removed row that keeps its text, so that it can be shown again. */
export function decisionRow(
  decisionId: string,
  fields: DecisionFields,
  by: string,
  current: ItemState | undefined,
  place: Position,
): Item {
  const row = liveRow(decisionContent(decisionId, fields, by), current, place);
  if (!fields.hidden) return row;
  return { ...row, deleted: true, externalAtMs: externalPlace(false, current, place.updatedAtMs) };
}
