import { expect, test } from 'vitest';
import type { BackupRow, Fields } from './backup-store.ts';
import { lineFromRow, linesFromPages, rowFromLine, rowsFromLines } from './row-lines.ts';

const fields: Fields = {
  name: 'text',
  note: 'text?',
  at: 'number',
  until: 'number?',
  json: 'bytes',
  on: 'flag',
  scopes: 'words',
};
const row = {
  name: '__proto__ \u0000 \ud800 "\n🙂',
  note: null,
  at: 1,
  until: null,
  json: Buffer.from('{"a":"\ufeff\\n"}'),
  on: true,
  scopes: ['feed:read'],
} satisfies BackupRow;

test('a row comes back as it was, on one line, whatever its texts and bytes are', () => {
  for (const json of [row.json, Uint8Array.of(0, 255, 254, 10), new Uint8Array()]) {
    const line = lineFromRow(fields, { ...row, json });
    expect(line).not.toContain('\n');
    const back = rowFromLine(fields, line);
    expect({ ...back, json: [...(back.json as Uint8Array)] }).toEqual({ ...row, json: [...json] });
  }
});

test.for([
  ['no JSON', 'row'],
  ['no object', '[]'],
  ['a field that is missing', '{"name":"a"}'],
  ['a field of another type', lineFromRow(fields, row).replace('"at":1', '"at":"1"')],
  ['a field that this version does not know', lineFromRow(fields, row).replace('{', '{"new":1,')],
  ['bytes that are none', lineFromRow(fields, row).replace('"text":', '"texts":')],
])('a line with %s is refused', ([, line]) => {
  expect(() => rowFromLine(fields, line as string)).toThrow(
    expect.objectContaining({ code: 'invalid_request' }),
  );
});

test('pages have at most a megabyte, or one row, and all rows in their order', async () => {
  const rows = Array.from({ length: 30 }, (_, at) => ({
    ...row,
    at,
    note: 'x'.repeat(at % 7 === 0 ? 2 ** 21 : 50_000),
  }));
  async function* pages() {
    yield rows.slice(0, 20);
    yield rows.slice(20);
  }
  const texts = await Array.fromAsync(linesFromPages(fields, pages()));
  expect(texts.length).toBeGreaterThan(5);
  for (const text of texts) {
    const lines = text.split('\n').length - 1;
    expect(lines === 1 || text.length <= 2 ** 20 + lines).toBe(true);
  }
  expect(texts.flatMap((text) => rowsFromLines(fields, text)).map(({ at }) => at)).toEqual(
    rows.map(({ at }) => at),
  );
});
