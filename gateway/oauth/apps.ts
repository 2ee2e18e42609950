import { timestampMs } from '@bufbuild/protobuf/wkt';
import type { Client } from '@connectrpc/connect';
import type { AuthService, IssueAppTokensResponse } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { Access as ProtoAccess } from '@teammemory/proto/common/v1/access_pb.ts';
import { type Access, accesses } from '@teammemory/vocabulary/access.ts';
import type { Callers } from '../caller.ts';
import { type CallOrigin, originHeaders } from '../clients.ts';
import type { KeyCaller } from '../request.ts';
import type { AuthorizationRequest } from './authorization-request.ts';
import { scopeOfAccess } from './metadata.ts';

const callTimeoutMs = 10_000;
const protoAccess: Readonly<Record<Access, ProtoAccess>> = {
  read: ProtoAccess.READ,
  propose: ProtoAccess.PROPOSE,
  own: ProtoAccess.OWN,
  write: ProtoAccess.WRITE,
};

/** What an app exchanges for tokens. */
export type AppGrant = { code: string; redirectUri: string; codeVerifier: string } | { refreshToken: string };

/** Lets apps act, at the auth service. Every method throws AppError `unavailable`. */
export interface Apps {
  /** Returns the code for an app that the caller lets act. @throws AppError `forbidden_access`, `conflict`. */
  connect(
    wanted: AuthorizationRequest & { lifetimeSeconds: number },
    caller: KeyCaller,
    origin: CallOrigin,
  ): Promise<string>;
  /** Returns the answer of the token endpoint. @throws AppError `invalid_key`, `rate_limited`. */
  issue(
    app: { clientId: string; resource: string | undefined },
    grant: AppGrant,
    origin: CallOrigin,
  ): Promise<TokenAnswer>;
  /** Disconnects the app that has a token, if this one has it. */
  revoke(clientId: string, token: string, origin: CallOrigin): Promise<void>;
}

/** What the token endpoint answers (RFC 6749, 5.1). */
export interface TokenAnswer {
  access_token: string;
  token_type: 'Bearer';
  expires_in: number;
  refresh_token: string;
  scope: string;
}

export function createApps(dependencies: {
  auth: Client<typeof AuthService>;
  callers: Callers;
  /** Milliseconds since the epoch. */
  clock: () => number;
}): Apps {
  const { auth, callers, clock } = dependencies;
  const options = (token: string, origin: CallOrigin) => ({
    timeoutMs: callTimeoutMs,
    headers: { authorization: `Bearer ${token}`, ...originHeaders(origin) },
  });

  return {
    async connect({ client, redirectUri, codeChallenge, resource, access, lifetimeSeconds }, caller, origin) {
      const { clientId } = client;
      const asked = { clientId, redirectUri, codeChallenge, resource, lifetimeSeconds };
      const token = await callers.tokenFor(caller, 'auth');
      const wanted = { ...asked, access: protoAccess[access] };
      return (await auth.connectApp(wanted, options(token, origin))).code;
    },

    async issue({ clientId, resource = '' }, grant, origin) {
      const token = await callers.gatewayTokenFor('auth');
      const sent =
        'code' in grant
          ? { case: 'code' as const, value: grant }
          : { case: 'refreshToken' as const, value: grant.refreshToken };
      const issued = await auth.issueAppTokens({ clientId, resource, grant: sent }, options(token, origin));
      return tokenAnswer(issued, clock());
    },

    async revoke(clientId, token, origin) {
      await auth.revokeAppToken({ clientId, token }, options(await callers.gatewayTokenFor('auth'), origin));
    },
  };
}

function tokenAnswer(
  { accessToken, refreshToken, expiresAt, access }: IssueAppTokensResponse,
  now: number,
): TokenAnswer {
  const given = accesses.find((each) => protoAccess[each] === access) ?? 'read';
  return {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: expiresAt === undefined ? 0 : Math.max(0, Math.floor((timestampMs(expiresAt) - now) / 1000)),
    refresh_token: refreshToken,
    scope: accessesUpTo(given)
      .map((each) => scopeOfAccess[each])
      .join(' '),
  };
}

/** The accesses that one includes, from least to most. */
export function accessesUpTo(access: Access): Access[] {
  return accesses.slice(0, accesses.indexOf(access) + 1);
}
