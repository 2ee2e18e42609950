import type { ServiceImpl } from '@connectrpc/connect';
import type { AuthService } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { requireScope } from '@teammemory/rpc/auth/caller-context.ts';
import { pageSizeFromProto } from '@teammemory/rpc/request-fields.ts';
import type { Audit } from '@teammemory/rpc/server/audit-handlers.ts';
import { maxPageRows } from '@teammemory/vocabulary/limits.ts';
import type { Members } from '../domain/members.ts';
import type { Teams } from '../domain/teams.ts';
import { administeredTeam, changedBy } from './administered-team.ts';
import { memberToProto, roleFromProto } from './auth-proto.ts';
import { nextPageTokenToProto, pageTokenFromProto } from './page-token.ts';

type Handlers = ServiceImpl<typeof AuthService>;

interface Dependencies {
  audit: Audit;
  teams: Teams;
  members: Members;
}

/** Handles `AddMember`. */
export function addMemberHandler({ audit, teams, members }: Dependencies): Handlers['addMember'] {
  return async (request, context) => {
    const team = await administeredTeam(teams, context, request.teamSlug);
    const wanted = { handle: request.handle, role: roleFromProto(request.role) };
    const { teamId } = team;
    const member = await audit.act(
      context,
      { action: 'member.add', teamId, object: request.handle, after: { role: wanted.role } },
      () => members.add(teamId, wanted),
    );
    return { member: memberToProto(member) };
  };
}

/** Handles `RemoveMember`. */
export function removeMemberHandler({ audit, teams, members }: Dependencies): Handlers['removeMember'] {
  return async (request, context) => {
    const { teamId } = await administeredTeam(teams, context, request.teamSlug);
    const revokedKeys = await audit.act(
      context,
      { action: 'member.remove', teamId, object: request.handle },
      () => members.remove(teamId, request.handle, changedBy(context)),
      (count) => ({ after: { revoked_keys: String(count) } }),
    );
    return { revokedKeys };
  };
}

/** Handles `SetMemberRole`. */
export function setMemberRoleHandler({ audit, teams, members }: Dependencies): Handlers['setMemberRole'] {
  return async (request, context) => {
    const { teamId } = await administeredTeam(teams, context, request.teamSlug);
    const role = roleFromProto(request.role);
    const before = await members.get(teamId, request.handle);
    const member = await audit.act(
      context,
      {
        action: 'member.role',
        teamId,
        object: request.handle,
        before: { role: before.role },
        after: { role },
      },
      () => members.setRole(teamId, request.handle, role, changedBy(context)),
    );
    return { member: memberToProto(member) };
  };
}

/** Handles `FindMember`. */
export function findMemberHandler({ members }: Dependencies): Handlers['findMember'] {
  return async (request, context) => {
    requireScope(context, 'auth:read', request.teamId);
    const member = await members.get(request.teamId, request.handle);
    return { member: memberToProto(member) };
  };
}

/** Handles `ListMembers`. */
export function listMembersHandler({ teams, members }: Dependencies): Handlers['listMembers'] {
  return async (request, context) => {
    const { teamId } = await administeredTeam(teams, context, request.teamSlug);
    const list = `members/${teamId}`;
    const afterHandle = pageTokenFromProto(list, request.pageToken);
    const page = await members.list(teamId, afterHandle, pageSizeFromProto(request.pageSize, maxPageRows));
    return {
      members: page.rows.map(memberToProto),
      nextPageToken: nextPageTokenToProto(list, page, (member) => member.handle),
    };
  };
}
