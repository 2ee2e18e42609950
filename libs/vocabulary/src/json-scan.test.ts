import { seededRandom } from '@teammemory/testkit/seeded-random.ts';
import { expect, test } from 'vitest';
import { createJsonScan, type JsonBounds, type JsonScan } from './json-scan.ts';

const wide = { maxValues: 1_000_000, maxLevels: 1_000_000 };
const texts = [
  '',
  'a',
  '\\',
  '"',
  '\\"',
  '"\\',
  '[{,}]:',
  '1e5',
  'x'.repeat(40),
  `${'y'.repeat(33)}"`,
  `${'z'.repeat(64)}\\\\"`,
  '🦉',
];

/** Scans in pieces of so many bytes. */
function scanned(json: string, pieceBytes = json.length || 1, bounds = wide): JsonScan {
  const scan = createJsonScan(bounds);
  const bytes = Buffer.from(json);
  for (let at = 0; at < bytes.length; at += pieceBytes) scan.read(bytes.subarray(at, at + pieceBytes));
  return scan;
}

/** Which bound the scan finds exceeded. */
function exceeded(json: string, pieceBytes: number, bounds: JsonBounds): string | undefined {
  return scanned(json, pieceBytes, bounds).read(new Uint8Array());
}

/** What the scan must find, counted on the parsed value. */
function count(value: unknown): { values: number; levels: number } {
  if (typeof value !== 'object' || value === null) return { values: 0, levels: 0 };
  const inner = Object.values(value).map(count);
  return {
    values: inner.reduce((sum, { values }) => sum + values, Math.max(1, inner.length)),
    levels: 1 + Math.max(0, ...inner.map(({ levels }) => levels)),
  };
}

test('values are counted as the parser would count them, however the bytes are split', () => {
  const random = seededRandom(7);
  const make = (levels: number): unknown => {
    const kind = random.integerBelow(levels > 0 ? 4 : 2);
    const size = random.integerBelow(4);
    if (kind === 0) return random.pick([0, -1.5, true, null, 12]);
    if (kind === 1) return random.pick(texts) + random.pick(texts);
    if (kind === 2) return Array.from({ length: size }, () => make(levels - 1));
    return Object.fromEntries(
      Array.from({ length: size }, (_, n) => [random.pick(texts) + n, make(levels - 1)]),
    );
  };
  for (let round = 0; round < 500; round += 1) {
    const value = make(6);
    const { values, levels } = count(value);
    const json = JSON.stringify(value, null, round % 3);
    for (const piece of [1, 7, 50, 100_000]) {
      expect(scanned(json, piece).values, json).toBe(values);
      const exactly = { maxValues: values, maxLevels: levels };
      expect(exceeded(json, piece, exactly), json).toBeUndefined();
      if (levels > 0) {
        expect(exceeded(json, piece, { ...wide, maxLevels: levels - 1 }), json).toBe('levels');
        expect(exceeded(json, piece, { ...wide, maxValues: values - 1 }), json).toBe('values');
      }
    }
  }
});

test.each([
  ['[1e5]', true],
  ['{"a":1E400}', true],
  ['[-1.5e3]', true],
  ['[1234567890123456]', true],
  ['[-1234567890123456]', true],
  ['[123456789012345]', false],
  ['[0.1234567890123456]', false],
  ['["1e5","1234567890123456"]', false],
  ['[true,false,{"e1":1}]', false],
  ['[12345678,90123456]', false],
])('numbers that a double may not hold are seen in %s: %s', (json, expected) => {
  for (const piece of [1, 3, 100]) expect(scanned(json, piece).hasLongNumber).toBe(expected);
});
