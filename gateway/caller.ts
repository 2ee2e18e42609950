import { hash } from 'node:crypto';
import { timestampMs } from '@bufbuild/protobuf/wkt';
import type { Client } from '@connectrpc/connect';
import { AppError } from '@teammemory/errors/app-error.ts';
import type { AuthService } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { Tier } from '@teammemory/proto/common/v1/tier_pb.ts';
import type { TokenSigner } from '@teammemory/rpc/auth/caller-token.ts';
import { createCachingTokenSigner } from '@teammemory/rpc/auth/caller-token.ts';
import type { Caller, Principal } from '@teammemory/rpc/auth/principal.ts';
import { appErrorFromRpc } from '@teammemory/rpc/error-translation.ts';
import { LRUCache } from 'lru-cache';

/** How long a key is taken as good without asking again: less than the 5 s in which a revocation must work. */
const keyCacheMs = 4_000;
/** Keys remembered; more are asked for again. */
const keysKept = 20_000;
/** The longest text that could be a key; a longer one is not sent on. */
const keyMaxCharacters = 256;
const authenticateTimeoutMs = 5_000;
/** What the gateway is where it calls in nobody's name. */
const gateway: Principal = { kind: 'service', name: 'gateway', scopes: ['auth:read'] };

/** Turns keys into callers, and callers into tokens for services. */
export interface Callers {
  /**
   * The caller behind an `Authorization` header.
   * @throws AppError `invalid_key`, the same for every reason; `unavailable`.
   */
  authenticate(authorization: string | undefined): Promise<Caller>;
  /** A caller token for one service. */
  tokenFor(caller: Caller, audience: string): Promise<string>;
}

interface KnownKey {
  caller: Caller;
  /** By the monotonic clock: one that is set back must not keep a revoked key alive. */
  untilMs: number;
  /** When the key itself ends, by the clock. */
  expiresMs: number;
}

/** `clock` answers milliseconds since the epoch, `monotonicClock` such that never go back. */
export function createCallers(options: {
  auth: Client<typeof AuthService>;
  signer: TokenSigner;
  clock: () => number;
  monotonicClock: () => number;
}): Callers {
  const { auth, clock, monotonicClock } = options;
  const known = new LRUCache<string, KnownKey>({ max: keysKept });
  const asking = new Map<string, Promise<KnownKey>>();
  const tokens = createCachingTokenSigner(options);

  async function ask(key: string): Promise<KnownKey> {
    const untilMs = monotonicClock() + keyCacheMs;
    const token = await tokens.sign(gateway, 'auth');
    const answer = await auth
      .authenticate(
        { key },
        { timeoutMs: authenticateTimeoutMs, headers: { authorization: `Bearer ${token}` } },
      )
      .catch((thrown: unknown) => {
        const error = appErrorFromRpc(thrown);
        // In our own words, so that no reason for a refusal can be told from another.
        throw error.code === 'invalid_key' ? invalidKey() : error;
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
      if (key === undefined || key.length > keyMaxCharacters) throw invalidKey();
      // The digest, so that a dump of this process's memory holds no keys.
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
