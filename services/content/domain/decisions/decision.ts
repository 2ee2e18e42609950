import { createHash } from 'node:crypto';
import { AppError, type Violation } from '@teammemory/errors/app-error.ts';
import type { Access } from '@teammemory/vocabulary/access.ts';
import { isCalendarDay, isSlug } from '@teammemory/vocabulary/formats.ts';
import { hasAtMostCharacters, maxContentBytes, maxTitleCharacters } from '@teammemory/vocabulary/limits.ts';
import type { Tier } from '@teammemory/vocabulary/tier.ts';
import {
  externalTime,
  type FeedRow,
  type FeedRowState,
  liveRow,
  type Position,
  type RowContent,
} from '../feed/feed-row.ts';
import type { RowVersion } from '../feed/feed-store.ts';

const titleForm = /^[^\p{Cc}\p{Cs}]+$/u;

export type DecisionStatus = 'proposed' | 'accepted' | 'superseded' | 'rejected';

/** What its author says about a decision. */
export interface DecisionFields {
  /** 1 to 300 characters. */
  title: string;
  /** Markdown, at most 1 MiB in UTF-8. */
  body: string;
  status: DecisionStatus;
  audience: Tier;
  /** A slug; null for none. */
  project: string | null;
  /** YYYY-MM-DD; null for none. */
  decidedOn: string | null;
  /** Clients see hidden decisions only as removed rows. */
  hidden: boolean;
}

/** Who writes a decision. */
export interface DecisionAuthor {
  /** For `updated_by`. */
  handle: string;
  /** Id of the member; absent for administrators, who are not members. */
  memberId?: string | undefined;
  /** Of the member's key; absent: `write`. Who may only read does not get here. */
  access?: Access | undefined;
}

/** A stored decision of a team. */
export interface Decision extends DecisionFields {
  /** UUID version 7. */
  decisionId: string;
  updatedAtMs: number;
  updatedBy: string;
}

/**
 * Checks the fields of a decision.
 * @throws AppError `invalid_request` with a JSON Pointer to each wrong field.
 */
export function checkDecision(fields: DecisionFields): void {
  const violations: Violation[] = [];
  const refuse = (name: string, detail: string) => violations.push({ pointer: `/${name}`, detail });
  if (!isTitle(fields.title)) {
    refuse('title', `must be 1 to ${maxTitleCharacters} characters without control characters`);
  }
  if (!fields.body.isWellFormed() || Buffer.byteLength(fields.body) > maxContentBytes) {
    refuse('body', `must be well-formed Unicode of at most ${maxContentBytes} bytes`);
  }
  if (fields.project !== null && !isSlug(fields.project)) refuse('project', 'must be a slug');
  if (fields.decidedOn !== null && !isCalendarDay(fields.decidedOn)) {
    refuse('decided_on', 'must be a day that exists, as YYYY-MM-DD');
  }
  if (violations.length > 0)
    throw new AppError('invalid_request', 'The decision breaks a rule.', { violations });
}

function isTitle(title: string): boolean {
  return hasAtMostCharacters(title, maxTitleCharacters) && title.trim() !== '' && titleForm.test(title);
}

/** Returns what the row of a decision holds, in public JSON (docs/contract.md, "Pull"). */
export function decisionContent(decisionId: string, fields: DecisionFields, by: DecisionAuthor): RowContent {
  const { title, body, status, audience, project, decidedOn: decided_on } = fields;
  const decision = { decision_id: decisionId, title, body, status, audience, project, decided_on };
  const checksum = createHash('sha256').update(JSON.stringify(decision)).digest('hex');
  return {
    rowKey: decisionId,
    tier: audience,
    checksum,
    ...(by.memberId === undefined ? {} : { writerId: by.memberId }),
    jsonAt: (updatedAtMs) => {
      const updated_at = new Date(updatedAtMs).toISOString();
      return Buffer.from(JSON.stringify({ ...decision, updated_at, updated_by: by.handle }));
    },
  };
}

/** Returns the row of a decision. A hidden decision is a removed row that keeps its text, so that it can be shown again. */
export function decisionRow(
  content: RowContent,
  { hidden }: Pick<DecisionFields, 'hidden'>,
  current: FeedRowState | undefined,
  position: Position,
): FeedRow {
  const row = liveRow(content, current, position);
  if (!hidden) return row;
  return { ...row, deleted: true, externalAtMs: externalTime(false, current, position) };
}

/** Whether a decision was removed for good, by this program or an earlier one; a hidden decision keeps its checksum. */
export function isRemoved({ deleted, checksum }: Pick<FeedRow, 'deleted' | 'checksum'>): boolean {
  return deleted && checksum === '';
}

/** Returns a stored decision. */
export function decisionFromRow({ json, deleted, updatedAtMs }: FeedRow): Decision {
  return { ...shownDecision(json), updatedAtMs, hidden: deleted };
}

/** Returns an earlier version of a decision; only versions that were shown are kept. */
export function decisionFromVersion({ json }: RowVersion): Decision {
  return shownDecision(json);
}

function shownDecision(json: Uint8Array): Decision {
  const stored = JSON.parse(Buffer.from(json).toString());
  const { decision_id, title, body, status, audience, project, decided_on, updated_at, updated_by } = stored;
  return {
    decisionId: decision_id,
    title,
    body,
    status,
    audience,
    project,
    decidedOn: decided_on,
    hidden: false,
    updatedAtMs: Date.parse(updated_at),
    updatedBy: updated_by,
  };
}
