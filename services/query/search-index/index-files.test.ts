import { chmodSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { seededRandom } from '@teammemory/testkit/seeded-random.ts';
import { type TemporaryDirectory, temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { applyItems, itemsAt } from '../domain/index/index-host.fixture.ts';
import type { IndexHost } from '../domain/index/index-host.ts';
import { itemPassages } from '../domain/passages/passages.fixture.ts';
import { feedDecision, feedTask } from '../domain/rows/row.fixture.ts';
import { decisionChange, taskChange } from '../domain/rows/row.ts';
import { openIndexDatabase } from './index-database.ts';
import { prepareIndexDirectory } from './index-files.ts';
import { readHead, writeHead } from './index-head.ts';
import { hostInThisThread } from './search-index.fixture.ts';

let temporary: TemporaryDirectory;
let directory: string;
beforeEach(async () => {
  temporary = await temporaryDirectory();
  directory = join(temporary.path, 'indexes');
  await prepareIndexDirectory(directory, async () => true);
});
afterEach(() => temporary.remove());

function hostOn(embeddingModel = '') {
  return hostInThisThread({ directory, embeddingModel, embeds: embeddingModel !== '' });
}

/** Items of both tiers, more than a megabyte of index, some of which came and went. */
async function fill(host: IndexHost, teamId = 'team'): Promise<void> {
  const items = Array.from({ length: 600 }, (_, place) => {
    const text = `# Part ${place}\n\nThe ferry ${place} leaves “harbour” ${place % 7} at nine. 日本語 ${'filler '.repeat(90)}w${place}`;
    return itemPassages(place + 1, text, { tier: place % 5 === 0 ? 'external' : 'team' });
  });
  await applyItems(host, teamId, items);
  await applyItems(
    host,
    teamId,
    [3, 9, 14].map((seq) => itemPassages(1_000 + seq, '', { rowKey: `notes/${seq}.md` })),
  );
}

async function everythingFound(host: IndexHost, teamId = 'team'): Promise<string> {
  const questions = ['ferry harbour nine', 'w77', 'fery 12', '日本語', 'Part 44'];
  const tiers = ['team', 'external'] as const;
  const requests = tiers.flatMap((tier) => questions.map((question) => ({ tier, question, limit: 50 })));
  return JSON.stringify(await Promise.all(requests.map((request) => host.search(teamId, request))));
}

function onlyFile(): string {
  const names = filesThere();
  expect(names).toHaveLength(1);
  return join(directory, names[0] ?? '');
}

/** Opens the team's index and takes over what has changed since, which is nothing. */
async function opened(host: IndexHost, cursor = 10_000) {
  const index = await host.open('team', { heads: itemsAt(cursor), asked: true });
  await host.apply('team', { positions: itemsAt(cursor) });
  return index;
}

test('an index that is opened again answers as before, and takes over changes as if it had never been away', async () => {
  const first = hostOn();
  await fill(first);
  const before = await everythingFound(first);
  await first.close();
  expect(statSync(onlyFile()).mode & 0o777).toBe(0o600);
  expect(statSync(directory).mode & 0o777).toBe(0o700);

  const second = hostOn();
  expect(await opened(second)).toEqual({ positions: itemsAt(1_014) });
  expect(second.figures()).toMatchObject({ missing: 0 });
  expect(await everythingFound(second)).toBe(before);

  const change = Array.from({ length: 300 }, (_, place) =>
    itemPassages(2_000 + place, `The ferry sank w${place}`, { rowKey: `notes/${2 * place}.md` }),
  );
  await applyItems(first, 'team', change);
  await applyItems(second, 'team', change);
  expect(await everythingFound(second)).toBe(await everythingFound(first));
});

test.for([
  ['with bytes changed', (path: string) => writeFileSync(path, withBytesChanged(readFileSync(path)))],
  ['cut short', (path: string) => truncateSync(path, statSync(path).size - 100_000)],
  ['of a few bytes', (path: string) => truncateSync(path, 10)],
  ['of something else', (path: string) => writeFileSync(path, 'x'.repeat(5_000))],
] as const)('a file %s is removed when that shows, and made again', async ([, spoil]) => {
  const first = hostOn();
  await fill(first);
  const before = await everythingFound(first);
  await first.close();
  spoil(onlyFile());
  const second = hostOn();
  const found = await second
    .open('team', { heads: itemsAt(1_014), asked: true })
    .then(() => everythingFound(second));
  if (found !== before) {
    await second.open('team', { heads: itemsAt(1_014), asked: true });
    await fill(second);
  }
  expect(await everythingFound(second)).toBe(before);
});

test('a file that is ahead of the rows, or of another model of vectors, is not used', async () => {
  for (const [model, cursor] of [
    ['', 1_013],
    ['other', 1_014],
  ] as const) {
    const first = hostOn();
    await fill(first);
    await first.close();
    expect(await opened(hostOn(model), cursor)).toEqual({ positions: itemsAt(0) });
  }
});

test('a file has the tasks, decisions and projects of its positions, and is not used by who knows less of them, or has other data', async () => {
  const heads = { dataId: 'data', items: 1_014, tasks: 7, decisions: 3, projects: 2 };
  const rows = [taskChange(feedTask('a', { tier: 'external' })), decisionChange(feedDecision('b'))];
  const projects = { version: 2, projects: [{ slug: 'mole', name: 'Breakwater' }] };
  for (const behind of [undefined, { tasks: 6 }, { decisions: 2 }, { projects: 1 }, { dataId: 'other' }]) {
    const first = hostOn();
    await fill(first);
    await first.apply('team', { rows, projects, positions: heads });
    await first.close();
    const second = hostOn();
    const wanted = behind === undefined ? heads : itemsAt(0);
    const opened = await second.open('team', { heads: { ...heads, ...behind }, asked: true });
    expect(opened).toEqual({ positions: wanted });
    const found = await second.search('team', { tier: 'team', question: 'breakwater', limit: 5 });
    expect(found?.passages.length).toBe(behind === undefined ? 1 : undefined);
  }
});

test('files ahead of the rows, as after a restored backup, are removed at the start, before rows catch up with them', async () => {
  const first = hostOn();
  await fill(first, 'team');
  await fill(first, 'other');
  await first.close();
  expect(filesThere()).toHaveLength(2);
  await prepareIndexDirectory(
    directory,
    async (teamId, { items }) => items > (teamId === 'team' ? 500 : 1_014),
  );
  expect(filesThere()).toHaveLength(1);
  expect(await opened(hostOn())).toEqual({ positions: itemsAt(0) });
});

test('a file of another version is removed at the start, and not opened', async () => {
  for (const prepare of [true, false]) {
    const first = hostOn();
    await fill(first);
    await first.close();
    const database = openIndexDatabase(onlyFile());
    writeHead(database, { ...readHead(database), teamId: 'team', embeddingModel: '', program: '4000' });
    database.close();
    if (prepare) await prepareIndexDirectory(directory, async () => false);
    if (prepare) expect(filesThere()).toEqual([]);
    expect(await opened(hostOn())).toEqual({ positions: itemsAt(0) });
  }
});

test('bytes that were changed anywhere make a file that is made again, and nothing that stays broken', async () => {
  const random = seededRandom(7);
  const first = hostOn();
  await fill(first);
  await first.close();
  const path = onlyFile();
  const whole = readFileSync(path);
  for (let round = 0; round < 25; round += 1) {
    const bytes = Buffer.from(whole);
    for (let at = 0; at < 200; at += 1) bytes[random.integerBelow(bytes.length)] = random.integerBelow(256);
    writeFileSync(path, bytes);
    const host = hostOn();
    for (let attempt = 0; attempt < 2; attempt += 1) {
      await host.open('team', { heads: itemsAt(10_000), asked: true });
      await host.apply('team', { documents: [], positions: itemsAt(10_000) });
      await everythingFound(host);
    }
    await host.close();
  }
});

test('a file that was removed under a host is noticed, and one made in its place is read', async () => {
  const [first, second] = [hostOn(), hostOn()];
  await fill(first);
  const before = await everythingFound(second);
  await first.forget('team');
  expect(await second.search('team', { tier: 'team', question: 'ferry', limit: 5 })).toBeUndefined();
  await fill(first);
  expect(await everythingFound(second)).toBe(before);
});

test('a directory that cannot be written is told in one sentence', async () => {
  const file = join(temporary.path, 'file');
  writeFileSync(file, '');
  // In /proc not even root may make one.
  for (const path of [file, join(file, 'x'), '/proc/x']) {
    await expect(prepareIndexDirectory(path, async () => true)).rejects.toMatchObject({
      code: 'unavailable',
      message: `The directory for search indexes ${path} cannot be written.`,
    });
  }
});

test('a directory that everybody can write is refused', async () => {
  chmodSync(directory, 0o777);
  await expect(prepareIndexDirectory(directory, async () => true)).rejects.toMatchObject({
    code: 'unavailable',
  });
});

test('no directory is refused on Windows, where Node says of each that everybody can write it', async () => {
  chmodSync(directory, 0o777);
  const before = Object.getOwnPropertyDescriptor(process, 'platform');
  onTestFinished(() => void Object.defineProperty(process, 'platform', before ?? {}));
  Object.defineProperty(process, 'platform', { value: 'win32' });
  await prepareIndexDirectory(directory, async () => true);
});

test('an erased item is in no file any more', async () => {
  const written = () =>
    readdirSync(directory)
      .map((name) => readFileSync(join(directory, name), 'latin1'))
      .join('')
      .toLowerCase();
  const said = { rowKey: 'diary.md', title: 'Vermilion heron' };
  const erased = { ...itemPassages(3_001, '', { rowKey: said.rowKey }), isErased: true as const };
  const host = hostOn();
  await fill(host);
  await applyItems(host, 'team', [itemPassages(3_000, 'The vermilionheron nests here.', said)]);
  expect(written()).toContain('vermilionheron');
  await applyItems(host, 'team', [erased]);
  expect(written()).not.toMatch(/vermilion ?heron|norehnoilimrev/);
  const many = Array.from({ length: 60 }, (_, place) =>
    itemPassages(4_000 + place, `Secretmarker${place} ${'secretmarker'.repeat(3)}${place}`, {
      rowKey: `diary/${place}.md`,
    }),
  );
  await applyItems(host, 'team', many);
  const gone = many.map((item) => ({ ...itemPassages(5_000 + item.seq, '', item), isErased: true as const }));
  await applyItems(host, 'team', gone);
  expect(written()).not.toMatch(/secretmarker|rekramterces/);
  expect(written()).toContain('harbour');
});

function withBytesChanged(bytes: Buffer): Buffer {
  return Buffer.from(bytes).fill(0xa5, bytes.length >> 1, (bytes.length >> 1) + 20_000);
}

function filesThere(): string[] {
  return readdirSync(directory).filter((name) => name.endsWith('.index'));
}
