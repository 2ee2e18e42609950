import { beforeEach, expect, it } from 'vitest';
import type { BaseRecord } from '../plan/plan-types.ts';
import { createMemoryFileSystem, type MemoryFileSystem } from '../testing/memory-file-system.fixture.ts';
import { openState, type StateChange } from './state.ts';

let disk: MemoryFileSystem;
const path = '/w/.tms/journal.ndjson';
const open = (readOnly = false) => openState(disk, '/w/.tms', { readOnly });
const inStep = { checksum: 'sha256:1', fileChecksum: 'sha256:1', tier: 'team' as const };
const change: StateChange = ['base', 'a.md', { inStep }];

beforeEach(() => {
  disk = createMemoryFileSystem();
  disk.put('/w/.tms/settings.json', '{}');
});

it('what was committed is there again, names such as __proto__ too', async () => {
  const state = await open();
  await state.commit([change, ['remote', '__proto__', 'gone'], ['moved', 'b.md', 'a.md'], ['cursor', 'c1']]);
  await state.commit([['base', 'a.md', null]]);
  const again = await open();
  expect([...again.base.keys()]).toEqual([]);
  expect([...again.remote]).toEqual([['__proto__', 'gone']]);
  expect([...again.movedFrom]).toEqual([['b.md', 'a.md']]);
  expect(again.cursor).toBe('c1');
});

it('everything that a record can have is there again', async () => {
  const version = { ...inStep, updatedAt: '2026-11-27T00:00:00.000Z', updatedBy: 'ada' };
  const records: BaseRecord[] = [
    { inStep: 'gone' },
    { inStep: { ...inStep, narrowed: true }, withdrawn: true },
    { inStep, conflict: { kind: 'edited', version, copy: 'a.conflict.md' } },
    { conflict: { kind: 'lost' } },
    { inStep, merging: { fileChecksum: 'sha256:2', version: inStep } },
  ];
  const state = await open();
  await state.commit(records.map((record, index) => ['base', `${index}.md`, record]));
  await state.commit([['remote', 'a.md', version]]);
  const again = await open();
  expect([...again.base.values()]).toEqual(records);
  expect([...again.remote]).toEqual([['a.md', version]]);
});

it('a line that was cut off counts as not written, and the next one does not run into it', async () => {
  const state = await open();
  await state.commit([change]);
  const whole = disk.text(path) ?? '';
  for (let length = whole.length - 1; length > whole.indexOf('\n') + 1; length--) {
    disk.put(path, whole.slice(0, length));
    const cut = await open();
    expect(cut.base.size).toBe(0);
    await cut.commit([['cursor', 'c2']]);
    expect((await open()).cursor).toBe('c2');
  }
});

it('a last line with a hole, as a power loss leaves it, counts as not written', async () => {
  const state = await open();
  await state.commit([change]);
  const whole = disk.text(path) ?? '';
  const start = whole.indexOf('\n') + 1;
  disk.put(path, `${whole.slice(0, start)}${'\0'.repeat(9)}${whole.slice(start + 9)}`);
  const cut = await open();
  expect(cut.base.size).toBe(0);
  await cut.commit([['cursor', 'c2']]);
  expect((await open()).cursor).toBe('c2');
});

it('after an append that failed in the middle, the next commit keeps the journal readable', async () => {
  const append = disk.append;
  const state = await open();
  disk.append = async (file, bytes) => {
    await append(file, bytes.subarray(0, 5));
    throw Object.assign(new Error('full'), { code: 'ENOSPC' });
  };
  await expect(state.commit([change])).rejects.toThrow('full');
  disk.append = append;
  await state.commit([['cursor', 'c2']]);
  const again = await open();
  expect([again.base.size, again.cursor]).toEqual([0, 'c2']);
});

it('any other damage is told, with what to do', async () => {
  const header = '{"journal":1}\n';
  for (const text of [
    '{"journal":2}\n',
    `${header}nonsense\n`,
    ...[
      'null',
      '{}',
      '["restart"]',
      '[["restart","a"]]',
      '[["cursor",1]]',
      '[["cursor","c","d"]]',
      '[["moved","a"]]',
      '[["moved","a",1]]',
      '[["base",1,null]]',
      '[["base","a",[]]]',
      '[["base","a",{"inStep":5}]]',
      '[["base","a",{"inStep":{"checksum":"1","fileChecksum":"1","tier":"other"}}]]',
      '[["base","a",{"inStep":{"checksum":"1","fileChecksum":"1","tier":"team","narrowed":false}}]]',
      '[["base","a",{"conflict":{"kind":"other"}}]]',
      '[["base","a",{"conflict":{"kind":"lost","copy":1}}]]',
      '[["base","a",{"merging":{"fileChecksum":"1"}}]]',
      '[["base","a",{"withdrawn":false}]]',
      '[["remote","a",{"checksum":"1","fileChecksum":"1","tier":"team"}]]',
      '[["other","a",null]]',
    ].map((line) => `${header}${line}\n`),
    `${header}\0\n[]\n`,
    '\n',
  ]) {
    disk.put(path, text);
    await expect(open(), text).rejects.toMatchObject({ code: 'bad_state' });
  }
});

it('commits at the same time are written one after the other', async () => {
  const state = await open();
  await Promise.all(Array.from({ length: 50 }, (_, n) => state.commit([['base', `${n}.md`, { inStep }]])));
  expect((await open()).base.size).toBe(50);
});

it('a journal of many superseded lines is written anew', async () => {
  const state = await open();
  for (let n = 0; n < 1_200; n++) await state.commit([['cursor', `c${n}`]]);
  await open();
  expect(disk.text(path)?.split('\n')).toHaveLength(3);
  expect((await open()).cursor).toBe('c1199');
});

it('who opens for reading writes nothing', async () => {
  const state = await open(true);
  expect(disk.text(path)).toBeUndefined();
  expect(() => state.commit([change])).toThrow('reading only');
});
