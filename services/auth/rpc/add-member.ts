import type { MethodImpl } from '@connectrpc/connect';
import type { AuthService } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { requireAdministrator } from '@teammemory/rpc/auth/caller-context.ts';
import type { Members } from '../domain/members.ts';
import type { Teams } from '../domain/teams.ts';
import { memberToProto } from './member-proto.ts';
import { roleFromProto } from './role-proto.ts';

/** Answers AddMember. */
export function addMemberHandler(uses: {
  teams: Teams;
  members: Members;
}): MethodImpl<typeof AuthService.method.addMember> {
  return async (request, context) => {
    requireAdministrator(context);
    const wanted = { handle: request.handle, role: roleFromProto(request.role) };
    const team = await uses.teams.get(request.teamSlug);
    const member = await uses.members.add(team.teamId, wanted);
    return { member: memberToProto(member) };
  };
}
