import { expect, test } from 'vitest';
import { createTokenSigner, createTokenVerifier, generateSigningKeys } from './caller-token.ts';
import { createServiceToken } from './service-token.ts';

test('a token stands for the service with its scopes, at its audience alone, and is kept', async () => {
  const clock = () => Date.parse('2026-05-01T00:00:00Z');
  const { privateKey, publicKey } = generateSigningKeys();
  const signer = createTokenSigner({ privateKey, clock });
  const serviceToken = createServiceToken({ signer, clock, name: 'query', scopes: ['feed:read'] });
  const verifier = createTokenVerifier({ publicKeys: [publicKey], clock });
  const token = await serviceToken('content');
  const { principal } = await verifier.verify(token, 'content');
  expect(principal).toEqual({ kind: 'service', name: 'query', scopes: ['feed:read'] });
  await expect(verifier.verify(token, 'auth')).rejects.toMatchObject({ code: 'unauthenticated' });
  await expect(verifier.verify(await serviceToken('auth'), 'auth')).resolves.toBeDefined();
  // Ed25519 signs the same with the same, so only the promise tells that it was not signed again.
  expect(serviceToken('content')).toBe(serviceToken('content'));
});
