import { hkdfSync, type KeyObject } from 'node:crypto';

/**
 * Returns 32 bytes that all processes with the same private key have in common, and nobody else: others for each `purpose`,
 * and none of them tells anything of the key.
 */
export function derivedSecret(privateKey: KeyObject, purpose: string): Buffer {
  const { d = '' } = privateKey.export({ format: 'jwk' });
  return Buffer.from(hkdfSync('sha256', Buffer.from(d, 'base64url'), '', `team-memory ${purpose}`, 32));
}

/** What the cookies of a sign-in through an identity provider are sealed with. */
export const signInPurpose = 'sign-in cookie';
