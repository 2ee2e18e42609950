import { describe, expect, it } from 'vitest';
import { parseExpiry } from './expiry.ts';

const now = new Date('2026-11-21T00:00:00.000Z');

describe('parseExpiry', () => {
  const good = {
    '90d': '2027-02-19T00:00:00.000Z',
    '12h': '2026-11-21T12:00:00.000Z',
    '30m': '2026-11-21T00:30:00.000Z',
    '2027-01-31T01:00:00+01:00': '2027-01-31T00:00:00.000Z',
  };
  for (const [text, expected] of Object.entries(good)) {
    it(`takes ${text}`, () => expect(parseExpiry(text, now).toISOString()).toBe(expected));
  }

  const bad = [
    '',
    '0d',
    '-1d',
    '90',
    '90 d',
    '1.5h',
    '9999999d',
    '2027-01-31',
    '2027-02-40T00:00:00Z',
    '2020-01-01T00:00:00Z',
  ];
  for (const text of bad) {
    it(`refuses ${JSON.stringify(text)} as a mistake of usage`, () => {
      expect(() => parseExpiry(text, now)).toThrow(expect.objectContaining({ exitCode: 2 }));
    });
  }
});
