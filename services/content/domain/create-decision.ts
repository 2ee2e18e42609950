import { randomUUIDv7 } from 'node:crypto';
import { decisionRow } from './decision-row.ts';
import { checkDecision, decisionRefused } from './decision-rules.ts';
import type { Item } from './item.ts';
import type { ItemWriter } from './item-writer.ts';
import { type Author, type DecisionFields, decisionFromRow, type TeamDecision } from './team-decision.ts';

/**
 * Stores a new decision, durably.
 * @throws AppError `invalid_request`, `quota_exceeded`, `unavailable`.
 */
export async function createDecision(
  dependencies: { writer: ItemWriter },
  teamId: string,
  by: Author,
  fields: DecisionFields,
): Promise<TeamDecision> {
  checkDecision(fields);
  const decisionId = randomUUIDv7();
  let row: Item | undefined;
  const outcome = await dependencies.writer.write(teamId, {
    rowKey: decisionId,
    owner: by.handle,
    decide: (current) => ({
      kind: 'write',
      at(place) {
        row = decisionRow(decisionId, fields, by, current, place);
        return row;
      },
    }),
  });
  if (outcome.kind === 'refused') throw decisionRefused(outcome.refusal);
  return decisionFromRow(row as Item);
}
