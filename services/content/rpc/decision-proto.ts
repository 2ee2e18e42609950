import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { AppError } from '@teammemory/errors/app-error.ts';
import {
  type Decision as DecisionMessage,
  type DecisionSchema,
  type EditDecisionRequest,
  DecisionStatus as StatusProto,
} from '@teammemory/proto/content/v1/content_pb.ts';
import type { Decision, DecisionFields, DecisionStatus } from '../domain/decisions/decision.ts';
import { type DecisionEdit, noSuchDecision } from '../domain/decisions/decisions.ts';
import { millisecondsFromProto, tierFromProto, tierToProto } from './feed-proto.ts';

/** Length of a UUID. No id is longer, so nothing longer is looked up. */
const maxIdCharacters = 36;

const statuses: Record<DecisionStatus, StatusProto> = {
  proposed: StatusProto.PROPOSED,
  accepted: StatusProto.ACCEPTED,
  superseded: StatusProto.SUPERSEDED,
  rejected: StatusProto.REJECTED,
};

export function decisionToProto(decision: Decision): MessageInitShape<typeof DecisionSchema> {
  const { decisionId, title, body, updatedBy, hidden } = decision;
  return {
    decisionId,
    title,
    body,
    status: statuses[decision.status],
    audience: tierToProto(decision.audience),
    project: decision.project ?? '',
    decidedOn: decision.decidedOn ?? '',
    updatedAt: timestampFromMs(decision.updatedAtMs),
    updatedBy,
    hidden,
  };
}

/** Returns the id as it is. Throws AppError `not_found` for what cannot be the id of a decision. */
export function decisionIdFromProto(decisionId: string): string {
  if (decisionId.length <= maxIdCharacters) return decisionId;
  throw noSuchDecision();
}

/**
 * Returns the fields of a new decision.
 * @throws AppError `invalid_request` without an audience, because who may see a decision must not be guessed.
 */
export function decisionFieldsFromProto(decision: DecisionMessage | undefined): DecisionFields {
  const { title, body, status, audience, project, decidedOn, hidden } = decision ?? {};
  const tier = tierFromProto(audience);
  if (tier === undefined) throw wrong('/audience', 'must be team or external');
  return {
    title: title ?? '',
    body: body ?? '',
    status: statusFromProto(status) ?? 'proposed',
    audience: tier,
    project: project || null,
    decidedOn: decidedOn || null,
    hidden: hidden ?? false,
  };
}

/** Returns an edit with what it changes; unset fields are left out. */
export function decisionEditFromProto(request: EditDecisionRequest): DecisionEdit {
  const { baseUpdatedAt, title, body, project, decidedOn, hidden } = request;
  const decisionId = decisionIdFromProto(request.decisionId);
  const status = statusFromProto(request.status);
  const audience = tierFromProto(request.audience);
  const changed: Partial<DecisionFields> = {
    ...(title === undefined ? {} : { title }),
    ...(body === undefined ? {} : { body }),
    ...(status === undefined ? {} : { status }),
    ...(audience === undefined ? {} : { audience }),
    ...(project === undefined ? {} : { project: project || null }),
    ...(decidedOn === undefined ? {} : { decidedOn: decidedOn || null }),
    ...(hidden === undefined ? {} : { hidden }),
  };
  const baseUpdatedAtMs = baseUpdatedAt === undefined ? undefined : millisecondsFromProto(baseUpdatedAt);
  return { decisionId, baseUpdatedAtMs, changed };
}

/** Returns the status; undefined if none is set. Throws AppError `invalid_request` for one that is unknown. */
export function statusFromProto(status: StatusProto | undefined): DecisionStatus | undefined {
  if (status === undefined || status === StatusProto.UNSPECIFIED) return undefined;
  const found = Object.entries(statuses).find(([, number]) => number === status);
  // A number of a later version of the proto must not be stored as something else.
  if (found === undefined) throw wrong('/status', 'must be proposed, accepted, superseded or rejected');
  return found[0] as DecisionStatus;
}

function wrong(pointer: string, detail: string): AppError {
  return new AppError('invalid_request', 'The decision breaks a rule.', {
    violations: [{ pointer, detail }],
  });
}
