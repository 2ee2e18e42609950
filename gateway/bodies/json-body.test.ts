import { createJsonScan } from '@teammemory/vocabulary/json-scan.ts';
import { expect, test } from 'vitest';
import { asDouble, parseJsonBody, readWithinBounds } from './json-body.ts';

/** As the gateway reads it: scanned first, byte by byte so that every token is cut once. */
function parse(bytes: Buffer): Promise<unknown> {
  const scan = createJsonScan({ maxValues: 100, maxLevels: 10 });
  for (const byte of bytes) scan.read(Uint8Array.of(byte));
  return parseJsonBody({ bytes, hasLongNumber: scan.hasLongNumber });
}

const roundTrip = async (text: string) => JSON.stringify(await parse(Buffer.from(text)));

test.each([
  '{"a":12345678901234567890}',
  '{"a":[9007199254740993,{"b":-9007199254740993}]}',
  '{"a":1e400}',
  '{"a":[1,-1.5E400]}',
  '{"a":0.1,"b":5e-324,"c":1}',
  '{"__proto__":{"x":12345678901234567890},"$where":"1e5"}',
])('%s comes back as given', async (text) => {
  expect(await roundTrip(text)).toBe(text);
});

// One long number each: the first that is seen decides how the whole body is read.
test.each([
  ['{"a" :1e400}', '{"a":1e400}'],
  ['{"a"\r\n:\n -9007199254740993 }', '{"a":-9007199254740993}'],
  ['{"b": [ 1 ,\t9007199254740993]}', '{"b":[1,9007199254740993]}'],
  ['[ \n12345678901234567890]', '[12345678901234567890]'],
])('white space does not hide that a number is long: %j', async (given, compact) => {
  expect(await roundTrip(given)).toBe(compact);
});

test('a number that a double represents stays a number', async () => {
  expect(await parse(Buffer.from('{"a":1e5,"b":9007199254740991}'))).toEqual({
    a: 100_000,
    b: 2 ** 53 - 1,
  });
});

test('a number that was kept as its text becomes a double, and no other value does', async () => {
  const { large, infinite, text, object } = (await parse(
    Buffer.from('{"large":1e308,"infinite":1e400,"text":"1e308","object":{"rawJSON":"1"}}'),
  )) as Record<string, unknown>;
  expect([asDouble(large), asDouble(infinite)]).toEqual([1e308, Number.POSITIVE_INFINITY]);
  expect([asDouble(text), asDouble(object), asDouble(7)]).toEqual(['1e308', { rawJSON: '1' }, 7]);
});

test.each([
  ['no body', undefined],
  ['an empty body', Buffer.alloc(0)],
  ['cut JSON', Buffer.from('{"a":')],
  ['bytes that are not UTF-8', Buffer.from([0x22, 0xff, 0x22])],
  ['two values', Buffer.from('{} {}')],
])('%s is refused', async (_name, body) => {
  const parsed = body === undefined ? parseJsonBody(undefined) : parse(body);
  await expect(parsed).rejects.toMatchObject({ code: 'invalid_json' });
});

/** Reads a body whose bounds are wide, in one piece or byte by byte. */
function read(json: string, pieceBytes = json.length, maxValues = 1_000_000): void {
  const bounds = { maxValues, maxLevels: 10 };
  const scan = createJsonScan(bounds);
  const bytes = Buffer.from(json);
  for (let at = 0; at < bytes.length; at += pieceBytes)
    readWithinBounds(scan, bounds, bytes.subarray(at, at + pieceBytes));
}

test('a long number lowers the bound of values, whether it comes first or last', () => {
  const values = '0,'.repeat(20_001);
  expect(() => read(`[${values}0]`)).not.toThrow();
  expect(() => read(`[${values}1e1]`)).toThrow(/20000 values/);
  expect(() => read(`[1e1,${values}0]`)).toThrow(/20000 values/);
});

test('a refusal points to the whole body', () => {
  const refusal = (detail: string) =>
    expect.objectContaining({ code: 'invalid_request', violations: [{ pointer: '', detail }] });
  expect(() => read('[0,1,2]', 1, 2)).toThrow(refusal('has more than 2 values'));
  expect(() => read('['.repeat(11))).toThrow(refusal('is nested more than 10 levels deep'));
});
