import { randomUUIDv7 } from 'node:crypto';
import { AppError } from '@teammemory/errors/app-error.ts';
import { listVersions, type Reader, shownJson } from '../feed/feed-page.ts';
import { erasedRow, type FeedRow } from '../feed/feed-row.ts';
import type { FeedStore } from '../feed/feed-store.ts';
import type { FeedWriter } from '../feed/feed-writer.ts';
import type { QuotaRefusal } from '../feed/quota.ts';
import {
  checkDecision,
  type Decision,
  type DecisionAuthor,
  type DecisionFields,
  decisionContent,
  decisionFromRow,
  decisionFromVersion,
  decisionRow,
  isRemoved,
} from './decision.ts';

/** How often reading or editing starts again because the decision changed in the meantime. */
const maxAttempts = 20;
/** Versions of a page: each may have a body of 1 MiB, and all are in memory at once. */
const defaultPageVersions = 10;
export const maxPageVersions = 20;

/**
 * Stores a new decision, durably.
 * @throws AppError `invalid_request`, `quota_exceeded`, `unavailable`.
 */
export async function createDecision(
  dependencies: { writer: FeedWriter },
  teamId: string,
  by: DecisionAuthor,
  fields: DecisionFields,
): Promise<Decision> {
  checkDecision(fields);
  const content = decisionContent(randomUUIDv7(), fields, by);
  const outcome = await dependencies.writer.write(teamId, {
    rowKey: content.rowKey,
    owner: by.handle,
    judge: (current) => ({
      kind: 'write',
      rowAt: (position) => decisionRow(content, fields, current, position),
    }),
  });
  if (outcome.kind === 'written') return decisionFromRow(outcome.row);
  throw outcome.kind === 'refused' ? noRoom(outcome.refusal) : changesTooOften();
}

/**
 * Stores a decision under the id that it had elsewhere, durably. Returns false if the team has, or had, one of this id.
 * @throws AppError `invalid_request`, `quota_exceeded`, `unavailable`.
 */
export async function importDecision(
  { writer }: { writer: FeedWriter },
  teamId: string,
  by: DecisionAuthor,
  { decisionId, fields }: { decisionId: string; fields: DecisionFields },
): Promise<boolean> {
  checkDecision(fields);
  const content = decisionContent(decisionId, fields, by);
  const outcome = await writer.write(teamId, {
    rowKey: decisionId,
    owner: by.handle,
    judge: (current) =>
      current === undefined
        ? { kind: 'write', rowAt: (position) => decisionRow(content, fields, current, position) }
        : { kind: 'unchanged' },
  });
  if (outcome.kind === 'refused') throw noRoom(outcome.refusal);
  return outcome.kind === 'written';
}

/**
 * Returns the row of a decision, hidden or not.
 * @throws AppError `not_found` if the team has none of this id, `unavailable`.
 */
export async function findDecision(
  decisions: FeedStore,
  teamId: string,
  decisionId: string,
): Promise<FeedRow> {
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const state = (await decisions.find(teamId, [decisionId])).get(decisionId);
    if (state === undefined) throw noSuchDecision();
    const [row] = await decisions.readFrom(teamId, state.seq - 1, { limit: 1 });
    // The row moved to a new position between the two reads.
    if (row?.rowKey !== decisionId) continue;
    if (isRemoved(row)) throw noSuchDecision();
    return row;
  }
  throw changesTooOften();
}

/**
 * Returns a decision in public JSON, as lists show it to the reader.
 * @throws AppError `not_found` for one that is absent, removed, hidden or not visible, `unavailable`.
 */
export async function readDecision(
  decisions: FeedStore,
  { teamId, tier }: Reader,
  decisionId: string,
): Promise<Uint8Array> {
  const json = shownJson(await decisions.read(teamId, decisionId, tier), tier);
  if (json === undefined) throw noSuchDecision();
  return json;
}

/** An edit of a decision; unset fields stay as they are. */
export interface DecisionEdit {
  decisionId: string;
  /** `updatedAtMs` of the version it was made from; unset: the last writer wins. */
  baseUpdatedAtMs: number | undefined;
  changed: Partial<DecisionFields>;
}

/**
 * Edits, hides or shows a decision, durably. An edit that changes nothing leaves the stored version as it is, even with
 * an old base, so repeating an edit whose answer was lost succeeds.
 * @throws AppError `not_found`, `forbidden_access` if access `own` does not reach it, `conflict` if the stored version is not the one that the edit was made from,
 *   `invalid_request` also for an edit of a hidden decision that does not show it, `quota_exceeded`, `unavailable`.
 */
