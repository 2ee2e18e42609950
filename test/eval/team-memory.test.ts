import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import { expect, test } from 'vitest';
import { memoryReport } from './memory-report.ts';
import { judge, type MemoryQuestion, plainText, readMemory } from './team-memory.ts';

function question(changed: Partial<MemoryQuestion> = {}): MemoryQuestion {
  const base = { id: '1', text: 'When is the rota published?', kind: 'when', half: 'seen' } as const;
  return { ...base, contains: [/every friday/i], not: [/monday/i], sources: ['rota.md'], ...changed };
}

test('an answer is judged by its words, whatever marks stand between them', () => {
  const verdict = judge(question(), '- It comes **every**\n  _Friday_. [1]', ['rota.md']);
  expect(verdict).toMatchObject({ contained: true, clean: true, refused: false, rightSource: true });
  expect(plainText('| a | `b_c` |\n> [2] #d')).toBe('a b_c #d');
});

test('an outdated statement beside the right one makes an answer unclean, and a missing one not contained', () => {
  expect(judge(question(), 'Every Friday [1]. Every Monday [2].', ['rota.md'])).toMatchObject({
    contained: true,
    clean: false,
  });
  expect(judge(question(), 'It comes. [1]', ['other.md'])).toMatchObject({
    contained: false,
    rightSource: false,
  });
});

test('a refusal is an answer without sources, or one that begins with what is not mentioned', () => {
  const near = question({ kind: 'near', contains: [], sources: [] });
  expect(judge(near, 'Nothing answers this.', []).refused).toBe(true);
  expect(judge(near, 'No note mentions LDAP.\n\nIt comes every Friday. [1]', ['rota.md']).refused).toBe(true);
  expect(judge(near, 'It comes every Friday. [1]', ['rota.md'])).toMatchObject({
    refused: false,
    contained: false,
  });
});

test('an answer is readable at a look unless it is long, or a table, link or block of code in it is torn', () => {
  const isReadable = (answer: string) => judge(question(), answer, ['rota.md']).isReadable;
  expect(isReadable('| day | who |\n|---|---|\n| 1 | Ada |\n\n[1]')).toBe(true);
  const torn = ['| 1 | Ada |', 'see [docs] (/docs)', 'a &lt;b&gt; c', '```\ncode', 'a'.repeat(1_001)];
  expect(torn.filter(isReadable)).toEqual([]);
  const late = `${'a '.repeat(200)} every friday`;
  expect(judge(question(), late, ['rota.md'])).toMatchObject({ contained: true, isEarly: false });
});

test('each half is summed up by itself, by kind and over all', () => {
  const report = memoryReport([
    judge(question(), 'Every Friday. [1]', ['rota.md']),
    judge(question({ kind: 'who' }), 'No.', []),
    judge(question({ kind: 'far', contains: [], sources: [] }), 'No.', []),
    judge(question({ half: 'kept' }), 'Nobody knows.', ['x.md']),
  ]);
  expect(report.seen.all).toEqual({
    questions: 3,
    contained: 0.5,
    containedClean: 0.5,
    rightSource: 0.5,
    firstSource: 0.5,
    early: 0.5,
    readable: 1,
    wronglyRefused: 0.5,
    rightlyRefused: 1,
    medianLength: 17,
  });
  expect(report.seen.who).toMatchObject({ questions: 1, contained: 0, rightlyRefused: undefined });
  expect(report.kept.all).toMatchObject({ questions: 1, contained: 0, wronglyRefused: 0 });
});

test('a line that is no question is refused with its file and number', async () => {
  const { path, remove } = await temporaryDirectory();
  try {
    await mkdir(join(path, 'items'));
    const questionsFile = join(path, 'questions.jsonl');
    await writeFile(
      questionsFile,
      `${JSON.stringify({ id: 1, text: 'a', kind: 'who', half: 'seen', contains: ['b'] })}\n{}\n`,
    );
    await expect(readMemory(path, { name: 'm', questionsFile })).rejects.toThrow(/questions\.jsonl, line 2/);
  } finally {
    await remove();
  }
});
