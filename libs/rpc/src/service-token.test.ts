import { expect, test } from 'vitest';
import { createTokenSigner, createTokenVerifier, generateSigningKeys } from './caller-token.ts';
import { createServiceToken } from './service-token.ts';

const startMs = Date.parse('2026-05-01T00:00:00Z');

function tokens() {
  let nowMs = startMs;
  const clock = () => nowMs;
  const { privateKey, publicKey } = generateSigningKeys();
  const serviceToken = createServiceToken({
    signer: createTokenSigner({ privateKey, clock }),
    clock,
    name: 'query',
    scopes: ['feed:read'],
  });
  const verifier = createTokenVerifier({ publicKeys: [publicKey], clock });
  return { serviceToken, verifier, passTo: (seconds: number) => (nowMs = startMs + seconds * 1000) };
}

test('a token stands for the service with its scopes, at its audience alone', async () => {
  const { serviceToken, verifier } = tokens();
  const token = await serviceToken('content');
  const { principal } = await verifier.verify(token, 'content');
  expect(principal).toEqual({ kind: 'service', name: 'query', scopes: ['feed:read'] });
  await expect(verifier.verify(token, 'auth')).rejects.toMatchObject({ code: 'unauthenticated' });
  await expect(verifier.verify(await serviceToken('auth'), 'auth')).resolves.toBeDefined();
});

test('a token is signed once and used for half its life, never when it has less left', async () => {
  const { serviceToken, passTo } = tokens();
  const first = await serviceToken('content');
  passTo(29);
  expect(await serviceToken('content')).toBe(first);
  passTo(30);
  expect(await serviceToken('content')).not.toBe(first);
});

test('a clock that was set back makes a new token, for the old one comes from the future', async () => {
  const { serviceToken, passTo } = tokens();
  const first = await serviceToken('content');
  passTo(-600);
  expect(await serviceToken('content')).not.toBe(first);
});

test('a signature that failed is made anew', async () => {
  let fails = true;
  const sign = async () => (fails ? Promise.reject(new Error('no')) : 'token');
  const serviceToken = createServiceToken({ signer: { sign }, clock: () => startMs, name: 'a', scopes: [] });
  await expect(serviceToken('content')).rejects.toThrow('no');
  fails = false;
  expect(await serviceToken('content')).toBe('token');
});
