import { expect, test } from 'vitest';
import { isLog, projectsOf } from './task-source.ts';

test.each([
  'tasks.md',
  'a/TODO.md',
  'todos',
  'Task.markdown',
  'team-tasks.md',
  'q3_todo.md',
  'a/decision.md',
  'my-decision-log.md',
  'task-log.txt',
  'x_DECISIONS.MD',
])('%s is a log by its name', (rowKey) => {
  expect(isLog({ rowKey, frontmatter: {} })).toBe(true);
});

test.each(['multitask.md', 'tasks/a.md', 'my.tasks.md', 'tasks.old.md', 'todo-list.md', 'log.md', '.tasks'])(
  '%s is none',
  (rowKey) => {
    expect(isLog({ rowKey, frontmatter: {} })).toBe(false);
  },
);

test('any file is a log by its front matter', () => {
  const isLogOfType = (type: unknown) => isLog({ rowKey: 'a.md', frontmatter: { type } });
  expect(['task-log', 'decision-log'].map(isLogOfType)).toEqual([true, true]);
  expect(['log', '', null, ['task-log'], { $eq: 'task-log' }].map(isLogOfType)).not.toContain(true);
});

test.each([
  ['a.md', { project: 'web' }, ['web']],
  ['projects/api/a.md', {}, ['api']],
  ['x/projects/api/y/a.md', { project: 'web' }, ['web', 'api']],
  ['projects/api/a.md', { project: 'api' }, ['api']],
  ['projects/api/a.md', { project: 'Not a slug' }, ['api']],
  ['projects/api.md', {}, []],
  ['projects/Not_A_Slug/a.md', {}, []],
  ['myprojects/api/a.md', {}, []],
  ['a.md', { project: ['web'] }, []],
  ['a.md', { project: '' }, []],
])('%s with front matter %j names %j', (rowKey, frontmatter, slugs) => {
  expect(projectsOf({ rowKey, frontmatter })).toEqual(slugs);
});
