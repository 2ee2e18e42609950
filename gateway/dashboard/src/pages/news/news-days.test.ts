import { expect, test } from 'vitest';
import { type Change, decisionChange, itemChange, newsDays, taskChange } from './news-days.ts';

const item = (row_key: string, updated_at: string, updated_by = 'ada') =>
  itemChange({ row_key, updated_at, updated_by, title: row_key, tier: 'team', checksum: 'sha256:0' });
/** By local time, as people see days. */
const at = (day: number, hour: number) => new Date(2026, 10, day, hour).toISOString();

test('changes stand by day, the newest first, and what one person did in a row stands together', () => {
  const changes: Change[] = [
    item('a.md', at(20, 9)),
    item('b.md', at(21, 9)),
    item('c.md', at(21, 10)),
    item('d.md', at(21, 11), 'bo'),
    item('e.md', at(21, 12)),
  ];
  const shown = newsDays(changes).map(({ groups }) =>
    groups.map(({ by, changes: grouped }) => `${by} ${grouped.map(({ title }) => title).join()}`),
  );
  expect(shown).toEqual([['ada e.md', 'bo d.md', 'ada c.md,b.md'], ['ada a.md']]);
});

test('each change leads to what changed, and nothing to what is gone', () => {
  expect(item('notes/a b.md', at(20, 9))).toMatchObject({ path: '/memory/notes/a%20b.md', verb: 'changed' });
  expect(itemChange({ row_key: 'notes/a.md', updated_at: at(20, 9), deleted: true })).toMatchObject({
    path: '',
    verb: 'removed',
    title: 'a.md',
    place: 'notes/a.md',
  });
  const task = { task_id: 't', title: 'Paint', status: 'done', owner: 'bo', tier: 'team' } as const;
  const source = { row_key: 'tasks.md', line: 3 };
  expect(taskChange({ ...task, source, updated_at: at(20, 9) })).toMatchObject({
    path: '/memory/tasks.md#L3',
    verb: 'done',
    place: 'tasks.md · @bo',
  });
  const decision = { title: 'Sail', status: 'accepted', audience: 'external', updated_by: 'ada' } as const;
  expect(decisionChange({ ...decision, decision_id: 'd', updated_at: at(20, 9) })).toMatchObject({
    path: '/decisions/d',
    tier: 'external',
    by: 'ada',
  });
});
