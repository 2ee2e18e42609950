import { createHash } from 'node:crypto';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { seededRandom } from '@teammemory/testkit/seeded-random.ts';
import { type TemporaryDirectory, temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ArchivePage, type ArchiveSummary, isArchive, readArchive, writeArchive } from './archive.ts';

const header = { created_at: '2026-11-23T00:00:00.000Z', product: '0.1.0', services: ['content', 'auth'] };
const rows = Array.from({ length: 3_000 }, (_, number) =>
  JSON.stringify({ number, text: `🙂 ${'x'.repeat(number % 900)}` }),
);
let directory: TemporaryDirectory;
let whole: Buffer;

async function* pages() {
  yield { section: 'content/items', lines: Buffer.from(`${rows.slice(0, 2_000).join('\n')}\n`) };
  yield { section: 'content/items', lines: Buffer.from(`${rows.slice(2_000).join('\n')}\n`) };
  yield { section: 'content/tasks', lines: new Uint8Array() };
  yield { section: 'auth/teams', lines: Buffer.from('{"slug":"rivers"}\n') };
}

const at = (name: string) => join(directory.path, name);

async function readAll(path: string): Promise<{ pages: ArchivePage[]; summary: ArchiveSummary | undefined }> {
  let summary: ArchiveSummary | undefined;
  const found = await Array.fromAsync(
    readArchive(path, (told) => {
      summary = told;
    }),
  );
  return { pages: found, summary };
}

beforeAll(async () => {
  directory = await temporaryDirectory();
  await writeArchive(at('whole.backup'), header, pages());
  whole = await readFile(at('whole.backup'));
});
afterAll(() => directory.remove());

test('an archive comes back as it was written, is its owner’s alone, and leaves nothing beside it', async () => {
  const { pages: found, summary } = await readAll(at('whole.backup'));
  const lines = (section: string) =>
    found.filter((page) => page.section === section).map((page) => page.lines);
  expect(lines('content/items').join('')).toBe(`${rows.join('\n')}\n`);
  expect(lines('auth/teams')).toEqual(['{"slug":"rivers"}\n']);
  const counts = { 'content/items': 3_000, 'content/tasks': 0, 'auth/teams': 1 };
  expect(summary).toEqual({ ...header, rows: counts, bytes: whole.length });
  expect((await stat(at('whole.backup'))).mode & 0o777).toBe(0o600);
  expect(await readdir(directory.path)).toEqual(['whole.backup']);
  expect(await isArchive(at('whole.backup'))).toBe(true);
});

test('a backup that fails leaves no file, and one that is there is never replaced', async () => {
  async function* failing() {
    yield { section: 'content/items', lines: Buffer.from('{}\n') };
    throw new Error('the service went away');
  }
  await expect(writeArchive(at('failed.backup'), header, failing())).rejects.toThrow('went away');
  await expect(writeArchive(at('whole.backup'), header, pages())).rejects.toMatchObject({ code: 'exists' });
  expect(await readdir(directory.path)).toEqual(['whole.backup']);
  expect(await readFile(at('whole.backup'))).toEqual(whole);
});

test('a draft that a killed backup left does not stand in the way of the next, in a container where ids of processes repeat', async () => {
  const left = `.again.backup.${process.pid}.partial`;
  await writeFile(at(left), 'half');
  await writeArchive(at('again.backup'), header, pages());
  expect(await readFile(at('again.backup'))).toEqual(whole);
  expect((await readdir(directory.path)).sort()).toEqual([left, 'again.backup', 'whole.backup']);
  await rm(at(left));
  await rm(at('again.backup'));
});

/** An archive with other text inside and a first line that fits it. */
function withText(change: (text: string) => string): Buffer {
  const packed = gzipSync(change(gunzipSync(whole.subarray(whole.indexOf(10) + 1)).toString()));
  const digest = createHash('sha256').update(packed).digest('hex');
  return Buffer.concat([Buffer.from(`team-memory-backup 1 sha256:${digest}\n`), packed]);
}

const random = seededRandom(18);
const somewhere = () => random.integerBelow(whole.length);
const flipped = (position: number) => {
  const bytes = Buffer.from(whole);
  bytes[position] = (bytes[position] ?? 0) ^ (1 << random.integerBelow(8));
  return bytes;
};
/** Made when they are needed: the archive is written by then. */
const damages: [string, () => Buffer][] = [
  ...Array.from({ length: 18 }, (): [string, () => Buffer] => [
    'one bit is another',
    () => flipped(somewhere()),
  ]),
  ...[0, 5, 18, 19, 21, 28, 60, 91, 92, 93, 96, 100].map((position): [string, () => Buffer] => [
    `one bit of byte ${position} is another`,
    () => flipped(position),
  ]),
  ...Array.from({ length: 8 }, (): [string, () => Buffer] => [
    'it is cut short',
    () => whole.subarray(0, somewhere()),
  ]),
  ['it is empty', () => Buffer.alloc(0)],
  ['it has only its first line', () => whole.subarray(0, whole.indexOf(10) + 1)],
  ['its last byte is missing', () => whole.subarray(0, -1)],
  ['something follows it', () => Buffer.concat([whole, Buffer.from('more')])],
  ['another archive follows it', () => Buffer.concat([whole, whole.subarray(whole.indexOf(10) + 1)])],
  ['a part of it is there twice', () => Buffer.concat([whole.subarray(0, 4_000), whole.subarray(2_000)])],
  ['its end is missing', () => withText((text) => text.slice(0, text.lastIndexOf('#')))],
  ['a row is missing', () => withText((text) => text.replace('{"slug":"rivers"}\n', ''))],
  ['a row is there twice', () => withText((text) => text.replace(/(\{"slug".*\n)/, '$1$1'))],
  ['a section is missing', () => withText((text) => text.replace('#{"section":"content/tasks"}\n', ''))],
  ['a section comes twice', () => withText((text) => text.replace('content/tasks', 'content/items'))],
  ['its header is missing', () => withText((text) => text.slice(text.indexOf('\n') + 1))],
  ['it begins with a row', () => withText((text) => `{}\n${text}`)],
  ['its last line has no end', () => withText((text) => text.slice(0, -1))],
];

test.for(damages.map(([name, make], number) => [number + 1, name, make] as const))(
  'a damaged archive is refused, %i: %s',
  async ([number, , make]) => {
    const path = at(`damaged-${number}.backup`);
    await writeFile(path, make());
    await expect(readAll(path)).rejects.toMatchObject({
      code: expect.stringMatching(/^(damaged|newer)$/),
      message: expect.stringContaining(path),
    });
  },
);

test('at least fifty sorts of damage are tried', () => {
  expect(damages.length).toBeGreaterThanOrEqual(50);
});

test('an archive of a newer format is told apart from a damaged one', async () => {
  await writeFile(at('newer.backup'), Buffer.concat([Buffer.from('team-memory-backup 2 sha512:'), whole]));
  await expect(readAll(at('newer.backup'))).rejects.toMatchObject({ code: 'newer' });
});
