import { seededRandom } from '@teammemory/testkit/seeded-random.ts';
import { expect, test } from 'vitest';
import type { Call } from './call-log.ts';
import { createSimulatedDisk, type Luck } from './crash-image.ts';

const inode = '7';
const create = (path: string, node = inode): Call => ({ kind: 'create', path, inode: node });
const write = (offset: number, text: string, node = inode): Call => ({
  kind: 'write',
  path: '',
  inode: node,
  offset,
  bytes: Buffer.from(text),
});
const truncate = (size: number): Call => ({ kind: 'truncate', path: '', inode, size });
const sync = (path: string, node = inode): Call => ({ kind: 'sync', path, inode: node });
const syncFolder = (path = '.'): Call => sync(path, '1');
const rename = (path: string, to: string): Call => ({ kind: 'rename', path, to });
const unlink = (path: string): Call => ({ kind: 'unlink', path });
const folder = (path: string): Call => ({ kind: 'folder', path });
/** A file `a` whose name and bytes are safe. */
const safe = [create('a'), write(0, 'old'), sync('a'), syncFolder()];

function crashed(calls: readonly Call[], luck: Luck = 'nothing', seed = 1): Record<string, string> {
  const disk = createSimulatedDisk();
  for (const call of calls) disk.apply(call);
  const { files, folders } = disk.crash(luck, seededRandom(seed));
  return Object.fromEntries([
    ...[...folders].map((path) => [path, 'folder']),
    ...[...files].map(([path, bytes]) => [path, Buffer.from(bytes).toString()]),
  ]);
}

/** Every outcome of some hundred seeds. */
function outcomes(calls: readonly Call[]): Set<string> {
  return new Set(Array.from({ length: 400 }, (_, seed) => JSON.stringify(crashed(calls, 'chance', seed))));
}
const outcome = (files: Record<string, string>) => JSON.stringify(files);

test('bytes of a synced file with a synced name are there, whatever else is lost', () => {
  expect(crashed(safe)).toEqual({ a: 'old' });
  expect(outcomes(safe)).toEqual(new Set([outcome({ a: 'old' })]));
});

test('a write that no sync followed may be there or not', () => {
  expect(crashed([...safe, write(1, 'new')])).toEqual({ a: 'old' });
  expect(crashed([...safe, write(1, 'new')], 'everything')).toEqual({ a: 'onew' });
});

test('a sync makes the writes before it durable and none after it', () => {
  expect(crashed([...safe, write(0, 'new'), sync('a'), write(0, 'xyz')])).toEqual({ a: 'new' });
});

test('a sync of one file makes nothing of another durable', () => {
  const other = [create('b', '8'), syncFolder(), write(0, 'text', '8')];
  expect(crashed([...safe, ...other, sync('a')])).toEqual({ a: 'old', b: '' });
});

test('of unsynced writes any may be there without those before them', () => {
  const found = outcomes([...safe, write(0, '1'), write(1, '2')]);
  expect(found).toContain(outcome({ a: '12d' }));
  expect(found).toContain(outcome({ a: 'o2d' }));
  expect(found).toContain(outcome({ a: '1ld' }));
  expect(found).toContain(outcome({ a: 'old' }));
});

test('a write is torn between sectors of 512 bytes and nowhere else, with zeros where the file grew', () => {
  const calls = [create('a'), syncFolder(), write(500, 'x'.repeat(12 + 512 + 3))];
  const torn = [...outcomes(calls)].map((text) => String(JSON.parse(text).a).replaceAll('\0', '0'));
  const [gap, first, second, third] = ['0'.repeat(500), 'x'.repeat(12), 'x'.repeat(512), 'xxx'];
  const none = [first, second, third].map((part) => '0'.repeat(part.length));
  const possible = [''];
  for (let mask = 0; mask < 8; mask += 1)
    possible.push(
      gap + [first, second, third].map((part, at) => (mask & (1 << at) ? part : none[at])).join(''),
    );
  expect(new Set(torn)).toEqual(new Set(possible));
});

test('a truncation that no sync followed may be lost, and its order to writes is kept', () => {
  const calls = [...safe, truncate(0), write(0, 'n')];
  expect(crashed(calls)).toEqual({ a: 'old' });
  expect(crashed(calls, 'everything')).toEqual({ a: 'n' });
  expect(outcomes(calls)).toContain(outcome({ a: 'nld' }));
  expect(crashed([...calls, sync('a')])).toEqual({ a: 'n' });
});

test('a file is lost with its bytes, though they were synced, until its folder is synced', () => {
  const calls = [create('a'), write(0, 'text'), sync('a')];
  expect(crashed(calls)).toEqual({});
  expect(outcomes(calls)).toEqual(new Set([outcome({}), outcome({ a: 'text' })]));
  expect(crashed([...calls, syncFolder()])).toEqual({ a: 'text' });
});

test('a removal may be lost until the folder is synced', () => {
  expect(crashed([...safe, unlink('a')])).toEqual({ a: 'old' });
  expect(crashed([...safe, unlink('a')], 'everything')).toEqual({});
  expect(crashed([...safe, unlink('a'), syncFolder()])).toEqual({});
});

test('a rename happens or does not: there is never neither of the two files', () => {
  const calls = [...safe, create('b', '8'), write(0, 'new', '8'), sync('b', '8'), rename('b', 'a')];
  expect(crashed(calls)).toEqual({ a: 'old' });
  expect(outcomes(calls)).toEqual(
    new Set([outcome({ a: 'old' }), outcome({ a: 'old', b: 'new' }), outcome({ a: 'new' })]),
  );
  expect(crashed([...calls, syncFolder()])).toEqual({ a: 'new' });
});

test('a file that is renamed before its sync may be empty under its new name', () => {
  const calls = [...safe, create('b', '8'), write(0, 'new', '8'), rename('b', 'a'), syncFolder()];
  expect(crashed(calls)).toEqual({ a: '' });
});

test('a folder is lost with all in it until its own folder is synced', () => {
  const calls = [folder('f'), create('f/a'), write(0, 'text'), sync('f/a'), syncFolder('f')];
  expect(crashed(calls)).toEqual({});
  expect(crashed([...calls, syncFolder()])).toEqual({ f: 'folder', 'f/a': 'text' });
});

test('a rename from folder to folder is two changes: the file may have both names', () => {
  const calls = [...safe, folder('f'), syncFolder(), rename('a', 'f/a')];
  expect(crashed([...calls, syncFolder('f')])).toEqual({ f: 'folder', a: 'old', 'f/a': 'old' });
  expect(crashed([...calls, syncFolder('f'), syncFolder()])).toEqual({ f: 'folder', 'f/a': 'old' });
});

test('a number of an inode that is used again is another file', () => {
  const calls = [...safe, unlink('a'), create('b'), write(0, 'other'), sync('b')];
  expect(crashed(calls)).toEqual({ a: 'old' });
});

test('the same seed finds the same image', () => {
  const calls = [...safe, write(0, 'x'.repeat(4_096)), create('b', '8'), unlink('a')];
  expect(crashed(calls, 'chance', 11)).toEqual(crashed(calls, 'chance', 11));
});
