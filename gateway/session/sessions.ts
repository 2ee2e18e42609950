import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampMs } from '@bufbuild/protobuf/wkt';
import type { Client } from '@connectrpc/connect';
import { AppError } from '@teammemory/errors/app-error.ts';
import type {
  AuthService,
  FindInvitationResponse,
  OpenSessionRequestSchema,
} from '@teammemory/proto/auth/v1/auth_pb.ts';
import { createServiceToken, type TokenSigner } from '@teammemory/rpc/auth/caller-token.ts';
import type { Callers } from '../caller.ts';
import { type CallOrigin, originHeaders } from '../clients.ts';
import type { KeyCaller } from '../request.ts';

const callTimeoutMs = 10_000;

/** What a person signs in with. */
export type SignInCredential =
  | { key: string }
  | { sign_in_token: string }
  /** An invitation, and the handle that the new member chose. */
  | { invitation_token: string; member: string }
  /** An address that the organisation's identity provider has verified. */
  | { verified: { address: string; teamSlug: string } };

/** A session that was opened. */
export interface OpenedSession {
  /** The text for the cookie. */
  text: string;
  maxAgeSeconds: number;
  caller: KeyCaller;
  /** The key that an invitation made; empty for every other credential. */
  secretKey: string;
}

/** Opens and ends sessions at the auth service. */
export interface Sessions {
  /** Returns an open invitation, which is not used up by it. @throws AppError `invalid_key`, `unavailable`. */
  findInvitation(token: string, origin: CallOrigin): Promise<FindInvitationResponse>;
  /**
   * @throws AppError `invalid_key`, `rate_limited`, `unavailable`; for an invitation also `invalid_request` and
   *   `already_exists` for the handle.
   */
  open(credential: SignInCredential, origin: CallOrigin): Promise<OpenedSession>;
  /** Returns the caller of a session. @throws AppError `invalid_key`, `unavailable`. */
  callerOf(session: string): Promise<KeyCaller>;
  /** Ends one session. It may have ended before. */
  end(session: string, origin: CallOrigin): Promise<void>;
  /** Ends all sessions of the member whom a session stands for. @throws AppError `invalid_key`, `unavailable`. */
  endAll(session: string, origin: CallOrigin): Promise<void>;
}

export function createSessions(dependencies: {
  auth: Client<typeof AuthService>;
  callers: Callers;
  signer: TokenSigner;
  clock: () => number;
}): Sessions {
  const { auth, callers, signer, clock } = dependencies;
  const serviceToken = createServiceToken({ signer, clock, name: 'gateway', scopes: ['auth:read'] });
  const options = async (origin: CallOrigin, token?: string) => ({
    timeoutMs: callTimeoutMs,
    headers: { authorization: `Bearer ${token ?? (await serviceToken('auth'))}`, ...originHeaders(origin) },
  });

  return {
    findInvitation: async (invitationToken, origin) =>
      auth.findInvitation({ invitationToken }, await options(origin)),
    async open(credential, origin) {
      const answer = await auth.openSession(
        { credential: credentialToProto(credential) },
        await options(origin),
      );
      if (answer.expiresAt === undefined)
        throw new AppError('internal', 'A session without an end was opened.');
      return {
        text: answer.session,
        maxAgeSeconds: Math.max(0, Math.floor((timestampMs(answer.expiresAt) - clock()) / 1000)),
        caller: await callers.authenticateSession(answer.session),
        secretKey: answer.secretKey,
      };
    },
    callerOf: (session) => callers.authenticateSession(session),
    async end(session, origin) {
      await auth.endSession({ session }, await options(origin));
      callers.forgetSession(session);
    },
    async endAll(session, origin) {
      const token = await callers.tokenFor(await callers.authenticateSession(session), 'auth');
      await auth.endSessions({}, await options(origin, token));
      callers.forgetSession(session);
    },
  };
}

function credentialToProto(
  credential: SignInCredential,
): NonNullable<MessageInitShape<typeof OpenSessionRequestSchema>['credential']> {
  if ('key' in credential) return { case: 'key', value: credential.key };
  if ('verified' in credential) return { case: 'verified', value: credential.verified };
  if ('invitation_token' in credential) {
    const { invitation_token: token, member: memberHandle } = credential;
    return { case: 'invitation', value: { token, memberHandle } };
  }
  return { case: 'signInToken', value: credential.sign_in_token };
}
