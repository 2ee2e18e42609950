import { expect, test } from 'vitest';
import { hostNames } from './setting-types.ts';

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
