import { timestampDate } from '@bufbuild/protobuf/wkt';
import { Tier } from '@teammemory/proto/common/v1/tier_pb.ts';
import { type Decision as DecisionMessage, DecisionStatus } from '@teammemory/proto/content/v1/content_pb.ts';
import { z } from 'zod';

/** Words of the wire and their numbers in protobuf. */
export const decisionStatuses = {
  proposed: DecisionStatus.PROPOSED,
  accepted: DecisionStatus.ACCEPTED,
  superseded: DecisionStatus.SUPERSEDED,
  rejected: DecisionStatus.REJECTED,
} as const;

/** A row of the decision feed that was hidden. */
const hiddenDecisionSchema = z.looseObject({
  decision_id: z.string(),
  updated_at: z.string(),
  deleted: z.literal(true),
});

const decisionSchema = z.looseObject({
  decision_id: z.string(),
  title: z.string(),
  body: z.string(),
  status: z.string(),
  audience: z.string(),
  project: z.string().nullable(),
  decided_on: z.string().nullable(),
  updated_at: z.string(),
  updated_by: z.string(),
  deleted: z.literal(false).optional(),
});

/** Rows of the decision feed. Unknown fields are kept. */
export const decisionRowsSchema = z.array(z.union([hiddenDecisionSchema, decisionSchema]));

/** A decision, or the trace of a hidden one. */
export type DecisionRow = z.infer<typeof decisionRowsSchema>[number];

/** A decision as the public API writes it, and whether it is hidden. */
export interface DecisionRecord {
  decision_id: string;
  title: string;
  body: string;
  /** `unknown` for one that a later version of the service knows. */
  status: string;
  audience: 'team' | 'external';
  project: string | null;
  decided_on: string | null;
  updated_at: string | null;
  updated_by: string;
  hidden: boolean;
}

export interface ProjectRecord {
  slug: string;
  name: string;
  brain_only: boolean;
}

export function decisionFromProto(decision: DecisionMessage): DecisionRecord {
  const status = Object.entries(decisionStatuses).find(([, number]) => number === decision.status)?.[0];
  const { decisionId, title, body, project, decidedOn, updatedAt, updatedBy, hidden } = decision;
  return {
    decision_id: decisionId,
    title,
    body,
    status: status ?? 'unknown',
    audience: decision.audience === Tier.EXTERNAL ? 'external' : 'team',
    project: project || null,
    decided_on: decidedOn || null,
    updated_at: updatedAt === undefined ? null : timestampDate(updatedAt).toISOString(),
    updated_by: updatedBy,
    hidden,
  };
}
