import { expect, test } from 'vitest';
import { noRecord, openedRecord } from './schema-version.ts';

const schema = { store: 'content', version: 3, readableFrom: 2 };

test('data without a record is opened, and then needs the programs that read what this one writes', () => {
  expect(openedRecord(schema, noRecord)).toEqual({ version: 0, readableFrom: 2, reachedAt: 0 });
});

test('data that needs a newer program is refused in one sentence that says what to do', () => {
  expect(() => openedRecord(schema, { version: 5, readableFrom: 4, reachedAt: 1 })).toThrow(
    expect.objectContaining({
      code: 'unavailable',
      message: expect.stringMatching(/^The data of content was written by a newer version .* backup/),
    }),
  );
});

test('newer data that this program can still read is opened, and what it writes there is migrated once more', () => {
  expect(openedRecord(schema, { version: 4, readableFrom: 3, reachedAt: 9 })).toEqual({
    version: 3,
    readableFrom: 3,
    reachedAt: 0,
  });
});

test('data of this version stays as it is', () => {
  const stored = { version: 3, readableFrom: 2, reachedAt: 9 };
  expect(openedRecord(schema, stored)).toEqual(stored);
});
