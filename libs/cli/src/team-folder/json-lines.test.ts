import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TemporaryDirectory, temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { createJsonLines, readJsonLines } from './json-lines.ts';

const schema = z.object({ id: z.string(), text: z.string() });
let directory: TemporaryDirectory;
let name: string;
let path: string;

beforeEach(async () => {
  directory = await temporaryDirectory();
  name = 'rows.jsonl';
  path = join(directory.path, name);
});
afterEach(() => directory.remove());

async function write(...steps: ([string, string] | [string])[]): Promise<number> {
  const lines = await createJsonLines(path);
  for (const [id, text] of steps) {
    if (text === undefined) lines.remove(id);
    else await lines.put(id, { id, text });
  }
  return lines.finish().finally(lines.close);
}

const read = () => Array.fromAsync(readJsonLines(directory.path, name, schema));

test('a row that comes again replaces the one before it, and one that is removed is gone', async () => {
  expect(await write(['a', '1'], ['b', '1'], ['c', '1'], ['a', '2'], ['b'], ['never'])).toBe(2);
  expect(await read()).toEqual([
    { id: 'c', text: '1' },
    { id: 'a', text: '2' },
  ]);
});

test('a row that was removed and comes again is there', async () => {
  expect(await write(['a', '1'], ['a'], ['a', '2'])).toBe(1);
  expect(await read()).toEqual([{ id: 'a', text: '2' }]);
});

test('whatever a text has, its row stays one line', async () => {
  const texts = ['\u2028', '\u2029', '\r', '\n', '\u0085', 'x'.repeat(3_000_000), 'ü'.repeat(100_000)];
  await write(...texts.map((text, index): [string, string] => [`${index}`, text]));
  expect((await read()).map(({ text }) => text)).toEqual(texts);
});

test('no rows make an empty file', async () => {
  expect(await write()).toBe(0);
  expect(await readFile(path, 'utf8')).toBe('');
});

test('a line that is cut, or no such row, is refused with its number, and a missing file by its name', async () => {
  const good = JSON.stringify({ id: 'a', text: '1' });
  for (const bad of [good.slice(0, -3), '{}', '[]', 'text']) {
    await writeFile(path, `${good}\n${bad}`);
    await expect(read(), bad).rejects.toMatchObject({
      code: 'damaged_export',
      message: expect.stringContaining('line 2'),
    });
  }
  name = 'none.jsonl';
  await expect(read()).rejects.toMatchObject({
    code: 'damaged_export',
    message: expect.stringContaining('missing'),
  });
});
