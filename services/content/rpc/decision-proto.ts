import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { AppError } from '@teammemory/errors/app-error.ts';
import {
  type Decision,
  type DecisionSchema,
  type EditDecisionRequest,
  DecisionStatus as StatusProto,
} from '@teammemory/proto/content/v1/content_pb.ts';
import type { DecisionEdit } from '../domain/edit-decision.ts';
import { noSuchDecision } from '../domain/find-decision.ts';
import type { DecisionFields, DecisionStatus, TeamDecision } from '../domain/team-decision.ts';
import { millisecondsFromProto } from './page-proto.ts';
import { tierFromProto, tierToProto } from './tier-proto.ts';

/** Length of a UUID: no id is longer, and nothing longer is looked up. */
const idCharacters = 36;

const statuses: Record<DecisionStatus, StatusProto> = {
  proposed: StatusProto.PROPOSED,
  accepted: StatusProto.ACCEPTED,
  superseded: StatusProto.SUPERSEDED,
  rejected: StatusProto.REJECTED,
};

/** A stored decision as protobuf writes it. */
export function decisionToProto(decision: TeamDecision): MessageInitShape<typeof DecisionSchema> {
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

/** The id as it is. Throws AppError `not_found` for what is no id of any decision. */
export function decisionIdFromProto(decisionId: string): string {
  if (decisionId.length <= idCharacters) return decisionId;
  throw noSuchDecision();
}

/**
 * What its writer says about a new decision.
 * @throws AppError `invalid_request` without an audience: who may see it is nothing to guess.
 */
export function decisionFieldsFromProto(decision: Decision | undefined): DecisionFields {
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

/** What an edit changes; unset fields are left out. */
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

function statusFromProto(status: StatusProto | undefined): DecisionStatus | undefined {
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
