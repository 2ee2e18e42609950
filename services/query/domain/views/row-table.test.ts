import { seededRandom } from '@teammemory/testkit/seeded-random.ts';
import { expect, test } from 'vitest';
import { feedTask } from '../rows/row.fixture.ts';
import { type KeptRow, taskChange } from '../rows/row.ts';
import { createBlockArena } from '../storage/block-arena.ts';
import { createColumns } from '../storage/columns.ts';
import { createMemoryBudget, OutOfMemoryBudget } from '../storage/memory-budget.ts';
import { createRowTable } from './row-table.ts';

function tableOf(maxBytes = 2 ** 30) {
  const budget = createMemoryBudget(maxBytes);
  const arena = createBlockArena(budget);
  return { budget, table: createRowTable(arena, createColumns(budget)) };
}

const row = (id: string, title = `Task ${id} – 日本`) =>
  taskChange(feedTask(id, { title, tags: ['a', 'b'], tier: 'external' })) as KeptRow;

test('has the rows that were added and not removed, as they were, however often they change', () => {
  const { table } = tableOf();
  const random = seededRandom(7);
  const kept = new Map<string, KeptRow>();
  for (let step = 0; step < 3_000; step += 1) {
    const id = `${random.integerBelow(200)}`;
    table.remove('task', id);
    kept.delete(id);
    if (random.chance(0.3)) continue;
    const added = row(id, 'x'.repeat(random.integerBelow(90)));
    table.add(added);
    kept.set(id, added);
  }
  const byId = (rows: Iterable<KeptRow>) => [...rows].sort((left, right) => left.id.localeCompare(right.id));
  expect(byId(table.all())).toEqual(byId(kept.values()));
  for (const [id, known] of kept) expect(table.find('task', id)).toEqual(known);
  expect(table.find('decision', [...kept.keys()][0] ?? '')).toBeUndefined();
  for (const id of kept.keys()) table.remove('task', id);
  expect([...table.all()]).toEqual([]);
  expect(table.bytes()).toBe(0);
});

test('what finds no room leaves everything as it was', () => {
  const { table, budget } = tableOf(20_000);
  let added = 0;
  expect(() => {
    for (;;) {
      table.add(row(`${added}`));
      added += 1;
    }
  }).toThrow(OutOfMemoryBudget);
  expect(added).toBeGreaterThan(10);
  expect([...table.all()]).toHaveLength(added);
  expect(table.find('task', `${added}`)).toBeUndefined();
  expect(table.bytes()).toBeLessThanOrEqual(budget.taken());
});
