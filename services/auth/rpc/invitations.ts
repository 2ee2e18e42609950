import type { HandlerContext, ServiceImpl } from '@connectrpc/connect';
import { AppError } from '@teammemory/errors/app-error.ts';
import type { AuthService } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { requireGateway, requireTeamAdministrator } from '@teammemory/rpc/auth/caller-context.ts';
import type { Audit } from '@teammemory/rpc/server/audit-handlers.ts';
import type { Invitation, Invitations } from '../domain/invitations.ts';
import type { Key } from '../domain/keys.ts';
import type { Teams } from '../domain/teams.ts';
import { administeredTeam, teamOf } from './administered-team.ts';
import {
  accessFromProto,
  invitationToProto,
  roleFromProto,
  teamToProto,
  tierFromProto,
} from './auth-proto.ts';

type Handlers = ServiceImpl<typeof AuthService>;

interface Dependencies {
  audit: Audit;
  teams: Teams;
  invitations: Invitations;
}

/** Handles `CreateInvitation`. */
export function createInvitationHandler({
  audit,
  teams,
  invitations,
}: Dependencies): Handlers['createInvitation'] {
  return async (request, context) => {
    const caller = requireTeamAdministrator(context);
    // An invitation ends with the rights of its maker, and an operator has none in the team.
    if (caller === undefined) {
      throw new AppError('permission_denied', 'Only administrators of the team invite somebody.');
    }
    const team = await teamOf(teams, caller, request.teamSlug);
    const { memberId, memberHandle: handle, keyId } = caller;
    const wanted = {
      role: roleFromProto(request.role),
      tier: tierFromProto(request.tier),
      access: accessFromProto(request.access),
    };
    const { invitation, text } = await audit.act(
      context,
      { action: 'invitation.create', teamId: team.teamId, object: '', after: { role: wanted.role } },
      () => invitations.create({ team, maker: { memberId, handle, keyId }, ...wanted }),
      ({ invitation }) => ({ object: invitation.invitationId, after: factsOf(invitation) }),
    );
    return { invitation: invitationToProto(invitation), invitationToken: text };
  };
}

/** Handles `ListInvitations`. */
export function listInvitationsHandler({ teams, invitations }: Dependencies): Handlers['listInvitations'] {
  return async ({ teamSlug }, context) => {
    const { teamId } = await administeredTeam(teams, context, teamSlug);
    return { invitations: (await invitations.list(teamId)).map(invitationToProto) };
  };
}

/** Handles `RevokeInvitation`. */
export function revokeInvitationHandler({
  audit,
  teams,
  invitations,
}: Dependencies): Handlers['revokeInvitation'] {
  return async ({ teamSlug, invitationId }, context) => {
    const { teamId } = await administeredTeam(teams, context, teamSlug);
    await audit.act(context, { action: 'invitation.revoke', teamId, object: invitationId }, () =>
      invitations.revoke(teamId, invitationId),
    );
    return {};
  };
}

/** Handles `FindInvitation`. */
export function findInvitationHandler({ teams, invitations }: Dependencies): Handlers['findInvitation'] {
  return async ({ invitationToken }, context) => {
    requireGateway(context);
    const invitation = await invitations.find(invitationToken);
    const team = await teams.get(invitation.teamSlug);
    return { invitation: invitationToProto(invitation), team: teamToProto(team) };
  };
}

/** Takes the invitation that a token proves, for a new member of this handle. @throws AppError as `Invitations`. */
export async function takeInvitation(
  { audit, invitations }: Pick<Dependencies, 'audit' | 'invitations'>,
  context: HandlerContext,
  { token, handle }: { token: string; handle: string },
): Promise<{ key: Key; text: string }> {
  const invitation = await invitations.find(token);
  const { invitationId, teamId } = invitation;
  return audit.act(
    context,
    { action: 'invitation.take', teamId, object: invitationId, after: { member: handle } },
    () => invitations.take(invitation, handle),
    ({ key }) => ({
      after: {
        member: key.memberHandle,
        key_id: key.keyId,
        made_by: invitation.makerHandle,
        ...factsOf(invitation),
      },
    }),
  );
}

/** What the audit log tells of an invitation: what it gives, and until when. */
function factsOf({ role, tier, access, expiresAt }: Invitation): Record<string, string> {
  return { role, tier, access, expires_at: new Date(expiresAt).toISOString() };
}
