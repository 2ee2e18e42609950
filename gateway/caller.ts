import { hash } from 'node:crypto';
import { timestampMs } from '@bufbuild/protobuf/wkt';
import type { Client } from '@connectrpc/connect';
import { createLru } from '@teammemory/async/lru.ts';
import { AppError } from '@teammemory/errors/app-error.ts';
import type { AuthService } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { Access as ProtoAccess } from '@teammemory/proto/common/v1/access_pb.ts';
import { Tier } from '@teammemory/proto/common/v1/tier_pb.ts';
import { createCachingTokenSigner, type TokenSigner } from '@teammemory/rpc/auth/caller-token.ts';
import type { Caller, Principal } from '@teammemory/rpc/auth/principal.ts';
import type { Access } from '@teammemory/vocabulary/access.ts';
import type { FastifyRequest } from 'fastify';
import { type CallOrigin, originHeaders } from './clients.ts';
import { type KeyCaller, originOf } from './request.ts';
import { requireSameOrigin } from './session/same-origin.ts';
import { sessionOf } from './session/session-cookie.ts';

/** How long a valid key is cached; less than the 5 s in which a revocation must take effect. */
const keyCacheMs = 4_000;
/** Keys in the cache. */
const maxCachedKeys = 20_000;
/** A longer text cannot be a key and is not sent on. */
const maxKeyCharacters = 256;
const authenticateTimeoutMs = 5_000;
/** The gateway's own identity, for calls without a caller. */
const gateway: Principal = { kind: 'service', name: 'gateway', scopes: ['auth:read'] };

/** The access of a key by its number in protos. */
export const accessFromProto: Readonly<Record<number, Access>> = {
  [ProtoAccess.READ]: 'read',
  [ProtoAccess.PROPOSE]: 'propose',
  [ProtoAccess.OWN]: 'own',
  [ProtoAccess.WRITE]: 'write',
};

/** Turns keys into callers, and callers into tokens for services. */
export interface Callers {
  /**
   * Returns the caller of an `Authorization` header. The access token of an app is good at `resource` only, and without one
   * it is not a key.
   * @throws AppError `invalid_key`, the same for every reason; `unavailable`.
   */
  authenticate(authorization: string | undefined, origin?: CallOrigin, resource?: string): Promise<KeyCaller>;
  /**
   * Returns the caller of a session; it expires when the session does.
   * @throws AppError as `authenticate`.
   */
  authenticateSession(session: string, origin?: CallOrigin): Promise<KeyCaller>;
  /** Forgets a session that has ended, or whose key may have changed, so that the next request asks for it again. */
  forgetSession(session: string): void;
  /** Returns a caller token for one service. It carries nothing that `Caller` does not have. */
  tokenFor(caller: Caller, audience: string): Promise<string>;
  /** The same as a member gets who calls directly: for calls that only the service limits. */
  directTokenFor(caller: Caller, audience: string): Promise<string>;
  /** Returns the gateway's own token for one service. */
  gatewayTokenFor(audience: string): Promise<string>;
}

/** How a request proves who sends it. */
type Credential = { key: string } | { session: string } | { accessToken: string; resource: string };

interface KnownKey {
  caller: KeyCaller;
  /** By the monotonic clock, because a clock that is set back must not keep a revoked key valid. */
  untilMs: number;
  /** When the key itself expires, by the clock. */
  expiresMs: number;
}

