import { expect, test } from 'vitest';
import { requestIdOf, saneRequestId } from './request-id.ts';

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
