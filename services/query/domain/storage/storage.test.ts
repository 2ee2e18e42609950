import { seededRandom } from '@teammemory/testkit/seeded-random.ts';
import { describe, expect, test } from 'vitest';
import { createBlockArena } from './block-arena.ts';
import { createColumns } from './columns.ts';
import { createMemoryBudget, OutOfMemoryBudget } from './memory-budget.ts';
import { encodeText, freeText, readText, writeText } from './text-block.ts';
import { wordTableOf } from './word-table.fixture.ts';
import { createWordTable } from './word-table.ts';

function memory(maxBytes = 2 ** 30) {
  const budget = createMemoryBudget(maxBytes);
  return { budget, arena: createBlockArena(budget), columns: createColumns(budget) };
}

describe('a budget', () => {
  test('refuses what would exceed it or the budget that it is a part of, and changes nothing then', () => {
    const whole = createMemoryBudget(100);
    const [one, other] = [createMemoryBudget(80, whole), createMemoryBudget(80, whole)];
    one.take(60);
    expect(() => one.take(30)).toThrow(expect.objectContaining({ budget: one }));
    expect(() => other.take(60)).toThrow(expect.objectContaining({ budget: whole }));
    expect([whole, one, other].map((budget) => budget.taken())).toEqual([60, 60, 0]);
    one.give(60);
    other.take(80);
    expect(whole.taken()).toBe(80);
  });
});

describe('columns', () => {
  test('take what their arrays have, both arrays while they grow, and nothing once released', () => {
    const { budget, columns } = memory(1_000);
    const column = columns.add(Uint32Array);
    column.ensure(100);
    column.values[99] = 7;
    expect(budget.taken()).toBe(column.values.byteLength);
    // 600 bytes beside the 400 that are there still fit, one row more does not.
    expect(() => column.ensure(151)).toThrow(OutOfMemoryBudget);
    column.ensure(150);
    expect(column.values[99]).toBe(7);
    expect(budget.taken()).toBe(600);
    columns.release();
    expect(budget.taken()).toBe(0);
  });
});

describe('an arena', () => {
  test('gives blocks that do not overlap, whatever comes and goes', () => {
    const random = seededRandom(8);
    const { arena, budget } = memory();
    const blocks = new Map<number, { words: number; mark: number }>();
    const fill = (block: number, words: number, mark: number) =>
      arena.chunkOf(block).words.fill(mark, arena.offsetOf(block), arena.offsetOf(block) + words);
    const check = (block: number, { words, mark }: { words: number; mark: number }) => {
      const start = arena.offsetOf(block);
      expect(
        arena
          .chunkOf(block)
          .words.subarray(start, start + words)
          .every((word) => word === mark),
      ).toBe(true);
    };
    for (let step = 1; step < 6_000; step += 1) {
      const words = 1 + random.integerBelow(random.chance(0.02) ? 20_000 : 80);
      arena.reserve(arena.roundUp(words));
      const block = arena.allocate(words);
      expect(blocks.has(block)).toBe(false);
      blocks.set(block, { words, mark: step });
      fill(block, words, step);
      if (random.chance(0.5)) {
        const [freed, expected] = random.pick([...blocks].slice(0, 50));
        check(freed, expected);
        arena.free(freed, expected.words);
        blocks.delete(freed);
      }
    }
    for (const [block, expected] of blocks) check(block, expected);
    expect(budget.taken()).toBe(arena.chunks().reduce((sum, { words }) => sum + words.byteLength, 0));
    arena.release();
    expect(budget.taken()).toBe(0);
  });

  test('says before it begins that there is no room', () => {
    const { arena } = memory(4_096);
    arena.reserve(200);
    expect(() => arena.reserve(2_000)).toThrow(OutOfMemoryBudget);
    expect(arena.allocate(200)).toBeGreaterThan(0);
  });
});

test.for([
  '',
  'plain',
  'naïve café',
  'emphasis — and “quotes”',
  '日本語',
  'lone \ud800 surrogate',
  'nul \0 byte',
])('the text %j is read as it was written', (text) => {
  const { arena, budget } = memory();
  const encoded = encodeText(text);
  arena.reserve(2 * arena.roundUp(encoded.words));
  writeText(arena, encodeText(text));
  const block = writeText(arena, encoded);
  expect(readText(arena, block)).toBe(text);
  const before = budget.taken();
  freeText(arena, block);
  expect(writeText(arena, encoded)).toBe(block);
  expect(budget.taken()).toBe(before);
});

describe('a word table', () => {
  const { arena, columns } = memory();
  const table = createWordTable(arena, columns);
  const add = (word: string) => {
    table.reserve(1);
    arena.reserve(arena.roundUp(table.wordsFor(word)));
    return table.add(word);
  };

  test('finds each word by its number and back, while others come and go', () => {
    const random = seededRandom(9);
    const known = new Map<string, number>();
    for (let step = 0; step < 30_000; step += 1) {
      const word = `${random.pick(['w', 'ÿ', 'д', '日'])}${random.integerBelow(5_000).toString(36)}`;
      const number = known.get(word);
      expect(table.find(word)).toBe(number ?? -1);
      if (number === undefined) known.set(word, add(word));
      else if (random.chance(0.7)) {
        table.remove(number);
        known.delete(word);
      }
    }
    expect(table.size()).toBe(known.size);
    expect(new Set(known.values()).size).toBe(known.size);
    for (const [word, number] of [...known].slice(0, 300)) {
      expect(table.textOf(number)).toBe(word);
      expect(table.lengthOf(number)).toBe(word.length);
      const lengths = { least: word.length, most: word.length };
      expect(table.beginningWith(word.charCodeAt(0), lengths, 100_000)).toContain(number);
    }
  });

  test('finds the words that begin or end with others', () => {
    const { table: few } = wordTableOf([
      'urlaub',
      'urlaubsregel',
      'resturlaub',
      'дом',
      'домашний',
      'regel',
      'urla',
    ]);
    const around = (part: string) => few.beginningOrEndingWith(part, part.length + 3).map(few.textOf);
    expect(around('urlaub')).toEqual(['urlaubsregel', 'resturlaub']);
    expect(around('regel')).toEqual(['urlaubsregel']);
    expect(around('дом')).toEqual(['домашний']);
  });

  test('has words of any length', () => {
    for (const word of ['x'.repeat(9_000), 'д'.repeat(1_152)]) expect(table.textOf(add(word))).toBe(word);
    expect(table.find('x'.repeat(8_999))).toBe(-1);
  });
});