/** `clock` returns milliseconds since the epoch, `monotonicClock` milliseconds that never go back. */
export function createCallers(dependencies: {
  auth: Client<typeof AuthService>;
  signer: TokenSigner;
  clock: () => number;
  monotonicClock: () => number;
}): Callers {
  const { auth, clock, monotonicClock } = dependencies;
  const known = createLru<KnownKey>(maxCachedKeys);
  const asking = new Map<string, Promise<KnownKey>>();
  const tokens = createCachingTokenSigner(dependencies);

  async function ask(credential: Credential, origin: CallOrigin | undefined): Promise<KnownKey> {
    const untilMs = monotonicClock() + keyCacheMs;
    const token = await tokens.sign(gateway, 'auth');
    const answer = await auth
      .authenticate(credential, {
        timeoutMs: authenticateTimeoutMs,
        headers: { authorization: `Bearer ${token}`, ...(origin && originHeaders(origin)) },
      })
      .catch((error: unknown) => {
        // Always the same text, so that callers cannot tell one reason for a refusal from another.
        throw error instanceof AppError && error.code === 'invalid_key' ? invalidKey() : error;
      });
    if (answer.caller === undefined) throw invalidKey();
    const { $typeName, tier, access, teamAdministrator, ...names } = answer.caller;
    const { itemWritesPerMinute } = answer;
    const expiresAtMs = answer.expiresAt && timestampMs(answer.expiresAt);
    return {
      caller: {
        ...names,
        tier: tier === Tier.TEAM ? 'team' : 'external',
        // A word of a later version, which this one cannot tell from less than `own`.
        access: accessFromProto[access] ?? 'read',
        ...(teamAdministrator && { isTeamAdministrator: true }),
        ...(expiresAtMs === undefined ? {} : { expiresAtMs }),
        ...(itemWritesPerMinute === undefined ? {} : { itemWritesPerMinute }),
      },
      untilMs,
      expiresMs: expiresAtMs ?? Number.POSITIVE_INFINITY,
    };
  }

  async function callerOf(credential: Credential, origin: CallOrigin | undefined): Promise<KeyCaller> {
    const digest = digestOf(credential);
    const entry = known.get(digest);
    if (entry !== undefined && monotonicClock() < entry.untilMs && clock() < entry.expiresMs) {
      return entry.caller;
    }
    let question = asking.get(digest);
    if (question === undefined) {
      question = ask(credential, origin).finally(() => asking.delete(digest));
      asking.set(digest, question);
    }
    const fresh = await question;
    known.set(digest, fresh);
    return fresh.caller;
  }

  const sign = (
    { expiresAtMs, itemWritesPerMinute, ...caller }: KeyCaller,
    audience: string,
    direct?: true,
  ) => tokens.sign({ kind: 'member', caller, ...(direct && { direct }) }, audience);

  return {
    async authenticate(authorization, origin, resource) {
      const key = /^bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
      if (key === undefined || key.length > maxKeyCharacters) throw invalidKey();
      const isToken = resource !== undefined && isAccessToken(authorization);
      return callerOf(isToken ? { accessToken: key, resource } : { key }, origin);
    },
    authenticateSession: (session, origin) => callerOf({ session }, origin),
    forgetSession: (session) => known.delete(digestOf({ session })),
    tokenFor: (caller, audience) => sign(caller, audience),
    directTokenFor: (caller, audience) => sign(caller, audience, true),
    gatewayTokenFor: (audience) => tokens.sign(gateway, audience),
  };
}

/** Callers are cached by a digest, so that a memory dump of this process contains no keys. */
function digestOf(credential: Credential): string {
  if ('key' in credential) return hash('sha256', credential.key, 'base64');
  if ('session' in credential) return `session ${hash('sha256', credential.session, 'base64')}`;
  return `token ${hash('sha256', `${credential.accessToken} ${credential.resource}`, 'base64')}`;
}

function invalidKey(): AppError {
  return new AppError('invalid_key', 'The key is missing or not valid.');
}

/** Whether a header has the access token of an app, and not a key. */
export function isAccessToken(authorization: string | undefined): boolean {
  return /^bearer +tmsa_/i.test(authorization ?? '');
}

/**
 * Makes the first check of every request with a key, or at a resource with an app's access token for it.
 * @throws AppError `invalid_key`, `unavailable`.
 */
export function authenticateKey(
  callers: Callers,
  request: FastifyRequest,
  resource?: string,
): Promise<KeyCaller> {
  // Node uses the first of repeated headers, but a proxy may have checked the last, so repeated ones are refused.
  const given = request.raw.headersDistinct.authorization ?? [];
  return callers.authenticate(given.length === 1 ? given[0] : undefined, originOf(request), resource);
}

/**
 * Returns the caller of a request with a session, which only pages of this origin may send.
 * @throws AppError `forbidden_origin`; `invalid_key` without a session, or with one that has ended; `unavailable`.
 */
export async function authenticateSession(callers: Callers, request: FastifyRequest): Promise<KeyCaller> {
  requireSameOrigin(request);
  const session = sessionOf(request);
  if (session === undefined) throw new AppError('invalid_key', 'Nobody is signed in.');
  return callers.authenticateSession(session, originOf(request));
}

/**
 * Makes the first two checks of every request below /api/v1: the key or, for a page of this service, the session is
 * valid, and X-Svc-Team names the team of the key. The team is not looked up, so a team that
 * does not exist gets the same answer as one of somebody else.
 * @throws AppError `invalid_key`, `team_forbidden`, `unavailable`.
 */
export async function authenticateRequest(callers: Callers, request: FastifyRequest): Promise<KeyCaller> {
  const hasSession = request.headers.authorization === undefined && sessionOf(request) !== undefined;
  const caller = await (hasSession ? authenticateSession : authenticateKey)(callers, request);
  if (request.headers['x-svc-team'] !== caller.teamSlug) {
    throw new AppError('team_forbidden', 'The header X-Svc-Team does not name the team of this key.');
  }
  return caller;
}
