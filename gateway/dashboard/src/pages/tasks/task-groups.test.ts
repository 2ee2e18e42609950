import { expect, test } from 'vitest';
import { compareTasks, groupByDue, type Task, todayHere } from './task-groups.ts';

const task = (title: string, due: string | null, status: Task['status'] = 'open'): Task => ({
  task_id: title,
  title,
  status,
  due,
  owner: null,
  project: null,
  tags: [],
  tier: 'team',
  source: { row_key: 'tasks.md', line: 1, heading: null },
});

test('tasks stand under when they are due, the nearest day first', () => {
  const groups = groupByDue(
    [
      task('no day', null),
      task('far', '2026-12-30'),
      task('last of the week', '2026-12-01'),
      task('late', '2026-11-01'),
      task('later than late', '2026-11-02'),
      task('now', '2026-11-24'),
      task('tomorrow', '2026-11-25'),
    ].sort(compareTasks),
    '2026-11-24',
  );
  expect(groups.map(({ heading, tasks }) => [heading, tasks.map(({ title }) => title)])).toEqual([
    ['Overdue', ['late', 'later than late']],
    ['Due today', ['now']],
    ['Due within a week', ['tomorrow', 'last of the week']],
    ['Due later', ['far']],
    ['Without a day', ['no day']],
  ]);
});

test('a finished task is never overdue', () => {
  const groups = groupByDue([task('done', '2026-11-01', 'done')], '2026-11-24');
  expect(groups).toMatchObject([{ heading: 'Past', isOverdue: false }]);
});

test('today is the day of the browser, not of Greenwich', () => {
  expect(todayHere(new Date(2026, 0, 2, 0, 30))).toBe('2026-01-02');
});
