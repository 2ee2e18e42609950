import type { MethodImpl } from '@connectrpc/connect';
import type { AuthService } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { requireAdministrator } from '@teammemory/rpc/auth/caller-context.ts';
import type { Members } from '../domain/members.ts';
import type { Teams } from '../domain/teams.ts';
import { memberToProto } from './member-proto.ts';
import { nextPageTokenToProto, pageTokenFromProto } from './page-token.ts';

/** Answers ListMembers. */
export function listMembersHandler(uses: {
  teams: Teams;
  members: Members;
}): MethodImpl<typeof AuthService.method.listMembers> {
  return async (request, context) => {
    requireAdministrator(context);
    const { teamId } = await uses.teams.get(request.teamSlug);
    const list = `members/${teamId}`;
    const afterHandle = pageTokenFromProto(list, request.pageToken);
    const page = await uses.members.list(teamId, afterHandle, request.pageSize);
    return {
      members: page.rows.map(memberToProto),
      nextPageToken: nextPageTokenToProto(list, page, (member) => member.handle),
    };
  };
}
