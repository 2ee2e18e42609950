import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { AppError } from '@teammemory/errors/app-error.ts';
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
   * Answers whom the token stands for and until when (milliseconds).
   * @throws AppError `unauthenticated` for a token that is forged, expired,
   *   for another audience or not a token at all.
   */
  verify(token: string, audience: string): Promise<{ principal: Principal; expiresAtMs: number }>;
}

/** Makes an Ed25519 key pair for a process that needs no other to trust it. */
export function generateSigningKeys(): { privateKey: KeyObject; publicKey: KeyObject } {
  return generateKeyPairSync('ed25519');
}

/** Makes a signer; `clock` answers milliseconds since the epoch. */
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
    return { kind: 'member', caller: principal.caller as Caller, ...directly(principal) };
  }
  if (principal?.kind === 'service') {
    const scopes = (principal.scopes ?? []).map(String);
    return { kind: 'service', name: String(principal.name), scopes, ...directly(principal) };
  }
  throw new AppError('unauthenticated', 'The caller token names no caller.');
}

function directly({ direct }: { direct?: true }): { direct?: true } {
  return direct === undefined ? {} : { direct: true };
}
