import { canMakeCertificates, makeCertificates } from '@teammemory/testkit/certificates.ts';
import { expect, test } from 'vitest';
import { readSeparateSettings } from './config.ts';
import { planParts } from './plan-parts.ts';

const given = {
  MONGODB_URL: 'mongodb://db.example',
  REDIS_URL: 'redis://cache.example',
  ITEM_WRITES_PER_MINUTE: '7',
};

async function plan(changed: Record<string, string> = {}) {
  const { settings, environment } = readSeparateSettings({ ...given, ...changed });
  const { services, gateways, rpcAddress } = await planParts(settings, environment, {});
  return { services, gateways, parts: [...services, ...gateways], rpcAddress };
}

test('every part runs once unless told otherwise, the gateway where npm start has it', async () => {
  const { parts, rpcAddress } = await plan();
  expect(parts.map(({ name }) => name)).toEqual([
    'analytics-1',
    'auth-1',
    'content-1',
    'query-1',
    'gateway-1',
  ]);
  expect(parts.at(-1)?.address).toBe('http://127.0.0.1:8080');
  expect(rpcAddress).toBe('http://127.0.0.1:7100');
});

test('several of a part are found by all that call it, and have ports of their own', async () => {
  const settings = { CONTENTS: '3', GATEWAYS: '2', METRICS_PORT: '9100' };
  const { parts, gateways } = await plan(settings);
  const contents = parts.filter(({ name }) => name.startsWith('content-')).map(({ address }) => address);
  expect(new Set(contents).size).toBe(3);
  const callers = parts.filter(({ program }) => /gateway|query/.test(program));
  expect(callers.map(({ environment }) => environment.CONTENT_URL)).toEqual(
    Array(3).fill(contents.join(',')),
  );
  expect(gateways.map(({ environment: { PORT, METRICS_PORT } }) => [PORT, METRICS_PORT])).toEqual([
    ['8080', '9100'],
    ['8081', '0'],
  ]);
});

test('services listen for their own machine only, whatever HOST lets the gateways do', async () => {
  const { services, gateways, rpcAddress } = await plan({ HOST: '0.0.0.0' });
  expect(rpcAddress).toBe('http://127.0.0.1:7100');
  for (const { environment } of services) expect(environment.HOST).toBe('127.0.0.1');
  for (const { environment } of gateways) expect(environment.HOST).toBe('0.0.0.0');
});

test.runIf(canMakeCertificates)(
  'with certificates the parts call each other over TLS, and the public API stays as it is',
  async () => {
    const { certificate, key, authority } = (await makeCertificates()).server;
    const tls = { TLS_CERTIFICATE: certificate, TLS_KEY: key, TLS_AUTHORITY: authority };
    const { parts, rpcAddress } = await plan(tls);
    const schemes = parts.map(({ address }) => new URL(address).protocol);
    expect(schemes).toEqual(['https:', 'https:', 'https:', 'https:', 'http:']);
    expect(new URL(rpcAddress).protocol).toBe('https:');
    await expect(plan({ TLS_KEY: key })).rejects.toThrow('must all be set, or none');
  },
);

test('all other settings go on to the parts as they are', async () => {
  const { parts } = await plan();
  for (const { environment } of parts) expect(environment).toMatchObject(given);
});

test('without MongoDB or Redis it does not start', () => {
  expect(() => readSeparateSettings({ REDIS_URL: given.REDIS_URL })).toThrow('MONGODB_URL must be set');
  expect(() => readSeparateSettings({ MONGODB_URL: given.MONGODB_URL })).toThrow('REDIS_URL must be set');
});
