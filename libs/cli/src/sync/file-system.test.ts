import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeDirectory } from './file-system.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'make-directory-'));
});
afterEach(() => rm(directory, { recursive: true }));

it('makes what is missing, and is content with what is there', async () => {
  const path = join(directory, 'a/b/c');
  await makeDirectory(path);
  await makeDirectory(path);
  expect((await stat(path)).isDirectory()).toBe(true);
});

it('fails where a file is in the way', async () => {
  const file = join(directory, 'file');
  await writeFile(file, '');
  await expect(makeDirectory(file)).rejects.toMatchObject({ code: 'EEXIST' });
  await expect(makeDirectory(join(file, 'below'))).rejects.toMatchObject({ code: 'ENOTDIR' });
});

it.runIf(process.platform === 'linux')('fails, and does not hang, where nothing can be made', async () => {
  await expect(makeDirectory('/proc/nothing/below')).rejects.toMatchObject({ code: 'ENOENT' });
});
