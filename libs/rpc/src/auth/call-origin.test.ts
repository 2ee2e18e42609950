import { expect, test } from 'vitest';
import { networkOf, requestIdOf, saneRequestId } from './call-origin.ts';

test.each([
  ['127.0.0.1', '127.0.0.1'],
  ['::ffff:10.0.0.1', '10.0.0.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8::5:6', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
])('%s counts as %s', (remoteAddress, address) => {
  expect(networkOf(remoteAddress)).toBe(address);
});

const key = `_${'a1'.repeat(8)}_${'B2c'.repeat(14)}d`;

test.for(['tms', 'tmss', 'tmsl', 'tmsn', 'tmso', 'tmsi'])(
  'a request id that is a %s key, or contains one, is replaced: ids stand in logs',
  (prefix) => {
    for (const id of [`${prefix}${key}`, `Bearer:${prefix}${key}`, `x-${prefix}${key}.1`]) {
      expect(saneRequestId(id)).toBeUndefined();
      const headers = new Headers({ 'x-request-id': id });
      expect(requestIdOf(headers)).toMatch(/^[0-9a-f-]{36}$/);
      expect(headers.get('x-request-id')).not.toContain(prefix);
    }
  },
);

test('other ids of a caller are kept', () => {
  for (const id of ['request-18', 'tms_sign_in', `tms${key.slice(0, -1)}`, 'a'.repeat(128)])
    expect(saneRequestId(id)).toBe(id);
  for (const id of ['', 'a b', 'a'.repeat(129), ['a'], undefined]) expect(saneRequestId(id)).toBeUndefined();
});
