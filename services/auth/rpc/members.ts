import type { MethodImpl } from '@connectrpc/connect';
import type { AuthService } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { requireScope } from '@teammemory/rpc/auth/caller-context.ts';
import { pageSizeFromProto } from '@teammemory/rpc/page-size.ts';
import type { Audit } from '@teammemory/rpc/server/audit-handlers.ts';
import { maxPageRows } from '@teammemory/vocabulary/limits.ts';
import type { Members } from '../domain/members.ts';
import type { Teams } from '../domain/teams.ts';
import { administeredTeam, changedBy } from './administered-team.ts';
import { memberToProto, roleFromProto } from './auth-proto.ts';
import { nextPageTokenToProto, pageTokenFromProto } from './page-token.ts';

/** Handles `AddMember`. */
export function addMemberHandler(dependencies: {
  audit: Audit;
  teams: Teams;
  members: Members;
}): MethodImpl<typeof AuthService.method.addMember> {
  return async (request, context) => {
    const team = await administeredTeam(dependencies.teams, context, request.teamSlug);
    const wanted = { handle: request.handle, role: roleFromProto(request.role) };
    const { teamId } = team;
    const member = await dependencies.audit.act(
      context,
      { action: 'member.add', teamId, object: request.handle, after: { role: wanted.role } },
      () => dependencies.members.add(teamId, wanted),
    );
    return { member: memberToProto(member) };
  };
}

/** Handles `RemoveMember`. */
export function removeMemberHandler(dependencies: {
  audit: Audit;
  teams: Teams;
  members: Members;
}): MethodImpl<typeof AuthService.method.removeMember> {
  return async (request, context) => {
    const { teamId } = await administeredTeam(dependencies.teams, context, request.teamSlug);
    const revokedKeys = await dependencies.audit.act(
      context,
      { action: 'member.remove', teamId, object: request.handle },
      () => dependencies.members.remove(teamId, request.handle, changedBy(context)),
      (count) => ({ after: { revoked_keys: String(count) } }),
    );
    return { revokedKeys };
  };
}

/** Handles `SetMemberRole`. */
export function setMemberRoleHandler(dependencies: {
  audit: Audit;
  teams: Teams;
  members: Members;
}): MethodImpl<typeof AuthService.method.setMemberRole> {
  return async (request, context) => {
    const { teamId } = await administeredTeam(dependencies.teams, context, request.teamSlug);
    const role = roleFromProto(request.role);
    const before = await dependencies.members.get(teamId, request.handle);
    const member = await dependencies.audit.act(
      context,
      {
        action: 'member.role',
        teamId,
        object: request.handle,
        before: { role: before.role },
        after: { role },
      },
      () => dependencies.members.setRole(teamId, request.handle, role, changedBy(context)),
    );
    return { member: memberToProto(member) };
  };
}

/** Handles `FindMember`. */
export function findMemberHandler(members: Members): MethodImpl<typeof AuthService.method.findMember> {
  return async (request, context) => {
    requireScope(context, 'auth:read', request.teamId);
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
