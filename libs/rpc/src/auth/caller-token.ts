import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createLru } from '@teammemory/async/lru.ts';
import { AppError } from '@teammemory/errors/app-error.ts';
import { isAccess } from '@teammemory/vocabulary/access.ts';
import { jwtVerify, SignJWT } from 'jose';
import type { Caller, Principal } from './principal.ts';

/** The longest a token is good for, in seconds: what a stolen one is worth. */
export const tokenLifetimeSeconds = 60;
/** Clocks of two machines may differ by so much. */
const clockToleranceSeconds = 5;
/** Marks our tokens among others of the same key pair. */
const issuer = 'team-memory';

/** Signs tokens for one audience at a time. */
export interface TokenSigner {
  /** A compact JWS (EdDSA over Ed25519) that is good for `tokenLifetimeSeconds`. */
  sign(principal: Principal, audience: string): Promise<string>;
}

/** Checks tokens. */
export interface TokenVerifier {
  /**
   * Returns the principal and the expiry time in milliseconds.
   * @throws AppError `unauthenticated` for a token that is forged, expired,
   *   for another audience or not a token at all.
   */
  verify(token: string, audience: string): Promise<{ principal: Principal; expiresAtMs: number }>;
}

/** Makes an Ed25519 key pair for a process that needs no other to trust it. */
export function generateSigningKeys(): { privateKey: KeyObject; publicKey: KeyObject } {
  return generateKeyPairSync('ed25519');
}

/** Makes a signer; `clock` returns milliseconds since the epoch. */
export function createTokenSigner(options: { privateKey: KeyObject; clock: () => number }): TokenSigner {
  return {
    sign(principal, audience) {
      const nowSeconds = Math.floor(options.clock() / 1000);
      return new SignJWT({ principal })
        .setProtectedHeader({ alg: 'EdDSA' })
        .setIssuer(issuer)
        .setAudience(audience)
        .setIssuedAt(nowSeconds)
        .setExpirationTime(nowSeconds + tokenLifetimeSeconds)
        .sign(options.privateKey);
    },
  };
}

/** Makes a verifier that accepts any of `publicKeys`: two while keys are being rotated. */
export function createTokenVerifier(options: {
  publicKeys: readonly KeyObject[];
  clock: () => number;
}): TokenVerifier {
  return {
    async verify(token, audience) {
      let cause: unknown;
      for (const key of options.publicKeys) {
        try {
          const { payload } = await jwtVerify(token, key, {
            algorithms: ['EdDSA'],
            issuer,
            audience,
            requiredClaims: ['exp', 'iat'],
            maxTokenAge: tokenLifetimeSeconds + clockToleranceSeconds,
            clockTolerance: clockToleranceSeconds,
            currentDate: new Date(options.clock()),
          });
          return { principal: principalFrom(payload.principal), expiresAtMs: (payload.exp ?? 0) * 1000 };
        } catch (error) {
          cause = error;
        }
      }
      throw new AppError('unauthenticated', 'The caller token is missing or not valid.', { cause });
    },
  };
}

function principalFrom(claim: unknown): Principal {
  const principal = claim as Partial<Principal> | undefined;
  if (principal?.kind === 'member') {
    const caller = principal.caller as Caller | undefined;
    // A word that this version does not know may stand for less than any it knows.
    if (isAccess(caller?.access)) return { kind: 'member', caller: caller as Caller, ...directly(principal) };
  }
  if (principal?.kind === 'service') {
    const scopes = (principal.scopes ?? []).map(String);
    return { kind: 'service', name: String(principal.name), scopes, ...directly(principal) };
  }
  if (principal?.kind === 'administrator' && principal.name !== undefined)
    return { kind: 'administrator', name: String(principal.name) };
  throw new AppError('unauthenticated', 'The caller token names no caller.');
}

function directly({ direct }: { direct?: true }): { direct?: true } {
  return direct === undefined ? {} : { direct: true };
}

/** A token is reused for half its life, so that a call that waits long still carries a valid one. */
const usedForMs = (tokenLifetimeSeconds * 1000) / 2;
/** A gateway uses one for each key and audience; beyond this number, tokens are signed again. */
const tokensKept = 20_000;

/**
 * Signs each token once and reuses it for half its life: a signature costs more than most calls. A
 * failed signature is not kept. `clock` is the signer's (milliseconds since the epoch), not a steady
 * one: services check a token's times, so a token from before the clock was set is useless.
 */
export function createCachingTokenSigner(options: { signer: TokenSigner; clock: () => number }): TokenSigner {
  const { signer, clock } = options;
  const kept = createLru<{ token: Promise<string>; fromMs: number }>(tokensKept);
  return {
    sign(principal, audience) {
      // The token's whole content: any change makes another token.
      const name = JSON.stringify([audience, principal]);
      const known = kept.get(name);
      const nowMs = clock();
      if (known !== undefined && known.fromMs <= nowMs && nowMs < known.fromMs + usedForMs)
        return known.token;
      const token = signer.sign(principal, audience);
      kept.set(name, { token, fromMs: nowMs });
      token.catch(() => kept.delete(name));
      return token;
    },
  };
}

/** Returns a token with which a service calls another, by the name of the called one. */
export type ServiceToken = (audience: string) => Promise<string>;

/**
 * Makes the tokens of a service with this name and these scopes, cached by `createCachingTokenSigner`.
 * `clock` returns milliseconds since the epoch.
 */
export function createServiceToken(options: {
  signer: TokenSigner;
  clock: () => number;
  name: string;
  scopes: string[];
}): ServiceToken {
  const { name, scopes } = options;
  const tokens = createCachingTokenSigner(options);
  const service: Principal = { kind: 'service', name, scopes };
  return (audience) => tokens.sign(service, audience);
}
