import type { MethodImpl } from '@connectrpc/connect';
import type { AuthService } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { requireAdministrator } from '@teammemory/rpc/auth/caller-context.ts';
import type { Keys } from '../domain/keys.ts';
import type { Members } from '../domain/members.ts';
import type { Teams } from '../domain/teams.ts';
import { accessFromProto, keyToProto, optionalTimestampFromProto, tierFromProto } from './auth-proto.ts';
import {
  keyPositionFromProto,
  keyPositionToProto,
  nextPageTokenToProto,
  pageTokenFromProto,
} from './page-token.ts';

/** Handles `CreateKey`. */
export function createKeyHandler(dependencies: {
  teams: Teams;
  members: Members;
  keys: Keys;
}): MethodImpl<typeof AuthService.method.createKey> {
  return async (request, context) => {
    requireAdministrator(context);
    const wanted = {
      tier: tierFromProto(request.tier),
      access: accessFromProto(request.access),
      itemWritesPerMinute: request.itemWritesPerMinute ?? null,
      expiresAt: optionalTimestampFromProto(request.expiresAt),
    };
    const team = await dependencies.teams.get(request.teamSlug);
    const member = await dependencies.members.get(team.teamId, request.memberHandle);
    const { key, text } = await dependencies.keys.create({ team, member, ...wanted });
    return { key: keyToProto(key), secretKey: text };
  };
}

/** Handles `RevokeKey`. */
export function revokeKeyHandler(keys: Keys): MethodImpl<typeof AuthService.method.revokeKey> {
  return async (request, context) => {
    requireAdministrator(context);
    const key = await keys.revoke(request.keyId);
    return { key: keyToProto(key) };
  };
}

/** Handles `ListKeys`. */
export function listKeysHandler(dependencies: {
  teams: Teams;
  keys: Keys;
}): MethodImpl<typeof AuthService.method.listKeys> {
  return async (request, context) => {
    requireAdministrator(context);
    const { teamId } = await dependencies.teams.get(request.teamSlug);
    const list = `keys/${teamId}`;
    const after = keyPositionFromProto(pageTokenFromProto(list, request.pageToken));
    const page = await dependencies.keys.list(teamId, after, request.pageSize);
    return {
      keys: page.rows.map(keyToProto),
      nextPageToken: nextPageTokenToProto(list, page, keyPositionToProto),
    };
  };
}
