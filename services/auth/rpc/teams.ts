import type { ServiceImpl } from '@connectrpc/connect';
import type { AuthService } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { requireAdministrator } from '@teammemory/rpc/auth/caller-context.ts';
import { pageSizeFromProto } from '@teammemory/rpc/request-fields.ts';
import type { Audit } from '@teammemory/rpc/server/audit-handlers.ts';
import { maxPageRows } from '@teammemory/vocabulary/limits.ts';
import type { Teams } from '../domain/teams.ts';
import { teamToProto } from './auth-proto.ts';
import { nextPageTokenToProto, pageTokenFromProto } from './page-token.ts';

type Handlers = ServiceImpl<typeof AuthService>;

interface Dependencies {
  teams: Teams;
  audit: Audit;
}

/** Handles `CreateTeam`. */
export function createTeamHandler({ teams, audit }: Dependencies): Handlers['createTeam'] {
  return async ({ slug, name }, context) => {
    requireAdministrator(context);
    const team = await audit.act(
      context,
      { action: 'team.create', object: slug, after: { name } },
      () => teams.create({ slug, name }),
      ({ teamId }) => ({ teamId }),
    );
    return { team: teamToProto(team) };
  };
}

/** Handles `GetTeam`. */
export function getTeamHandler({ teams }: Dependencies): Handlers['getTeam'] {
  return async (request, context) => {
    requireAdministrator(context);
    const team = await teams.get(request.slug);
    return { team: teamToProto(team) };
  };
}

const list = 'teams';

/** Handles `ListTeams`. */
export function listTeamsHandler({ teams }: Dependencies): Handlers['listTeams'] {
  return async (request, context) => {
    requireAdministrator(context);
    const afterSlug = pageTokenFromProto(list, request.pageToken);
    const page = await teams.list(afterSlug, pageSizeFromProto(request.pageSize, maxPageRows));
    return {
      teams: page.rows.map(teamToProto),
      nextPageToken: nextPageTokenToProto(list, page, (team) => team.slug),
    };
  };
}
