import { expect, test } from 'vitest';
import {
  createCachingTokenSigner,
  createServiceToken,
  createTokenSigner,
  createTokenVerifier,
  generateSigningKeys,
} from './caller-token.ts';
import type { Principal } from './principal.ts';

const startMs = Date.parse('2026-05-01T00:00:00Z');
const query: Principal = { kind: 'service', name: 'query', scopes: ['feed:read'] };

/** Tokens that are the number of their signature, and a clock to move. */
function numberedTokens() {
  const state = { nowMs: startMs, signed: 0, fails: false };
  const signer = {
    async sign() {
      state.signed += 1;
      if (state.fails) throw new Error('no');
      return `${state.signed}`;
    },
  };
  return { state, tokens: createCachingTokenSigner({ signer, clock: () => state.nowMs }) };
}

test('a token is signed once, however many ask at once, for each principal and audience', async () => {
  const { tokens } = numberedTokens();
  const all = await Promise.all(Array.from({ length: 100 }, () => tokens.sign(query, 'content')));
  expect(new Set(all)).toEqual(new Set(['1']));
  expect(await tokens.sign(query, 'auth')).toBe('2');
  expect(await tokens.sign({ ...query, scopes: [] }, 'content')).toBe('3');
  expect(await tokens.sign({ ...query }, 'content')).toBe('1');
});

test.each([
  [29, '1'],
  [30, '2'],
])('a token is used for half its life: after %i seconds it is %s', async (seconds, expected) => {
  const { state, tokens } = numberedTokens();
  await tokens.sign(query, 'content');
  state.nowMs += seconds * 1000;
  expect(await tokens.sign(query, 'content')).toBe(expected);
});

test('a clock that was set back makes a new token, for the old one comes from the future', async () => {
  const { state, tokens } = numberedTokens();
  await tokens.sign(query, 'content');
  state.nowMs -= 600_000;
  expect(await tokens.sign(query, 'content')).toBe('2');
});

test('a signature that failed is told to all who waited, and made anew', async () => {
  const { state, tokens } = numberedTokens();
  state.fails = true;
  const asked = [tokens.sign(query, 'content'), tokens.sign(query, 'content')];
  for (const token of asked) await expect(token).rejects.toThrow('no');
  state.fails = false;
  expect(await tokens.sign(query, 'content')).toBe('2');
});

test('of too many tokens those that were not asked for lately are signed again', async () => {
  const { state, tokens } = numberedTokens();
  const signAt = (audience: number) => tokens.sign(query, `${audience}`);
  for (let audience = 0; audience < 20_001; audience += 1) await signAt(audience);
  await signAt(20_000);
  expect(state.signed).toBe(20_001);
  await signAt(0);
  expect(state.signed).toBe(20_002);
});

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
