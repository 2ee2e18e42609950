import { generateKeyPairSync } from 'node:crypto';
import { SignJWT } from 'jose';
import { expect, test } from 'vitest';
import { createTokenSigner, createTokenVerifier, generateSigningKeys } from './caller-token.ts';
import type { Principal } from './principal.ts';

const nowMs = 1_795_000_000_000;
const keys = generateSigningKeys();
const member: Principal & { kind: 'member' } = {
  kind: 'member',
  caller: {
    teamId: 'team-id',
    teamSlug: 'blue',
    memberId: 'member-id',
    memberHandle: 'ada',
    tier: 'team',
    access: 'write',
    keyId: 'k'.repeat(16),
  },
};
const follower: Principal = { kind: 'service', name: 'query', scopes: ['feed:read'] };

const sign = (principal: Principal = member, { privateKey } = keys, audience = 'content') =>
  createTokenSigner({ privateKey, clock: () => nowMs }).sign(principal, audience);
const verify = (token: string, atMs = nowMs, publicKeys = [keys.publicKey]) =>
  createTokenVerifier({ publicKeys, clock: () => atMs }).verify(token, 'content');
const refused = { code: 'unauthenticated' };

/** A token of our own form, with what a forger would change. */
function forge(changed: {
  issuer?: string;
  iat?: number;
  exp?: number;
  principal?: unknown;
}): Promise<string> {
  const seconds = nowMs / 1000;
  const { issuer = 'team-memory', iat = seconds, exp = seconds + 60, principal = member } = changed;
  return new SignJWT({ principal })
    .setProtectedHeader({ alg: 'EdDSA' })
    .setIssuer(issuer)
    .setAudience('content')
    .setIssuedAt(iat)
    .setExpirationTime(exp)
    .sign(keys.privateKey);
}

test.each([member, follower])(
  'a token of a $kind says who it stands for, for a minute',
  async (principal) => {
    expect(await verify(await sign(principal))).toEqual({ principal, expiresAtMs: nowMs + 60_000 });
  },
);

test('a token carries the access of the key', async () => {
  for (const access of ['read', 'propose', 'own', 'write'] as const) {
    const principal: Principal = { ...member, caller: { ...member.caller, access } };
    expect((await verify(await sign(principal))).principal).toEqual(principal);
  }
});

test('a token says whether its member administers the team', async () => {
  const principal: Principal = { ...member, caller: { ...member.caller, isTeamAdministrator: true } };
  expect((await verify(await sign(principal))).principal).toEqual(principal);
  expect((await verify(await sign())).principal).not.toHaveProperty('caller.isTeamAdministrator');
});

test.each([undefined, '', 'admin', 'WRITE', null, 1, {}])(
  'a signed token with the access %j is refused',
  async (access) => {
    const caller = { ...member.caller, access };
    await expect(verify(await forge({ principal: { kind: 'member', caller } }))).rejects.toMatchObject(
      refused,
    );
  },
);

test('a token ends after a minute and what clocks may differ', async () => {
  const token = await sign();
  await verify(token, nowMs + 64_000);
  await expect(verify(token, nowMs + 66_000)).rejects.toMatchObject(refused);
});

test('a token of the future is refused', async () => {
  await expect(verify(await sign(), nowMs - 60_000)).rejects.toMatchObject(refused);
});

test('a token for another service is refused', async () => {
  await expect(verify(await sign(member, keys, 'auth'))).rejects.toMatchObject(refused);
});

test('a token of another key is refused', async () => {
  await expect(verify(await sign(member, generateSigningKeys()))).rejects.toMatchObject(refused);
});

test('tokens of both keys are good while keys are rotated, and of the old one no longer after', async () => {
  const next = generateSigningKeys();
  const both = [next.publicKey, keys.publicKey];
  await verify(await sign(member, keys), nowMs, both);
  await verify(await sign(member, next), nowMs, both);
  await expect(verify(await sign(member, keys), nowMs, [next.publicKey])).rejects.toMatchObject(refused);
});

test.each([
  ['another issuer', { issuer: 'another' }],
  ['a longer life', { exp: nowMs / 1000 + 3_600, iat: nowMs / 1000 - 3_000 }],
  ['no caller', { principal: null }],
  ['an unknown kind of caller', { principal: { kind: 'root' } }],
  ['an administrator without a name', { principal: { kind: 'administrator' } }],
])('a signed token with %s is refused', async (_, changed) => {
  await expect(verify(await forge(changed))).rejects.toMatchObject(refused);
});

test.each(['', 'x', 'a.b.c', '..', '\u0000', 'a'.repeat(100_000)])('%.20j is no token', async (token) => {
  await expect(verify(token)).rejects.toMatchObject(refused);
});

test('a token whose claims were changed is refused', async () => {
  const [header, , signature] = (await sign()).split('.');
  const [, claims] = (await sign(follower)).split('.');
  await expect(verify(`${header}.${claims}.${signature}`)).rejects.toMatchObject(refused);
});

test('a token without a signature, or with one of another kind, is refused', async () => {
  const [, claims] = (await sign()).split('.');
  const none = Buffer.from('{"alg":"none"}').toString('base64url');
  await expect(verify(`${none}.${claims}.`)).rejects.toMatchObject(refused);
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const signed = await new SignJWT({ principal: member })
    .setProtectedHeader({ alg: 'RS256' })
    .sign(rsa.privateKey);
  await expect(verify(signed)).rejects.toMatchObject(refused);
});
