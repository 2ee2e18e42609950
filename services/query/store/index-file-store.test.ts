import { chmodSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TemporaryDirectory, temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { applyItems, itemsAt } from '../domain/index/index-host.fixture.ts';
import type { IndexHost } from '../domain/index/index-host.ts';
import { createLocalIndexHost } from '../domain/index/local-index-host.ts';
import { itemPassages } from '../domain/passages/passages.fixture.ts';
import { feedDecision, feedTask } from '../domain/rows/row.fixture.ts';
import { decisionChange, taskChange } from '../domain/rows/row.ts';
import { encodeHead, headLength, prefixBytes } from './index-file-format.ts';
import { createIndexFileStore, prepareIndexDirectory } from './index-file-store.ts';

const megabyte = 2 ** 20;
let temporary: TemporaryDirectory;
let directory: string;
beforeEach(async () => {
  temporary = await temporaryDirectory();
  directory = join(temporary.path, 'indexes');
  await prepareIndexDirectory(directory, async () => true);
});
afterEach(() => temporary.remove());

interface Changed {
  maxBytes?: number;
  maxFilesBytes?: number;
  embeddingModel?: string;
}

function hostOn({
  maxBytes = 256 * megabyte,
  maxFilesBytes = 1_024 * megabyte,
  embeddingModel = '',
}: Changed = {}) {
  const files = createIndexFileStore({ directory, maxBytes: maxFilesBytes, embeddingModel });
  return createLocalIndexHost({ maxBytes, files, embeds: embeddingModel !== '' });
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
  const names = readdirSync(directory);
  expect(names).toHaveLength(1);
  return join(directory, names[0] ?? '');
}

/** Opens the team's index and takes over what has changed since, which is nothing. */
async function opened(host: IndexHost, cursor = 10_000) {
  const index = await host.open('team', { heads: itemsAt(cursor), asked: true });
  await host.apply('team', { positions: itemsAt(cursor) });
  return index;
}

test('an index that was read from its file answers as before, and takes over changes as if it had never been away', async () => {
  const first = hostOn();
  await fill(first);
  const before = await everythingFound(first);
  await first.close();
  expect(statSync(onlyFile()).mode & 0o777).toBe(0o600);
  expect(statSync(directory).mode & 0o777).toBe(0o700);

  const second = hostOn();
  expect(await opened(second)).toEqual({ positions: itemsAt(1_014) });
  expect(second.figures()).toMatchObject({ loaded: 1, missing: 0 });
  expect(await everythingFound(second)).toBe(before);

  const change = Array.from({ length: 300 }, (_, place) =>
    itemPassages(2_000 + place, `The ferry sank w${place}`, { rowKey: `notes/${2 * place}.md` }),
  );
  await applyItems(first, 'team', change);
  await applyItems(second, 'team', change);
  expect(await everythingFound(second)).toBe(await everythingFound(first));
});

test.for([
  ['with one byte changed', (path: string) => writeFileSync(path, withByteChanged(readFileSync(path)))],
  ['cut short', (path: string) => truncateSync(path, statSync(path).size - 1_000)],
  ['of a few bytes', (path: string) => truncateSync(path, 10)],
  ['of something else', (path: string) => writeFileSync(path, 'x'.repeat(5_000))],
] as const)('a file %s is not used, and removed', async ([, spoil]) => {
  const first = hostOn();
  await fill(first);
  await first.close();
  spoil(onlyFile());
  const second = hostOn();
  expect(await opened(second)).toEqual({ positions: itemsAt(0) });
  expect(await second.search('team', { tier: 'team', question: 'ferry', limit: 5 })).toMatchObject({
    passages: [],
  });
  expect(readdirSync(directory)).toEqual([]);
});

test('a file that is ahead of the rows, or of another model of vectors, is not used', async () => {
  for (const [settings, cursor] of [
    [{}, 1_013],
    [{ embeddingModel: 'other' }, 1_014],
  ] as const) {
    const first = hostOn();
    await fill(first);
    await first.close();
    expect(await opened(hostOn(settings), cursor)).toEqual({ positions: itemsAt(0) });
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
  expect(readdirSync(directory)).toHaveLength(2);
  writeFileSync(join(directory, 'left.index.1.new'), '');
  await prepareIndexDirectory(
    directory,
    async (teamId, { items }) => items > (teamId === 'team' ? 500 : 1_014),
  );
  expect(await opened(hostOn())).toEqual({ positions: itemsAt(0) });
  expect(readdirSync(directory)).toHaveLength(1);
});

test.for([
  [
    'an earlier version, which knew one position alone',
    { program: '1 LE', position: 12, positions: undefined },
  ],
  ['a version to come', { program: '4000 LE', positions: 'elsewhere' }],
])('a file of %s is removed at the start, and keeps nothing from starting', async ([, changed]) => {
  const first = hostOn();
  await fill(first);
  await first.close();
  const path = onlyFile();
  const bytes = readFileSync(path);
  const end = prefixBytes + (headLength(bytes.subarray(0, prefixBytes)) ?? 0);
  const head = { ...JSON.parse(bytes.toString('utf8', prefixBytes, end)), ...(changed as object) };
  writeFileSync(path, Buffer.concat([encodeHead(head), bytes.subarray(end)]));
  await prepareIndexDirectory(directory, async () => false);
  expect(readdirSync(directory)).toEqual([]);
  expect(await opened(hostOn())).toEqual({ positions: itemsAt(0) });
});

test('a directory that cannot be written is told in one sentence', async () => {
  const file = join(temporary.path, 'file');
  writeFileSync(file, '');
  await expect(prepareIndexDirectory(join(file, 'x'), async () => true)).rejects.toMatchObject({
    code: 'unavailable',
    message: `The directory for search indexes ${join(file, 'x')} cannot be written.`,
  });
});

test('a directory that everybody can write is refused', async () => {
  chmodSync(directory, 0o777);
  await expect(prepareIndexDirectory(directory, async () => true)).rejects.toMatchObject({
    code: 'unavailable',
  });
});

test('items that were taken to be embedded, and were not before the index was written, wait for it again', async () => {
  const embeddingModel = 'model';
  const first = hostOn({ embeddingModel });
  await fill(first);
  await first.takeEmbeddingWork('team', { items: 1_000, passages: 10_000 });
  await first.close();
  const second = hostOn({ embeddingModel });
  await opened(second);
  const work = await second.takeEmbeddingWork('team', { items: 1_000, passages: 10_000 });
  expect(work?.passages.length).toBeGreaterThan(590);
});

test('an erased item is in no file, nor in one that is written afterwards, whether or not the index is in memory', async () => {
  const written = async (host: IndexHost) => {
    await host.save();
    return readdirSync(directory).map((name) => readFileSync(join(directory, name), 'latin1'));
  };
  const said = { rowKey: 'diary.md', title: 'Vermilion heron' };
  const erased = [itemPassages(3_001, '', { rowKey: said.rowKey })].map((item) => ({
    ...item,
    isErased: true as const,
  }));
  const host = hostOn();
  await fill(host);
  await applyItems(host, 'team', [itemPassages(3_000, 'The vermilionheron nests here.', said)]);
  expect((await written(host)).join('')).toContain('vermilionheron');
  await applyItems(host, 'team', erased);
  expect(readdirSync(directory)).toEqual([]);
  await host.close();
  const [file = ''] = await written(host);
  expect(file.length).toBeGreaterThan(megabyte);
  expect(file.toLowerCase()).not.toMatch(/vermilion ?heron/);
  await hostOn().apply('team', { erases: true });
  expect(readdirSync(directory)).toEqual([]);
});

test('files stay within their bound: those not used for longest go', async () => {
  const first = hostOn();
  await fill(first);
  await first.close();
  const { size } = statSync(onlyFile());
  const second = hostOn({ maxFilesBytes: 2.5 * size });
  for (const teamId of ['a', 'b', 'c']) await fill(second, teamId);
  await second.close();
  const sizes = readdirSync(directory).map((name) => statSync(join(directory, name)).size);
  expect(sizes).toHaveLength(2);
  expect(sizes.reduce((sum, each) => sum + each)).toBeLessThanOrEqual(2.5 * size);
});

test('two teams that exceed the memory together are read in turn, and not built again', async () => {
  const probe = hostOn();
  await fill(probe);
  const host = hostOn({ maxBytes: 3 * probe.figures().bytes });
  for (const teamId of ['a', 'b', 'c', 'd']) await fill(host, teamId);
  const before = host.figures();
  expect(before.dropped).toBeGreaterThan(0);
  for (let round = 0; round < 3; round += 1)
    for (const teamId of ['a', 'b', 'c', 'd']) {
      expect(await host.open(teamId, { heads: itemsAt(1_014), asked: true })).toEqual({
        positions: itemsAt(1_014),
      });
      expect((await host.search(teamId, { tier: 'team', question: 'w77', limit: 1 }))?.passages).toHaveLength(
        1,
      );
    }
  expect(host.figures().loaded).toBeGreaterThan(3);
  expect(host.figures().bytes).toBeLessThanOrEqual(3 * probe.figures().bytes);
});

test('where a file cannot be written the index is dropped all the same, and counted', async () => {
  const host = hostOn();
  await fill(host);
  await temporary.remove();
  await host.close();
  expect(host.figures().unsaved).toBe(1);
});

function withByteChanged(bytes: Buffer): Buffer {
  const middle = bytes.length >> 1;
  bytes[middle] = (bytes[middle] ?? 0) ^ 1;
  return bytes;
}
