import { createBlockArena } from './block-arena.ts';
import { createColumns } from './columns.ts';
import { createMemoryBudget } from './memory-budget.ts';
import { createWordTable, type WordTable } from './word-table.ts';

/** A table of these words, numbered from 0, and what adds more. */
export function wordTableOf(words: readonly string[]): { table: WordTable; add(word: string): number } {
  const budget = createMemoryBudget(2 ** 30);
  const arena = createBlockArena(budget);
  const table = createWordTable(arena, createColumns(budget));
  const add = (word: string) => {
    table.reserve(1);
    arena.reserve(arena.roundUp(table.wordsFor(word)));
    return table.add(word);
  };
  for (const word of words) add(word);
  return { table, add };
}
