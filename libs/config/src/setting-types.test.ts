import { expect, test } from 'vitest';
import { hostNames, secureUrl } from './setting-types.ts';

test('names of hosts are read in any case and with blanks between them', () => {
  expect(hostNames().parse('Memory.Example.org, team-memory_gateway.memory.svc')).toEqual([
    'memory.example.org',
    'team-memory_gateway.memory.svc',
  ]);
  expect(hostNames().parse(undefined)).toBeUndefined();
});

test.for([
  'https://memory.example.org',
  'memory.example.org:8080',
  'memory.example.org/',
  '*.example.org',
  'memory..org',
  '-memory.org',
  'memory.org,',
  '',
  Array.from({ length: 101 }, (_, index) => `host-${index}`).join(','),
  `${'a'.repeat(64)}.org`,
])('%s is no list of names of hosts', (text) => {
  expect(hostNames().safeParse(text).success).toBe(false);
});

test('what is to be trusted is reached over HTTPS, or on this machine', () => {
  const schema = secureUrl();
  for (const good of [
    'https://id.example.org',
    'http://localhost:3000/x',
    'http://127.0.0.1',
    'http://[::1]:80',
  ]) {
    expect(schema.safeParse(good).success, good).toBe(true);
  }
  for (const bad of ['http://id.example.org', 'http://localhost.example.org', 'ftp://localhost', 'id']) {
    expect(schema.safeParse(bad).success, bad).toBe(false);
  }
});
