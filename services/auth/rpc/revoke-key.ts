import type { MethodImpl } from '@connectrpc/connect';
import type { AuthService } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { requireAdministrator } from '@teammemory/rpc/auth/caller-context.ts';
import type { Keys } from '../domain/keys.ts';
import { keyToProto } from './key-proto.ts';

/** Answers RevokeKey. */
export function revokeKeyHandler(keys: Keys): MethodImpl<typeof AuthService.method.revokeKey> {
  return async (request, context) => {
    requireAdministrator(context);
    const key = await keys.revoke(request.keyId);
    return { key: keyToProto(key) };
  };
}
