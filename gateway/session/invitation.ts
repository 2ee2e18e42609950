import { timestampMs } from '@bufbuild/protobuf/wkt';
import { AppError } from '@teammemory/errors/app-error.ts';
import { type FindInvitationResponse, MemberRole } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { Tier } from '@teammemory/proto/common/v1/tier_pb.ts';
import type { Access } from '@teammemory/vocabulary/access.ts';
import { accessFromProto } from '../caller.ts';

/** What whoever has the link of an invitation is told of it. */
export interface InvitationAnswer {
  /** Slug of the team, and its name for people. */
  team: string;
  team_name: string;
  /** Handle of the administrator who made it. */
  invited_by: string;
  role: 'admin' | 'member';
  tier: 'team' | 'external';
  access: Access;
  /** ISO 8601. */
  expires_at: string;
}

/** Maps an invitation to the answer. @throws AppError `internal` for one that is not whole. */
export function invitationAnswer({ invitation, team }: FindInvitationResponse): InvitationAnswer {
  if (invitation?.expiresAt === undefined || team === undefined) {
    throw new AppError('internal', 'An invitation without a team or an end was found.');
  }
  return {
    team: team.slug,
    team_name: team.name,
    invited_by: invitation.madeBy,
    role: invitation.role === MemberRole.ADMIN ? 'admin' : 'member',
    tier: invitation.tier === Tier.TEAM ? 'team' : 'external',
    access: accessFromProto[invitation.access] ?? 'read',
    expires_at: new Date(timestampMs(invitation.expiresAt)).toISOString(),
  };
}
