import type { MethodImpl } from '@connectrpc/connect';
import type { AuthService } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { requireScope } from '@teammemory/rpc/auth/caller-context.ts';
import { type AuthenticateDependencies, authenticate } from '../domain/authenticate.ts';
import { callerToProto } from './key-proto.ts';
import { optionalTimestampToProto } from './timestamp-proto.ts';

/** Answers Authenticate. */
export function authenticateHandler(
  dependencies: AuthenticateDependencies,
): MethodImpl<typeof AuthService.method.authenticate> {
  return async (request, context) => {
    requireScope(context, 'auth:read');
    const key = await authenticate(dependencies, request.key);
    return { caller: callerToProto(key), expiresAt: optionalTimestampToProto(key.expiresAt) };
  };
}
