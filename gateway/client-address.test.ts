import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { createClientAddressOf } from './client-address.ts';

const trusted = createClientAddressOf(['10.0.0.0/8', '192.0.2.1', 'fd00::/8']);
const request = (remoteAddress: string, headers: Record<string, string>) =>
  ({ socket: { remoteAddress }, headers }) as unknown as IncomingMessage;

test.for<[string, string, string]>([
  ['one proxy', '203.0.113.9', '203.0.113.9'],
  ['two proxies', '203.0.113.9, 10.0.0.7', '203.0.113.9'],
  ['what the client wrote itself', '198.51.100.1, nonsense, 203.0.113.9, 10.0.0.7', '203.0.113.9'],
  ['a client among the proxies', '10.9.9.9, 10.0.0.7', '10.9.9.9'],
  ['a port', '203.0.113.9:4711', '203.0.113.9'],
  ['IPv6', '2001:DB8::1, fd00::7', '2001:db8::1'],
  ['IPv6 with a port', '[2001:db8::1]:4711', '2001:db8::1'],
  ['IPv4 within IPv6', '::ffff:203.0.113.9', '203.0.113.9'],
  ['a name', 'unknown', '10.0.0.2'],
  ['a name behind a proxy', '203.0.113.9, _hidden, 10.0.0.7', '10.0.0.2'],
  ['nothing', '', '10.0.0.2'],
  [
    'more than a chain has, written by the client',
    `${'198.51.100.1,'.repeat(100)}203.0.113.9`,
    '203.0.113.9',
  ],
  ['IPv4 within IPv6, in hexadecimal', '::ffff:cb00:7109', '203.0.113.9'],
  ['another form of an address', '2001:0DB8:0:0:0:0:0:01', '2001:db8::1'],
  ['a chain without end', '10.0.0.7,'.repeat(2_000), '10.0.0.2'],
])('the address of a client behind trusted proxies, which report %s', ([, list, address]) => {
  expect(trusted(request('::ffff:10.0.0.2', { 'x-forwarded-for': list }))).toBe(address);
});

test.for<[string, string]>([
  ['for=203.0.113.9;proto=https', '203.0.113.9'],
  ['for=198.51.100.1, For="[2001:db8::1]:4711";by=10.0.0.2', '2001:db8::1'],
  ['proto=https; for = "203.0.113.9:80"', '203.0.113.9'],
  ['for=unknown', '10.0.0.2'],
  ['by=203.0.113.9', '10.0.0.2'],
])('Forwarded: %s', ([forwarded, address]) => {
  expect(trusted(request('10.0.0.2', { forwarded }))).toBe(address);
  expect(trusted(request('10.0.0.2', { forwarded, 'x-forwarded-for': '203.0.113.77' }))).toBe('203.0.113.77');
});

test('nobody else is believed about an address', () => {
  const headers = { 'x-forwarded-for': '198.51.100.1', forwarded: 'for=198.51.100.1' };
  for (const stranger of ['203.0.113.9', '192.0.2.2', '2001:db8::1', 'fe80::1%eth0'])
    expect(trusted(request(stranger, headers))).toBe(stranger);
  expect(createClientAddressOf([])(request('10.0.0.2', headers))).toBe('10.0.0.2');
});
