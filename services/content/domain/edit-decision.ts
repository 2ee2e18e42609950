import { AppError } from '@teammemory/errors/app-error.ts';
import { decisionRow } from './decision-row.ts';
import { checkDecision, decisionRefused } from './decision-rules.ts';
import { findDecision } from './find-decision.ts';
import type { Item } from './item.ts';
import type { ItemStore } from './item-store.ts';
import type { ItemWriter } from './item-writer.ts';
import {
  type Author,
  type DecisionFields,
  decisionContent,
  decisionFromRow,
  type TeamDecision,
} from './team-decision.ts';

/** How often an edit starts anew because the decision changed while it was read. */
const attempts = 20;

/** What is to become of a decision; unset fields stay as they are. */
export interface DecisionEdit {
  decisionId: string;
  /** `updatedAtMs` of the version it was made from; unset: the last writer wins. */
  baseUpdatedAtMs: number | undefined;
  changed: Partial<DecisionFields>;
}

/**
 * Edits, hides or shows a decision, durably. An edit that changes nothing
 * leaves the stored version as it is, even with an old base: repeating an edit
 * whose answer was lost succeeds.
 * @throws AppError `not_found`, `conflict` when the stored version is not the
 *   one that the edit was made from, `invalid_request` also for an edit of a
 *   hidden decision that does not show it, `quota_exceeded`, `unavailable`.
 */
export async function editDecision(
  dependencies: { decisions: ItemStore; writer: ItemWriter },
  teamId: string,
  by: Author,
  edit: DecisionEdit,
): Promise<TeamDecision> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const stored = await findDecision(dependencies.decisions, teamId, edit.decisionId);
    const before = decisionFromRow(stored);
    const fields = { ...before, ...edit.changed };
    const { checksum } = decisionContent(edit.decisionId, fields, by);
    if (checksum === stored.checksum && fields.hidden === before.hidden) return before;
    if (edit.baseUpdatedAtMs !== undefined && edit.baseUpdatedAtMs !== stored.updatedAtMs) throw conflict();
    // Readers were told once that it is gone, and are told nothing more before it is back.
    if (before.hidden && fields.hidden) throw hidden();
    checkDecision(fields);
    const written = await replace(dependencies.writer, teamId, by, stored, fields);
    if (written !== undefined) return decisionFromRow(written);
  }
  throw new AppError('unavailable', 'The decision changes too often; try again shortly.');
}

/** Writes the row over exactly the one that was read, and answers it; undefined where that one is gone. */
async function replace(
  writer: ItemWriter,
  teamId: string,
  by: Author,
  stored: Item,
  fields: DecisionFields,
): Promise<Item | undefined> {
  let row: Item | undefined;
  const outcome = await writer.write(teamId, {
    rowKey: stored.rowKey,
    owner: by.handle,
    decide(current) {
      row = undefined;
      if (current?.seq !== stored.seq) return { kind: 'unchanged' };
      return {
        kind: 'write',
        at(place) {
          row = decisionRow(stored.rowKey, fields, by, current, place);
          return row;
        },
      };
    },
  });
  if (outcome.kind === 'refused') throw decisionRefused(outcome.refusal);
  return row;
}

function hidden(): AppError {
  return new AppError('invalid_request', 'The decision is hidden; show it first.');
}

function conflict(): AppError {
  return new AppError('conflict', 'The stored decision is not the version that this edit was made from.');
}
