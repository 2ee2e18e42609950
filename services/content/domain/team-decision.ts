import { createHash } from 'node:crypto';
import type { RowContent } from './feed-change.ts';
import type { Item } from './item.ts';
import type { ItemVersion } from './item-store.ts';
import type { Tier } from './tier.ts';

export const decisionStatuses = ['proposed', 'accepted', 'superseded', 'rejected'] as const;
export type DecisionStatus = (typeof decisionStatuses)[number];

/** What its writer says about a decision. */
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
  /** Hidden decisions reach clients only as removed rows. */
  hidden: boolean;
}

/** Who writes a decision. */
export interface Author {
  /** For `updated_by`. */
  handle: string;
  /** Id of the member; absent for administrators, who are none. */
  memberId?: string | undefined;
}

/** A decision of a team, made on the service side. */
export interface TeamDecision extends DecisionFields {
  /** UUID version 7. */
  decisionId: string;
  updatedAtMs: number;
  updatedBy: string;
}

/** A decision as a row of the feed, in public JSON (decisions §4, "Decision"). */
export function decisionContent(decisionId: string, fields: DecisionFields, by: Author): RowContent {
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

/** Reads a stored decision back; a hidden one keeps its text in its row, which no page shows. */
export function decisionFromRow({ json, deleted, updatedAtMs }: Item): TeamDecision {
  return { ...shownDecision(json), updatedAtMs, hidden: deleted };
}

/** Reads an earlier version back; only what was shown is kept. */
export function decisionFromVersion({ json }: ItemVersion): TeamDecision {
  return shownDecision(json);
}

function shownDecision(json: Uint8Array): TeamDecision {
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
