import { type KeyObject, sign } from 'node:crypto';

/** What a caller token says; anything left out is as the gateway writes it. */
export interface TokenContents {
  audience: string;
  principal: object;
  algorithm?: 'EdDSA' | 'none';
  /** Seconds since the epoch; unset: now. */
  issuedAt?: number;
}

/** A caller token by hand, signed with any key: docs/security.md says what services expect of it. */
export function callerToken(privateKey: KeyObject, contents: TokenContents): string {
  const { audience, principal, algorithm = 'EdDSA', issuedAt = Math.floor(Date.now() / 1000) } = contents;
  const claims = { iss: 'team-memory', aud: audience, iat: issuedAt, exp: issuedAt + 60, principal };
  const text = [{ alg: algorithm }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${text}.${algorithm === 'none' ? '' : sign(null, Buffer.from(text), privateKey).toString('base64url')}`;
}

/** A member of tier team, as a token names one. */
export function memberPrincipal(teamSlug: string, teamId = teamSlug): object {
  const caller = { teamId, teamSlug, memberId: 'x', memberHandle: 'ada', tier: 'team', keyId: 'x' };
  return { kind: 'member', caller };
}
