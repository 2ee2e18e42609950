import { createHash, timingSafeEqual } from 'node:crypto';
import type { DescMethod } from '@bufbuild/protobuf';
import type { ContextValues, Interceptor } from '@connectrpc/connect';
import { createLru } from '@teammemory/async/lru.ts';
import { AppError } from '@teammemory/errors/app-error.ts';
import { isOpenMethod, limitsOf } from '../method-limits.ts';
import { principalKey } from './caller-context.ts';
import type { TokenVerifier } from './caller-token.ts';
import type { Principal } from './principal.ts';

/** The name of whoever has the token that the installation was set up with. No operator can have it. */
export const bootstrapName = 'bootstrap';
/** Verified tokens kept: a gateway uses one per key and audience for up to a minute. */
const verifiedTokensKept = 20_000;

export interface AuthenticationOptions {
  audience: string;
  verifier: TokenVerifier;
  /** Unset: nobody is an administrator here. */
  administratorToken: string | undefined;
  clock: () => number;
}

/** What authentication reads of a call, and the values to which it adds the principal. */
interface AuthenticatedCall {
  method: DescMethod;
  header: Headers;
  values: ContextValues;
}

export interface Authenticator {
  /** Sets the call's principal among its values. @throws AppError `unauthenticated`. */
  authenticate(call: AuthenticatedCall): Promise<void>;
  /** Returns the principal of a bearer token. @throws AppError `unauthenticated`. */
  principalOf(bearer: string): Promise<Principal>;
}

/**
 * Authenticates calls before any handler runs. The bearer is a caller token for this service or the
 * installation's administrator token. A call without a valid one reaches only the open method, which
 * has no principal.
 *
 * A token's signature is checked once, its times at every call.
 */
export function createAuthenticator(options: AuthenticationOptions): Authenticator {
  const { audience, verifier, clock } = options;
  const administratorDigest =
    options.administratorToken === undefined ? undefined : digest(options.administratorToken);
  const verified = createLru<{ principal: Principal; verifiedAtMs: number; expiresAtMs: number }>(
    verifiedTokensKept,
  );

  const underWay = new Map<string, ReturnType<TokenVerifier['verify']>>();

  async function principalOf(bearer: string): Promise<Principal> {
    const known = verified.get(bearer);
    const nowMs = clock();
    // If the clock was set back, the token may now be from the future.
    if (known !== undefined && known.verifiedAtMs <= nowMs && nowMs < known.expiresAtMs) {
      return known.principal;
    }
    if (administratorDigest !== undefined && timingSafeEqual(digest(bearer), administratorDigest)) {
      return { kind: 'administrator', name: bootstrapName };
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

/**
 * Authenticates every call before its handler. Before methods whose proto says `confirms_caller` it also asks the store
 * what the caller may do now: a token lives on for a minute after a demotion or a revocation, in which its holder could
 * make a key that lasts.
 */
export function authenticationInterceptor(
  { authenticate }: Pick<Authenticator, 'authenticate'>,
  lookUp: LookUpCredential = nobodyAnswers,
): Interceptor {
  return (next) => async (request) => {
    const { method, header, contextValues: values } = request;
    await authenticate({ method, header, values });
    const principal = values.get(principalKey);
    if (principal !== undefined && limitsOf(method).confirmsCaller) {
      values.set(principalKey, await confirmed(principal, lookUp));
    }
    return next(request);
  };
}

/** Whose credential is looked up: a key by its id, an operator's token by its name. */
export type Credential = { keyId: string } | { operator: string };

/** The rights of a credential now; a token may still tell earlier ones. */
export interface CredentialState {
  isValid: boolean;
  /** Whether it is a key that may administer its team. */
  isTeamAdministrator: boolean;
}

/** Reads the store of the auth service. @throws AppError `unavailable`. */
export type LookUpCredential = (credential: Credential) => Promise<CredentialState>;

/** A service that has such methods, and was given nobody to ask, refuses them. */
const nobodyAnswers: LookUpCredential = async () => ({ isValid: false, isTeamAdministrator: false });

/**
 * Returns the caller as the store knows it now.
 * @throws AppError `invalid_key` for a member, whose gateway must not take it for a refusal of its own tokens,
 *   `unauthenticated` for others, `unavailable`.
 */
async function confirmed(principal: Principal, lookUp: LookUpCredential): Promise<Principal> {
  const credential = credentialOf(principal);
  if (credential === undefined) return principal;
  const { isValid, isTeamAdministrator } = await lookUp(credential);
  if (!isValid && principal.kind === 'member')
    throw new AppError('invalid_key', 'The key is missing or not valid.');
  if (!isValid) throw new AppError('unauthenticated', 'The caller token is missing or not valid.');
  if (principal.kind !== 'member') return principal;
  const { isTeamAdministrator: _, ...caller } = principal.caller;
  return { ...principal, caller: isTeamAdministrator ? { ...caller, isTeamAdministrator } : caller };
}

/** Undefined for the token that the installation was set up with, and for services: neither can be taken back. */
function credentialOf(principal: Principal): Credential | undefined {
  if (principal.kind === 'member') return { keyId: principal.caller.keyId };
  if (principal.kind === 'service' || principal.name === bootstrapName) return undefined;
  return { operator: principal.name };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
