import type { MethodImpl } from '@connectrpc/connect';
import type { AuthService } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { requireAdministrator } from '@teammemory/rpc/auth/caller-context.ts';
import type { Keys } from '../domain/keys.ts';
import type { Members } from '../domain/members.ts';
import type { Teams } from '../domain/teams.ts';
import { keyToProto } from './key-proto.ts';
import { tierFromProto } from './tier-proto.ts';
import { optionalTimestampFromProto } from './timestamp-proto.ts';

/** Answers CreateKey. */
export function createKeyHandler(uses: {
  teams: Teams;
  members: Members;
  keys: Keys;
}): MethodImpl<typeof AuthService.method.createKey> {
  return async (request, context) => {
    requireAdministrator(context);
    const wanted = {
      tier: tierFromProto(request.tier),
      expiresAt: optionalTimestampFromProto(request.expiresAt),
    };
    const team = await uses.teams.get(request.teamSlug);
    const member = await uses.members.get(team.teamId, request.memberHandle);
    const { key, text } = await uses.keys.create({ team, member, ...wanted });
    return { key: keyToProto(key), secretKey: text };
  };
}
