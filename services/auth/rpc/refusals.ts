import { create } from '@bufbuild/protobuf';
import { timestampFromMs, timestampMs } from '@bufbuild/protobuf/wkt';
import type { ServiceImpl } from '@connectrpc/connect';
import { AppError } from '@teammemory/errors/app-error.ts';
import {
  type AuthService,
  type MemberRefusal,
  type Refusal as ProtoRefusal,
  RefusalSchema,
} from '@teammemory/proto/auth/v1/auth_pb.ts';
import { callerOrAdministrator, requireGateway } from '@teammemory/rpc/auth/caller-context.ts';
import type { NewRefusal, Refusal, Refusals } from '../domain/refusals.ts';
import { noSuchTeam, type Teams } from '../domain/teams.ts';

type Handlers = ServiceImpl<typeof AuthService>;

interface Dependencies {
  refusals: Refusals;
  teams: Teams;
}

/** Handles `RecordRefusals`. */
export function recordRefusalsHandler({ refusals }: Dependencies): Handlers['recordRefusals'] {
  return async (request, context) => {
    requireGateway(context);
    await refusals.record(request.refusals.map(refusalFromProto));
    return {};
  };
}

/** Handles `ListRefusals`. */
export function listRefusalsHandler({ teams, refusals }: Dependencies): Handlers['listRefusals'] {
  return async ({ teamSlug }, context) => {
    const caller = callerOrAdministrator(context);
    if (caller?.tier === 'external') {
      throw new AppError('forbidden_tier', 'This method requires a key of tier team.');
    }
    if (caller !== undefined && caller.teamSlug !== teamSlug) throw noSuchTeam();
    const { teamId } = await teams.get(teamSlug);
    const seesAll = caller === undefined || caller.isTeamAdministrator === true;
    const rows = await refusals.list(teamId, seesAll ? undefined : caller.memberId);
    return { refusals: rows.map(refusalToProto) };
  };
}

function refusalFromProto({ teamId, memberId, refusal }: MemberRefusal): NewRefusal {
  return {
    teamId,
    memberId,
    memberHandle: refusal?.memberHandle ?? '',
    keyId: refusal?.keyId ?? '',
    request: refusal?.request ?? '',
    code: refusal?.code ?? '',
    detail: refusal?.detail ?? '',
    rowKey: refusal?.rowKey ?? '',
    at: refusal?.at === undefined ? 0 : timestampMs(refusal.at),
  };
}

function refusalToProto({ at, ...refusal }: Refusal): ProtoRefusal {
  const { memberHandle, keyId, request, code, detail, rowKey } = refusal;
  return create(RefusalSchema, {
    at: timestampFromMs(at),
    memberHandle,
    keyId,
    request,
    code,
    detail,
    rowKey,
  });
}
