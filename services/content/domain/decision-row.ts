import { externalPlace, liveRow, type Position } from './feed-change.ts';
import type { Item, ItemState } from './item.ts';
import { type Author, type DecisionFields, decisionContent } from './team-decision.ts';

/** The row of a decision; a hidden one is a removed row that keeps its text, so that it can be shown again. */
export function decisionRow(
  decisionId: string,
  fields: DecisionFields,
  by: Author,
  current: ItemState | undefined,
  place: Position,
): Item {
  const row = liveRow(decisionContent(decisionId, fields, by), current, place);
  if (!fields.hidden) return row;
  return { ...row, deleted: true, externalAtMs: externalPlace(false, current, place) };
}
