import type { MethodImpl } from '@connectrpc/connect';
import type { AuthService } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { requireAdministrator } from '@teammemory/rpc/auth/caller-context.ts';
import type { Keys } from '../domain/keys.ts';
import type { Teams } from '../domain/teams.ts';
import { keyPositionFromProto, keyPositionToProto } from './key-position-proto.ts';
import { keyToProto } from './key-proto.ts';
import { nextPageTokenToProto, pageTokenFromProto } from './page-token.ts';

/** Answers ListKeys. */
export function listKeysHandler(uses: {
  teams: Teams;
  keys: Keys;
}): MethodImpl<typeof AuthService.method.listKeys> {
  return async (request, context) => {
    requireAdministrator(context);
    const { teamId } = await uses.teams.get(request.teamSlug);
    const list = `keys/${teamId}`;
    const after = keyPositionFromProto(pageTokenFromProto(list, request.pageToken));
    const page = await uses.keys.list(teamId, after, request.pageSize);
    return {
      keys: page.rows.map(keyToProto),
      nextPageToken: nextPageTokenToProto(list, page, keyPositionToProto),
    };
  };
}
