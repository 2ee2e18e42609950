import { hash } from 'node:crypto';
import { timestampMs } from '@bufbuild/protobuf/wkt';
import type { Client } from '@connectrpc/connect';
import { AppError } from '@teammemory/errors/app-error.ts';
import type { AuthService } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { Tier } from '@teammemory/proto/common/v1/tier_pb.ts';
import { type TokenSigner, tokenLifetimeSeconds } from '@teammemory/rpc/caller-token.ts';
import { appErrorFromRpc } from '@teammemory/rpc/error-translation.ts';
import type { Caller } from '@teammemory/rpc/principal.ts';
import { createServiceToken } from '@teammemory/rpc/service-token.ts';
import { LRUCache } from 'lru-cache';

/** How long a key is taken as good without asking again: less than the 5 s in which a revocation must work. */
const keyCacheMs = 4_000;
/** Keys and tokens remembered; more are asked for and signed again. */
const entriesKept = 20_000;
/** A token is replaced when it has less than this left, so that it outlives the call it is sent with. */
const tokenReserveMs = 15_000;
/** The longest text that could be a key; a longer one is not sent on. */
const keyMaxCharacters = 256;
const authenticateTimeoutMs = 5_000;

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
  untilMs: number;
}

/** `clock` answers milliseconds since the epoch. */
export function createCallers(options: {
  auth: Client<typeof AuthService>;
  signer: TokenSigner;
  clock: () => number;
}): Callers {
  const { auth, signer, clock } = options;
  const serviceToken = createServiceToken({ signer, clock, name: 'gateway', scopes: ['auth:read'] });
  const known = new LRUCache<string, KnownKey>({ max: entriesKept });
  const asking = new Map<string, Promise<KnownKey>>();
  const tokens = new LRUCache<string, { token: string; untilMs: number }>({ max: entriesKept });

  async function ask(key: string): Promise<KnownKey> {
    const askedMs = clock();
    const token = await serviceToken('auth');
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
    const expiresMs =
      answer.expiresAt === undefined ? Number.POSITIVE_INFINITY : timestampMs(answer.expiresAt);
    return {
      caller: { ...names, tier: tier === Tier.TEAM ? 'team' : 'external' },
      untilMs: Math.min(askedMs + keyCacheMs, expiresMs),
    };
  }

  return {
    async authenticate(authorization) {
      const key = /^bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
      if (key === undefined || key.length > keyMaxCharacters) throw invalidKey();
      // The digest, so that a dump of this process's memory holds no keys.
      const digest = hash('sha256', key, 'base64');
      const entry = known.get(digest);
      if (entry !== undefined && entry.untilMs > clock()) return entry.caller;
      let question = asking.get(digest);
      if (question === undefined) {
        question = ask(key).finally(() => asking.delete(digest));
        asking.set(digest, question);
      }
      const fresh = await question;
      known.set(digest, fresh);
      return fresh.caller;
    },
    async tokenFor(caller, audience) {
      const name = `${caller.keyId} ${audience}`;
      const entry = tokens.get(name);
      if (entry !== undefined && entry.untilMs > clock()) return entry.token;
      const untilMs = clock() + tokenLifetimeSeconds * 1000 - tokenReserveMs;
      const token = await signer.sign({ kind: 'member', caller }, audience);
      tokens.set(name, { token, untilMs });
      return token;
    },
  };
}

function invalidKey(): AppError {
  return new AppError('invalid_key', 'The key is missing or not valid.');
}
