import { createHash, timingSafeEqual } from 'node:crypto';
import type { DescMethod } from '@bufbuild/protobuf';
import type { ContextValues, Interceptor } from '@connectrpc/connect';
import { AppError } from '@teammemory/errors/app-error.ts';
import { LRUCache } from 'lru-cache';
import { isOpenMethod } from '../server/method-limits.ts';
import { principalKey } from './caller-context.ts';
import type { TokenVerifier } from './caller-token.ts';
import type { Principal } from './principal.ts';

/** Verified tokens kept: a gateway uses one per key and audience for up to a minute. */
const verifiedTokensKept = 20_000;

export interface AuthenticationOptions {
  audience: string;
  verifier: TokenVerifier;
  /** Unset: nobody is an administrator here. */
  administratorToken: string | undefined;
  clock: () => number;
}

/** What authentication looks at of a call, and where it puts what it found. */
interface AuthenticatedCall {
  method: DescMethod;
  header: Headers;
  values: ContextValues;
}

export interface Authenticator {
  /** Puts who makes a call among its values. @throws AppError `unauthenticated`. */
  authenticate(call: AuthenticatedCall): Promise<void>;
  /** Whom a bearer stands for. @throws AppError `unauthenticated`. */
  principalOf(bearer: string): Promise<Principal>;
}

/**
 * Finds out who calls, before any handler runs. The bearer is either a caller
 * token for this service or the administrator's token of the installation; a
 * call without a good one reaches no handler but that of the open method, where
 * nobody is anybody.
 *
 * A signature is checked once per token, its times at every call.
 */
export function createAuthenticator(options: AuthenticationOptions): Authenticator {
  const { audience, verifier, clock } = options;
  const administratorDigest =
    options.administratorToken === undefined ? undefined : digest(options.administratorToken);
  const verified = new LRUCache<string, { principal: Principal; verifiedAtMs: number; expiresAtMs: number }>({
    max: verifiedTokensKept,
  });

  const underWay = new Map<string, ReturnType<TokenVerifier['verify']>>();

  async function principalOf(bearer: string): Promise<Principal> {
    const known = verified.get(bearer);
    const nowMs = clock();
    // Where the clock was set back, the token may be one of the future now.
    if (known !== undefined && known.verifiedAtMs <= nowMs && nowMs < known.expiresAtMs) {
      return known.principal;
    }
    if (administratorDigest !== undefined && timingSafeEqual(digest(bearer), administratorDigest)) {
      return { kind: 'administrator' };
    }
    const fresh = await (underWay.get(bearer) ?? verify(bearer));
    verified.set(bearer, { ...fresh, verifiedAtMs: nowMs });
    return fresh.principal;
  }

  /** Single-flight: a signature costs more than most calls, and a client that starts makes many at once. */
  function verify(bearer: string): ReturnType<TokenVerifier['verify']> {
    const verifying = verifier.verify(bearer, audience).finally(() => underWay.delete(bearer));
    underWay.set(bearer, verifying);
    return verifying;
  }

  async function authenticate({ method, header, values }: AuthenticatedCall): Promise<void> {
    if (isOpenMethod(method)) return;
    const [scheme, bearer] = (header.get('authorization') ?? '').split(' ');
    if (scheme?.toLowerCase() !== 'bearer' || bearer === undefined || bearer === '') {
      throw new AppError('unauthenticated', 'The caller token is missing or not valid.');
    }
    values.set(principalKey, await principalOf(bearer));
  }

  return { authenticate, principalOf };
}

/** Authenticates every call before its handler. */
export function createAuthenticationInterceptor(options: AuthenticationOptions): Interceptor {
  const { authenticate } = createAuthenticator(options);
  return (next) => async (request) => {
    const { method, header, contextValues: values } = request;
    await authenticate({ method, header, values });
    return next(request);
  };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
