import { randomBytes } from 'node:crypto';
import { generateSigningKeys } from '@teammemory/rpc/auth/caller-token.ts';
import { derivedSecret, signInPurpose } from '@teammemory/rpc/auth/derived-secret.ts';
import { expect, test } from 'vitest';
import { createSignInFlows } from './sign-in-flow.ts';

const begun = { state: 's', nonce: 'n', codeVerifier: 'v', team: 'rivers', returnTo: '/' };
let now = 1_795_219_200_123;
const clock = () => now;
const { privateKey } = generateSigningKeys();
const gateway = () => createSignInFlows({ secret: derivedSecret(privateKey, signInPurpose), clock });

test('a flow that one gateway began is read by another with the same signing key, for ten minutes', () => {
  const text = gateway().seal(begun);
  expect(gateway().open(text)).toEqual(begun);
  now += 10 * 60 * 1_000;
  expect(gateway().open(text)).toBeUndefined();
});

test('a flow that was made up, changed, cut, or sealed elsewhere is none', () => {
  const text = gateway().seal(begun);
  const bytes = Buffer.from(text, 'base64url');
  const changed = Array.from(bytes, (_, place) => {
    const copy = Buffer.from(bytes);
    copy[place] = (copy[place] ?? 0) ^ 1;
    return copy.toString('base64url');
  });
  const elsewhere = createSignInFlows({ secret: randomBytes(32), clock }).seal(begun);
  const plain = Buffer.from(JSON.stringify(begun)).toString('base64url');
  for (const odd of [...changed, text.slice(0, -8), elsewhere, plain, '', 'x'.repeat(5_000), undefined])
    expect(gateway().open(odd)).toBeUndefined();
  expect(text).not.toContain(Buffer.from('rivers').toString('base64url'));
});
