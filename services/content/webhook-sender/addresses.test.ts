import { createAddressRules } from '@teammemory/admission/outbound/addresses.ts';
import { describe, expect, test } from 'vitest';
import { webhookUrl } from '../domain/webhooks/webhook-url.ts';

const strict = createAddressRules([]);

/** Addresses of this machine, of private networks, of clouds' metadata, and every way to write one inside another. */
const hostile = [
  ...['127.0.0.1', '127.255.255.254', '0.0.0.0', '0.1.2.3', '10.0.0.1', '10.255.255.255'],
  ...['100.64.0.1', '100.100.100.200', '100.127.255.255', '169.254.0.1', '169.254.169.254'],
  ...['169.254.170.2', '172.16.0.1', '172.31.255.255', '192.0.0.1', '192.0.0.192', '192.0.2.1'],
  ...['192.31.196.1', '192.52.193.1', '192.88.99.1', '192.168.0.1', '192.168.255.255', '192.175.48.1'],
  ...['198.18.0.1', '198.19.255.255', '198.51.100.7', '203.0.113.9', '224.0.0.1', '239.255.255.250'],
  ...['240.0.0.1', '255.255.255.255', '168.63.129.16'],
  ...['::', '::1', '::127.0.0.1', '::ffff:127.0.0.1', '::ffff:10.0.0.1', '::ffff:169.254.169.254'],
  ...['::ffff:8.8.8.8', '::ffff:0:127.0.0.1', '64:ff9b::7f00:1', '64:ff9b::8.8.8.8', '64:ff9b:1::1'],
  ...['100::1', '100:0:0:1::1', '2001::1', '2001:0:7f00:1::', '2001:2::1', '2001:10::1', '2001:20::1'],
  ...['2001:db8::1', '2002:7f00:1::', '2002:a9fe:a9fe::1', '2620:4f:8000::1', '3fff::1', '5f00::1'],
  ...['fc00::1', 'fd00:ec2::254', 'fd12:3456:789a::1', 'fe80::1', 'fe80::1%eth0', 'fec0::1', 'ff02::1'],
  ...['ff0e::1', '4000::1', 'e000::1', '1::1'],
];
const texts = ['', 'localhost', '127.1', '0x7f.1', '2130706433', '017700000001', '1.2.3.4.5', '::g', '[::1]'];
const publicAddresses = ['1.1.1.1', '8.8.8.8', '93.184.216.34', '172.15.0.1', '172.32.0.1', '100.63.0.1'];
const publicIpv6 = ['2606:4700::1111', '2a00:1450:4001::8a', '2001:4860:4860::8888', '2400:cb00::1'];

test('there are many hostile addresses', () => {
  expect(new Set(hostile).size).toBeGreaterThanOrEqual(60);
});

test.each([...hostile, ...texts])('%s is not called', (address) => {
  expect(strict.mayCall(address, 'https:')).toBe(false);
  expect(strict.mayCall(address, 'http:')).toBe(false);
});

test.each([...publicAddresses, ...publicIpv6])('%s is called, by https only', (address) => {
  expect(strict.mayCall(address, 'https:')).toBe(true);
  expect(strict.mayCall(address, 'http:')).toBe(false);
});

test('what a setting allows is called, by http too, and nothing beside it', () => {
  const rules = createAddressRules(['10.1.0.0/16', '127.0.0.1', 'fd00:1::/32']);
  for (const address of ['10.1.2.3', '127.0.0.1', 'fd00:1::5', '::ffff:10.1.2.3'])
    expect([rules.mayCall(address, 'http:'), rules.mayCall(address, 'https:')], address).toEqual([
      true,
      true,
    ]);
  for (const address of ['10.2.0.1', '127.0.0.2', 'fd00:2::1', '::1', '169.254.169.254'])
    expect([rules.mayCall(address, 'http:'), rules.mayCall(address, 'https:')], address).toEqual([
      false,
      false,
    ]);
  expect(rules.mayCall('8.8.8.8', 'http:')).toBe(false);
});

describe('a URL', () => {
  const refusal = (url: string, rules = strict) => {
    try {
      return `kept: ${webhookUrl(url, rules)}`;
    } catch (error) {
      return (error as Error).message;
    }
  };

  test('is kept in its normal form', () => {
    expect(webhookUrl('https://Hooks.Example.org:8443/a?b=c', strict)).toBe(
      'https://hooks.example.org:8443/a?b=c',
    );
    const inside = createAddressRules(['127.0.0.0/8']);
    expect(webhookUrl('http://127.0.0.1:9000/', inside)).toBe('http://127.0.0.1:9000/');
    expect(webhookUrl('http://receiver/', inside)).toBe('http://receiver/');
  });

  test.each([
    ['', 'must be a URL that starts with https://'],
    ['hooks.example.org', 'must be a URL that starts with https://'],
    ['ftp://example.org/', 'must be a URL that starts with https://'],
    ['file:///etc/passwd', 'must be a URL that starts with https://'],
    ['http://example.org/', 'must start with https://'],
    ['https://user:password@example.org/', 'must not contain a user name or password'],
    ['https://example.org/#part', 'must not have a fragment'],
    [`https://example.org/${'a'.repeat(2_048)}`, 'must have at most 2048 characters'],
    [`https://example.org/${'ä'.repeat(1_000)}`, 'must have at most 2048 characters'],
  ])('%s is refused', (url, detail) => {
    expect(refusal(url)).toBe(`The url ${detail}.`);
  });

  test.each([
    ...['https://127.0.0.1/', 'https://127.1/', 'https://0x7f.0.0.1/', 'https://2130706433/'],
    ...['https://017700000001/', 'https://[::1]/', 'https://[::ffff:127.0.0.1]/', 'https://10.0.0.1:8443/'],
    ...['https://169.254.169.254/latest/meta-data/', 'https://①②⑦.⓪.⓪.①/', 'https://[64:ff9b::a9fe:a9fe]/'],
  ])('%s is refused, however the address is written', (url) => {
    expect(refusal(url)).toBe('The url leads to an address that webhooks may not call.');
  });
});
