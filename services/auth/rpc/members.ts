import type { MethodImpl } from '@connectrpc/connect';
import type { AuthService } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { requireScope } from '@teammemory/rpc/auth/caller-context.ts';
import { pageSizeFromProto } from '@teammemory/rpc/page-size.ts';
import { maxPageRows } from '@teammemory/vocabulary/limits.ts';
import type { Members } from '../domain/members.ts';
import type { Teams } from '../domain/teams.ts';
import { administeredTeam, changedBy } from './administered-team.ts';
import { memberToProto, roleFromProto } from './auth-proto.ts';
import { nextPageTokenToProto, pageTokenFromProto } from './page-token.ts';

/** Handles `AddMember`. */
export function addMemberHandler(dependencies: {
  teams: Teams;
  members: Members;
}): MethodImpl<typeof AuthService.method.addMember> {
  return async (request, context) => {
    const team = await administeredTeam(dependencies.teams, context, request.teamSlug);
    const wanted = { handle: request.handle, role: roleFromProto(request.role) };
    const member = await dependencies.members.add(team.teamId, wanted);
    return { member: memberToProto(member) };
  };
}

/** Handles `RemoveMember`. */
export function removeMemberHandler(dependencies: {
  teams: Teams;
  members: Members;
}): MethodImpl<typeof AuthService.method.removeMember> {
  return async (request, context) => {
    const { teamId } = await administeredTeam(dependencies.teams, context, request.teamSlug);
    return {
      revokedKeys: await dependencies.members.remove(teamId, request.handle, changedBy(context)),
    };
  };
}

/** Handles `SetMemberRole`. */
export function setMemberRoleHandler(dependencies: {
  teams: Teams;
  members: Members;
}): MethodImpl<typeof AuthService.method.setMemberRole> {
  return async (request, context) => {
    const { teamId } = await administeredTeam(dependencies.teams, context, request.teamSlug);
    const role = roleFromProto(request.role);
    const member = await dependencies.members.setRole(teamId, request.handle, role, changedBy(context));
    return { member: memberToProto(member) };
  };
}

/** Handles `FindMember`. */
export function findMemberHandler(members: Members): MethodImpl<typeof AuthService.method.findMember> {
  return async (request, context) => {
    requireScope(context, 'auth:read');
    const member = await members.get(request.teamId, request.handle);
    return { member: memberToProto(member) };
  };
}

/** Handles `ListMembers`. */
export function listMembersHandler(dependencies: {
  teams: Teams;
  members: Members;
}): MethodImpl<typeof AuthService.method.listMembers> {
  return async (request, context) => {
    const { teamId } = await administeredTeam(dependencies.teams, context, request.teamSlug);
    const list = `members/${teamId}`;
    const afterHandle = pageTokenFromProto(list, request.pageToken);
    const page = await dependencies.members.list(
      teamId,
      afterHandle,
      pageSizeFromProto(request.pageSize, maxPageRows),
    );
    return {
      members: page.rows.map(memberToProto),
      nextPageToken: nextPageTokenToProto(list, page, (member) => member.handle),
    };
  };
}
