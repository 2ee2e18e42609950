import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { readSettings } from './read-settings.ts';
import { oneOf, optionalText, optionalUrl, port, wholeNumber } from './setting-types.ts';

const schema = z.object({
  PORT: port(8080),
  LIMIT: wholeNumber({ minimum: 1, maximum: 100, default: 60 }),
  LEVEL: oneOf(['debug', 'info'], 'info'),
  MONGODB_URL: optionalUrl('mongodb:', 'mongodb+srv:'),
  SECRET: optionalText(),
});

test('unset and empty settings take their defaults', () => {
  expect(readSettings(schema, { LIMIT: '' })).toEqual({
    PORT: 8080,
    LIMIT: 60,
    LEVEL: 'info',
    MONGODB_URL: undefined,
    SECRET: undefined,
  });
});

test('a bad setting is named with what it must be, and its value is never repeated', () => {
  const read = () => readSettings(schema, { LIMIT: 'hunter2', PORT: '70000', MONGODB_URL: 'redis://x' });
  expect(read).toThrow('LIMIT must be a whole number from 1 to 100');
  expect(read).toThrow('PORT must be a whole number from 0 to 65535');
  expect(read).toThrow('MONGODB_URL must be a URL that starts with mongodb:// or mongodb+srv://');
  expect(read).not.toThrow('hunter2');
});

test('numbers in other notations are refused', () => {
  for (const LIMIT of ['1e1', '0x10', ' 5', '5 ', '-1', '1.0', '0', '101', '9'.repeat(20)]) {
    expect(() => readSettings(schema, { LIMIT }), LIMIT).toThrow('LIMIT must be');
  }
});

test('a setting can be read from the file that its _FILE variable names', () => {
  const folder = mkdtempSync(join(tmpdir(), 'settings-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'secret');
  writeFileSync(file, 'from the file\n');
  expect(readSettings(schema, { SECRET_FILE: file }).SECRET).toBe('from the file');
  expect(readSettings(schema, { SECRET_FILE: file, SECRET: 'direct' }).SECRET).toBe('direct');
  expect(() => readSettings(schema, { SECRET_FILE: `${file}.absent` })).toThrow('named by SECRET_FILE');
});
