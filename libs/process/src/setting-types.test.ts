import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { addresses, signingKey, verificationKeys } from './setting-types.ts';
import { mutualTls, requireTls } from './tls-settings.ts';

function ed25519() {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return {
    privatePem: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    publicPem: publicKey.export({ type: 'spki', format: 'pem' }) as string,
  };
}

test('one or two public keys verify tokens; a private key, which would give away the signer, does not', () => {
  const [one, two, three] = [ed25519(), ed25519(), ed25519()];
  expect(verificationKeys().parse(one.publicPem)).toHaveLength(1);
  expect(verificationKeys().parse(one.publicPem + two.publicPem)).toHaveLength(2);
  for (const bad of [
    one.privatePem,
    one.publicPem + one.privatePem,
    one.publicPem + two.publicPem + three.publicPem,
    'PEM',
  ]) {
    expect(verificationKeys().safeParse(bad).success).toBe(false);
  }
});

test('only a private Ed25519 key signs tokens', () => {
  const { privatePem, publicPem } = ed25519();
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  expect(signingKey().safeParse(privatePem).success).toBe(true);
  for (const bad of [publicPem, rsa.export({ type: 'pkcs8', format: 'pem' }), '']) {
    expect(signingKey().safeParse(bad).success).toBe(false);
  }
});

test('parts are found by scheme, host and port; anything more in an address is refused', () => {
  expect(addresses().parse('http://a:1, https://b')).toEqual(['http://a:1', 'https://b']);
  for (const bad of [
    '',
    'a:1',
    'ftp://a',
    'http://user:pw@a:1',
    'http://a:1/path',
    'http://a,',
    'http://a?b',
  ]) {
    expect(addresses().safeParse(bad).success, bad).toBe(false);
  }
});

test('TLS is set up whole and with what fits, and then no address goes without it', () => {
  expect(mutualTls({})).toBeUndefined();
  expect(() => mutualTls({ TLS_KEY: 'x' })).toThrow('must all be set, or none');
  const { privatePem } = ed25519();
  const wrong = { TLS_CERTIFICATE: privatePem, TLS_KEY: privatePem, TLS_AUTHORITY: privatePem };
  expect(() => mutualTls(wrong)).toThrow('TLS_CERTIFICATE, TLS_KEY and TLS_AUTHORITY must be');
  const tls = { certificate: '', key: '', authority: '' };
  expect(() => requireTls(['https://a', 'http://b'], tls)).toThrow('must begin with https://');
  requireTls(['https://a'], tls);
  requireTls(['http://a'], undefined);
});
