import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import type { HandlerContext, ServiceImpl } from '@connectrpc/connect';
import type { AuthService, OpenSessionRequest } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { requireCaller, requireGateway } from '@teammemory/rpc/auth/caller-context.ts';
import type { Audit } from '@teammemory/rpc/server/audit-handlers.ts';
import type { Invitations } from '../domain/invitations.ts';
import type { Key } from '../domain/keys.ts';
import { invalidRequest } from '../domain/request-rules.ts';
import type { Sessions, SignInCredential } from '../domain/sessions.ts';
import { takeInvitation } from './invitations.ts';

type Handlers = ServiceImpl<typeof AuthService>;

interface Dependencies {
  sessions: Sessions;
  invitations: Invitations;
  audit: Audit;
}

/** Handles `CreateSignInLink`. */
export function createSignInLinkHandler({ sessions, audit }: Dependencies): Handlers['createSignInLink'] {
  return async (_request, context) => {
    const caller = requireCaller(context);
    const { teamId, keyId } = caller;
    const { text, expiresAt } = await audit.act(
      context,
      { action: 'sign_in_link.create', teamId, object: keyId },
      () => sessions.createLink(caller),
    );
    return { signInToken: text, expiresAt: timestampFromMs(expiresAt) };
  };
}

/** Handles `OpenSession`. */
export function openSessionHandler({ sessions, invitations, audit }: Dependencies): Handlers['openSession'] {
  /** The key that a request proves. An invitation makes it, and then its text is told. */
  async function prove(
    request: OpenSessionRequest,
    context: HandlerContext,
  ): Promise<{ key: Key; text: string; by: string }> {
    const { credential } = request;
    if (credential.case === 'invitation') {
      const { token, memberHandle: handle } = credential.value;
      return {
        ...(await takeInvitation({ invitations, audit }, context, { token, handle })),
        by: 'invitation',
      };
    }
    const proof = credentialFromProto(request);
    return { key: await sessions.prove(proof), text: '', by: proof.kind };
  }

  return async (request, context) => {
    requireGateway(context);
    const { key, text: secretKey, by } = await prove(request, context);
    const { teamId, keyId, memberHandle } = key;
    const { text, expiresAt } = await audit.act(
      context,
      {
        action: 'session.open',
        teamId,
        object: memberHandle,
        after: { key_id: keyId, by },
      },
      () => sessions.open(key),
    );
    return { session: text, expiresAt: timestampFromMs(expiresAt), secretKey };
  };
}

/** Handles `EndSession`. */
export function endSessionHandler({ sessions, audit }: Dependencies): Handlers['endSession'] {
  return async ({ session }, context) => {
    requireGateway(context);
    const ended = await sessions.find(session);
    if (ended === undefined) return {};
    const { teamId, keyId } = ended;
    await audit.act(context, { action: 'session.end', teamId, object: keyId }, () => sessions.end(session));
    return {};
  };
}

/** Handles `EndSessions`. */
export function endSessionsHandler({ sessions, invitations, audit }: Dependencies): Handlers['endSessions'] {
  return async (_request, context) => {
    const caller = requireCaller(context);
    const { teamId, memberHandle } = caller;
    const ended = await audit.act(
      context,
      { action: 'session.end', teamId, object: memberHandle, after: { sessions: 'all' } },
      async () => {
        // A key of tier external ends nothing that stands for one of tier team.
        if (caller.tier === 'team') await invitations.endOfMember(teamId, memberHandle);
        return sessions.endAll(caller);
      },
    );
    return { ended };
  };
}

function credentialFromProto({ credential }: OpenSessionRequest): SignInCredential {
  if (credential.case === 'key') return { kind: 'key', text: credential.value };
  if (credential.case === 'signInToken') return { kind: 'link', text: credential.value };
  if (credential.case === 'verified') return { kind: 'address', ...credential.value };
  throw invalidRequest('/credential', 'must be a key, a sign-in token, a verified address or an invitation');
}
