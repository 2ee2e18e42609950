import { hash } from 'node:crypto';
import { timestampMs } from '@bufbuild/protobuf/wkt';
import type { Client } from '@connectrpc/connect';
import { AppError } from '@teammemory/errors/app-error.ts';
import type { AuthService } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { Tier } from '@teammemory/proto/common/v1/tier_pb.ts';
import { createCachingTokenSigner, type TokenSigner } from '@teammemory/rpc/auth/caller-token.ts';
import type { Caller, Principal } from '@teammemory/rpc/auth/principal.ts';
import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';

/** How long a valid key is cached; less than the 5 s in which a revocation must take effect. */
const keyCacheMs = 4_000;
/** Keys in the cache. */
const maxCachedKeys = 20_000;
/** A longer text cannot be a key and is not sent on. */
const maxKeyCharacters = 256;
const authenticateTimeoutMs = 5_000;
/** The gateway's own identity, for calls without a caller. */
const gateway: Principal = { kind: 'service', name: 'gateway', scopes: ['auth:read'] };

/** Turns keys into callers, and callers into tokens for services. */
export interface Callers {
  /**
   * Returns the caller of an `Authorization` header.
   * @throws AppError `invalid_key`, the same for every reason; `unavailable`.
   */
  authenticate(authorization: string | undefined): Promise<Caller>;
  /** Returns a caller token for one service. */
  tokenFor(caller: Caller, audience: string): Promise<string>;
}

interface KnownKey {
  caller: Caller;
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
  const known = new LRUCache<string, KnownKey>({ max: maxCachedKeys });
  const asking = new Map<string, Promise<KnownKey>>();
  const tokens = createCachingTokenSigner(dependencies);

  async function ask(key: string): Promise<KnownKey> {
    const untilMs = monotonicClock() + keyCacheMs;
    const token = await tokens.sign(gateway, 'auth');
    const answer = await auth
      .authenticate(
        { key },
        { timeoutMs: authenticateTimeoutMs, headers: { authorization: `Bearer ${token}` } },
      )
      .catch((error: unknown) => {
        // Always the same text, so that callers cannot tell one reason for a refusal from another.
        throw error instanceof AppError && error.code === 'invalid_key' ? invalidKey() : error;
      });
    if (answer.caller === undefined) throw invalidKey();
    const { $typeName, tier, ...names } = answer.caller;
    return {
      caller: { ...names, tier: tier === Tier.TEAM ? 'team' : 'external' },
      untilMs,
      expiresMs: answer.expiresAt === undefined ? Number.POSITIVE_INFINITY : timestampMs(answer.expiresAt),
    };
  }

  return {
    async authenticate(authorization) {
      const key = /^bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
      if (key === undefined || key.length > maxKeyCharacters) throw invalidKey();
      // Cached by digest, so that a memory dump of this process contains no keys.
      const digest = hash('sha256', key, 'base64');
      const entry = known.get(digest);
      if (entry !== undefined && monotonicClock() < entry.untilMs && clock() < entry.expiresMs) {
        return entry.caller;
      }
      let question = asking.get(digest);
      if (question === undefined) {
        question = ask(key).finally(() => asking.delete(digest));
        asking.set(digest, question);
      }
      const fresh = await question;
      known.set(digest, fresh);
      return fresh.caller;
    },
    tokenFor: (caller, audience) => tokens.sign({ kind: 'member', caller }, audience),
  };
}

function invalidKey(): AppError {
  return new AppError('invalid_key', 'The key is missing or not valid.');
}

/**
 * Makes the first two checks of every request below /api/v1: the key is valid, and
 * X-Svc-Team names the team of the key. The team is not looked up, so a team that
 * does not exist gets the same answer as one of somebody else.
 * @throws AppError `invalid_key`, `team_forbidden`, `unavailable`.
 */
export async function authenticateRequest(callers: Callers, request: FastifyRequest): Promise<Caller> {
  // Node uses the first of repeated headers, but a proxy may have checked the last, so repeated ones are refused.
  const given = request.raw.headersDistinct.authorization ?? [];
  const caller = await callers.authenticate(given.length === 1 ? given[0] : undefined);
  if (request.headers['x-svc-team'] !== caller.teamSlug) {
    throw new AppError('team_forbidden', 'The header X-Svc-Team does not name the team of this key.');
  }
  return caller;
}
