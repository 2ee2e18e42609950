import type { MethodImpl } from '@connectrpc/connect';
import type { AuthService } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { requireAdministrator } from '@teammemory/rpc/auth/caller-context.ts';
import type { Teams } from '../domain/teams.ts';
import { teamToProto } from './team-proto.ts';

/** Answers CreateTeam. */
export function createTeamHandler(teams: Teams): MethodImpl<typeof AuthService.method.createTeam> {
  return async ({ slug, name }, context) => {
    requireAdministrator(context);
    const team = await teams.create({ slug, name });
    return { team: teamToProto(team) };
  };
}
