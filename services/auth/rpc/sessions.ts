import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import type { MethodImpl } from '@connectrpc/connect';
import type { AuthService, OpenSessionRequest } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { requireCaller, requireGateway } from '@teammemory/rpc/auth/caller-context.ts';
import { invalidRequest } from '../domain/request-rules.ts';
import type { Sessions, SignInCredential } from '../domain/sessions.ts';

/** Handles `CreateSignInLink`. */
export function createSignInLinkHandler(
  sessions: Sessions,
): MethodImpl<typeof AuthService.method.createSignInLink> {
  return async (_request, context) => {
    const { text, expiresAt } = await sessions.createLink(requireCaller(context));
    return { signInToken: text, expiresAt: timestampFromMs(expiresAt) };
  };
}

/** Handles `OpenSession`. */
export function openSessionHandler(sessions: Sessions): MethodImpl<typeof AuthService.method.openSession> {
  return async (request, context) => {
    requireGateway(context);
    const { text, expiresAt } = await sessions.open(credentialFromProto(request));
    return { session: text, expiresAt: timestampFromMs(expiresAt) };
  };
}

/** Handles `EndSession`. */
export function endSessionHandler(sessions: Sessions): MethodImpl<typeof AuthService.method.endSession> {
  return async ({ session }, context) => {
    requireGateway(context);
    await sessions.end(session);
    return {};
  };
}

/** Handles `EndSessions`. */
export function endSessionsHandler(sessions: Sessions): MethodImpl<typeof AuthService.method.endSessions> {
  return async (_request, context) => ({ ended: await sessions.endAll(requireCaller(context)) });
}

function credentialFromProto({ credential }: OpenSessionRequest): SignInCredential {
  if (credential.case === 'key') return { kind: 'key', text: credential.value };
  if (credential.case === 'signInToken') return { kind: 'link', text: credential.value };
  if (credential.case === 'verified') return { kind: 'address', ...credential.value };
  throw invalidRequest('/credential', 'must be a key, a sign-in token or a verified address');
}
