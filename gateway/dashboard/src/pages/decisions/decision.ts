import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Tier } from '@teammemory/proto/common/v1/tier_pb.ts';
import { DecisionStatus, type Decision as StoredDecision } from '@teammemory/proto/content/v1/content_pb.ts';
import { everyPage } from '../../data/every-page.ts';
import { rpc } from '../../service/rpc.ts';
import { isTeamMember, mayChange, mayWrite } from '../../service/session.ts';

const decoder = new TextDecoder();

export type Status = 'proposed' | 'accepted' | 'superseded' | 'rejected';

/** What a person writes of a decision. */
export interface DecisionFields {
  title: string;
  /** Markdown. */
  body: string;
  status: Status;
  audience: 'team' | 'external';
  /** Slug; null for none. */
  project: string | null;
  /** YYYY-MM-DD; null for none. */
  decided_on: string | null;
}

/** A decision, with the names that the public API has for its fields. */
export interface Decision extends DecisionFields {
  decision_id: string;
  /** ISO 8601. */
  updated_at: string;
  updated_by: string;
  /** Only members of the team ever see one that is. */
  hidden: boolean;
}

const statusNumbers: Readonly<Record<Status, DecisionStatus>> = {
  proposed: DecisionStatus.PROPOSED,
  accepted: DecisionStatus.ACCEPTED,
  superseded: DecisionStatus.SUPERSEDED,
  rejected: DecisionStatus.REJECTED,
};

/** Every status in the order of a decision's life. */
export const statuses = Object.keys(statusNumbers) as readonly Status[];

/** What a new decision starts from. Nobody outside the team sees it unless its author says so. */
export const emptyFields: DecisionFields = {
  title: '',
  body: '',
  status: 'proposed',
  audience: 'team',
  project: null,
  decided_on: null,
};

/** The fields of a decision that a person writes. */
export function fieldsOf({ title, body, status, audience, project, decided_on }: Decision): DecisionFields {
  return { title, body, status, audience, project, decided_on };
}

/** Reads a decision; members of the team get hidden ones too. Rejects as the RPC does. */
export async function readDecision(decisionId: string, signal?: AbortSignal): Promise<Decision> {
  const options = signal === undefined ? {} : { signal };
  if (isTeamMember()) {
    const { decision } = await rpc.content.getDecision({ decisionId }, options);
    if (decision !== undefined) return decisionFromProto(decision);
  }
  const { decisionJson } = await rpc.content.getShownDecision({ decisionId }, options);
  return { ...JSON.parse(decoder.decode(decisionJson)), hidden: false };
}

/** The kept versions of a decision before its present one, newest first. Members of the team only. */
export function readVersions(decisionId: string, signal: AbortSignal): Promise<Decision[]> {
  return everyPage(
    (pageToken) => rpc.content.listDecisionVersions({ decisionId, pageToken, pageSize: 20 }, { signal }),
    ({ versions }) => versions.map(decisionFromProto),
  );
}

/** Stores a new decision and returns its id. */
export async function createDecision(fields: DecisionFields): Promise<string> {
  const { decision } = await rpc.content.createDecision({ decision: fieldsToProto(fields) });
  return decision?.decisionId ?? '';
}

/** Stores an edit of a decision, unless it is not any more what the edit was made from: then it rejects with `conflict`. */
export async function saveDecision(base: Decision, fields: DecisionFields): Promise<void> {
  const { decision_id: decisionId, updated_at } = base;
  const baseUpdatedAt = timestampFromDate(new Date(updated_at));
  await rpc.content.editDecision({ decisionId, baseUpdatedAt, ...fieldsToProto(fields) });
}

/** Hides a decision from every reader, or shows it again. */
export async function setHidden({ decision_id: decisionId }: Decision, hidden: boolean): Promise<void> {
  await rpc.content.editDecision({ decisionId, hidden });
}

/** The name of the draft of a decision, or of a new one (`new`). */
export function draftNameOf(decisionId: string): string {
  return `decision ${decisionId}`;
}

/** Whether who is signed in may change this decision. */
export function mayEdit(decision: Pick<Decision, 'updated_by'>): boolean {
  return isTeamMember() && mayChange(decision);
}

/** Whether who is signed in may write new decisions. */
export function mayCreate(): boolean {
  return isTeamMember() && mayWrite();
}

function fieldsToProto({ title, body, status, audience, project, decided_on }: DecisionFields) {
  return {
    title,
    body,
    status: statusNumbers[status],
    audience: audience === 'external' ? Tier.EXTERNAL : Tier.TEAM,
    project: project ?? '',
    decidedOn: decided_on ?? '',
  };
}

function decisionFromProto(stored: StoredDecision): Decision {
  const { decisionId: decision_id, title, body, project, decidedOn, updatedAt, updatedBy, hidden } = stored;
  return {
    decision_id,
    title,
    body,
    hidden,
    status: statuses.find((status) => statusNumbers[status] === stored.status) ?? 'proposed',
    audience: stored.audience === Tier.EXTERNAL ? 'external' : 'team',
    project: project || null,
    decided_on: decidedOn || null,
    updated_at: updatedAt === undefined ? '' : timestampDate(updatedAt).toISOString(),
    updated_by: updatedBy,
  };
}
