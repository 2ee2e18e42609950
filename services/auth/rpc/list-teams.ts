import type { MethodImpl } from '@connectrpc/connect';
import type { AuthService } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { requireAdministrator } from '@teammemory/rpc/auth/caller-context.ts';
import type { Teams } from '../domain/teams.ts';
import { nextPageTokenToProto, pageTokenFromProto } from './page-token.ts';
import { teamToProto } from './team-proto.ts';

const list = 'teams';

/** Answers ListTeams. */
export function listTeamsHandler(teams: Teams): MethodImpl<typeof AuthService.method.listTeams> {
  return async (request, context) => {
    requireAdministrator(context);
    const afterSlug = pageTokenFromProto(list, request.pageToken);
    const page = await teams.list(afterSlug, request.pageSize);
    return {
      teams: page.rows.map(teamToProto),
      nextPageToken: nextPageTokenToProto(list, page, (team) => team.slug),
    };
  };
}
