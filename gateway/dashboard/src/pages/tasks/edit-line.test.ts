import { expect, test } from 'vitest';
import { taskLine, withEditedTask, withNewTask } from './edit-line.ts';
import type { Task } from './task-groups.ts';

const task = (line: number, facts: Partial<Task> = {}): Task => ({
  task_id: 'id',
  title: 'Paint it',
  status: 'open',
  due: null,
  owner: null,
  project: null,
  tags: [],
  tier: 'team',
  source: { row_key: 'tasks.md', line, heading: null },
  ...facts,
});
const due = '2026-12-01';

test.each([
  ['- [ ] a', '- [x] a'],
  ['  * [ ] a  ', '  * [x] a  '],
  ['> 1) [ ]\ta', '> 1) [x]\ta'],
  ['[ ] a', '[x] a'],
])('ticking %j changes its box alone', (line, expected) => {
  const text = `# T\r\n\r\n${line}\r\n- [ ] other\nlast`;
  expect(withEditedTask(text, task(3), { status: 'done' })).toBe(text.replace(line, expected));
});

test('a box that is ticked or cancelled is opened again, and one that is as it should be stays', () => {
  const done = task(1, { status: 'done' });
  const cancelled = task(1, { status: 'cancelled' });
  expect(withEditedTask('- [x] a\n', done, { status: 'open' })).toBe('- [ ] a\n');
  expect(withEditedTask('- [X] a\n', done, { status: 'done' })).toBe('- [X] a\n');
  expect(withEditedTask('- [-] a\n', cancelled, { status: 'open' })).toBe('- [ ] a\n');
  expect(withEditedTask('- - [-] a\n', cancelled, { status: 'done' })).toBe('- - [x] a\n');
});

test.each([
  ['- [ ] a', {}, { owner: 'ada', due }, `- [ ] a @ada due:${due}`],
  ['- [ ] a @bo, now', { owner: 'bo' }, { owner: 'ada' }, '- [ ] a @ada, now'],
  ['- [ ] a @bo now', { owner: 'bo' }, { owner: '' }, '- [ ] a now'],
  ['- [ ] `@bo` @bo #tag', { owner: 'bo' }, { owner: 'ada' }, '- [ ] `@bo` @ada #tag'],
  [`- [ ] a due:${due}`, { due }, { due: '' }, '- [ ] a'],
  ['- [ ] a', { project: 'ferry' }, { project: 'pier' }, '- [ ] a +pier'],
  ['- [ ] a \\', {}, { owner: 'ada' }, '- [ ] a @ada \\'],
  ['- [ ] a @bo', { owner: 'bo' }, { owner: 'bo', status: 'done' }, '- [x] a @bo'],
] as const)('%j with %j becomes, by %j, %j', (line, facts, edit, expected) => {
  expect(withEditedTask(`x\n${line}\r\ny`, task(2, facts), edit)).toBe(`x\n${expected}\r\ny`);
});

test.each([
  ['a line that is no task', 'no task\n', task(1), { status: 'done' }],
  ['a line whose box says something else', '- [x] a\n', task(1), { owner: 'ada' }],
  ['a line that is not there', '- [ ] a\n', task(9), { status: 'done' }],
  ['an owner on the next line', '- [ ] a\n  @bo\n', task(1, { owner: 'bo' }), { owner: 'ada' }],
  ['a project that the file gives', '- [ ] a\n', task(1, { project: 'ferry' }), { project: '' }],
] as const)('%s is not edited', (_, text, of, edit) => {
  expect(() => withEditedTask(text, of, edit)).toThrow();
});

test('a new task stands on a line of its own at the end', () => {
  const line = taskLine(' Paint it ', { owner: 'ada', due, project: '' });
  expect(line).toBe(`- [ ] Paint it @ada due:${due}`);
  expect(withNewTask('', line)).toBe(`${line}\n`);
  expect(withNewTask('- [ ] a', line)).toBe(`- [ ] a\n${line}\n`);
  expect(withNewTask('a\r\n', line)).toBe(`a\r\n${line}\r\n`);
});

test('a line that was made to be slow takes no time', () => {
  const started = performance.now();
  for (const line of [
    ' '.repeat(4_000),
    '>- '.repeat(1_300),
    '1) '.repeat(1_300),
    `- [ ] ${'`'.repeat(4_000)} x`,
    'x'.repeat(1_000_000),
  ]) {
    try {
      withEditedTask(line, task(1, { owner: 'bo' }), { owner: 'ada' });
    } catch {
      // Refused is as good as done.
    }
  }
  expect(performance.now() - started).toBeLessThan(1_000);
});
