import type { MethodImpl } from '@connectrpc/connect';
import type { AuthService } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { requireAdministrator } from '@teammemory/rpc/auth/caller-context.ts';
import type { Teams } from '../domain/teams.ts';
import { teamToProto } from './team-proto.ts';

/** Answers GetTeam. */
export function getTeamHandler(teams: Teams): MethodImpl<typeof AuthService.method.getTeam> {
  return async (request, context) => {
    requireAdministrator(context);
    const team = await teams.get(request.slug);
    return { team: teamToProto(team) };
  };
}