export async function editDecision(
  dependencies: { decisions: FeedStore; writer: FeedWriter },
  teamId: string,
  by: DecisionAuthor,
  edit: DecisionEdit,
): Promise<Decision> {
  const { decisions, writer } = dependencies;
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const stored = await findDecision(decisions, teamId, edit.decisionId);
    const before = decisionFromRow(stored);
    const fields = { ...before, ...edit.changed };
    const content = decisionContent(edit.decisionId, fields, by);
    if (content.checksum === stored.checksum && fields.hidden === before.hidden) return before;
    if (!mayChange(by, stored)) throw othersDecision();
    if (edit.baseUpdatedAtMs !== undefined && edit.baseUpdatedAtMs !== stored.updatedAtMs) throw conflict();
    // Readers were told once that it is gone. They are told nothing more until it is shown again.
    if (before.hidden && fields.hidden) throw hidden();
    checkDecision(fields);
    const outcome = await writer.write(teamId, {
      rowKey: stored.rowKey,
      owner: by.handle,
      judge: (current) =>
        current?.seq === stored.seq
          ? { kind: 'write', rowAt: (position) => decisionRow(content, fields, current, position) }
          : { kind: 'unchanged' },
    });
    if (outcome.kind === 'refused') throw noRoom(outcome.refusal);
    if (outcome.kind === 'written') return decisionFromRow(outcome.row);
  }
  throw changesTooOften();
}

/**
 * Removes a decision for good, with its versions, durably: readers are told to forget it, and nobody can read or show it
 * any more. Removing it again changes nothing.
 * @throws AppError `not_found` if the team never had it, `forbidden_access` if access `own` does not reach it,
 *   `unavailable`.
 */
export async function removeDecision(
  dependencies: { writer: FeedWriter },
  teamId: string,
  by: DecisionAuthor,
  decisionId: string,
): Promise<void> {
  const { previous } = await dependencies.writer.write(teamId, {
    rowKey: decisionId,
    owner: by.handle,
    judge(current) {
      if (current === undefined || isRemoved(current) || !mayChange(by, current))
        return { kind: 'unchanged' };
      return {
        kind: 'write',
        rowAt: (position) => erasedRow(current, position, { from: 1 }),
      };
    },
  });
  if (previous === undefined) throw noSuchDecision();
  if (!isRemoved(previous) && !mayChange(by, previous)) throw othersDecision();
}

/** Access `own` reaches only what the key's member wrote last, and nothing whose writer is not known. */
function mayChange({ access, memberId }: DecisionAuthor, stored: { writerId?: string }): boolean {
  return access !== 'own' || stored.writerId === memberId;
}

function othersDecision(): AppError {
  return new AppError(
    'forbidden_access',
    'The access of this key is own, and another member wrote this decision last.',
  );
}

/** Earlier versions of a decision, newest first; `nextRevision` is 0 on the last page. */
export interface DecisionVersionPage {
  versions: Decision[];
  nextRevision: number;
}

/**
 * Lists the kept versions of a decision before its present one; of a hidden decision, the last one that was shown too.
 * @throws AppError `not_found` if the team has none of this id, `unavailable`.
 */
export async function listDecisionVersions(
  decisions: FeedStore,
  teamId: string,
  query: { decisionId: string; beforeRevision: number; limit: number },
): Promise<DecisionVersionPage> {
  const { decisionId: rowKey, beforeRevision } = query;
  const state = (await decisions.find(teamId, [rowKey])).get(rowKey);
  if (state !== undefined && isRemoved(state)) throw noSuchDecision();
  const limit = Math.min(query.limit || defaultPageVersions, maxPageVersions);
  const page = await listVersions(decisions, teamId, { rowKey, beforeRevision, limit });
  if (page === undefined) throw noSuchDecision();
  return { versions: page.versions.map(decisionFromVersion), nextRevision: page.nextRevision };
}

/** Returns the error for a decision that does not exist or belongs to another team. */
export function noSuchDecision(): AppError {
  return new AppError('not_found', 'There is no such decision.');
}

function noRoom({ detail }: QuotaRefusal): AppError {
  return new AppError(
    'quota_exceeded',
    `The decision is not stored. ${detail} Remove some that nobody needs.`,
  );
}

function hidden(): AppError {
  return new AppError('invalid_request', 'The decision is hidden; show it first.');
}

function conflict(): AppError {
  return new AppError('conflict', 'The stored decision is not the version that this edit was made from.');
}

function changesTooOften(): AppError {
  return new AppError('unavailable', 'The decision changes too often; try again shortly.');
}
