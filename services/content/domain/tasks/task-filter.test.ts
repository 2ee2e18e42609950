import { describe, expect, test } from 'vitest';
import { type TaskSource, taskContent } from './task.ts';
import type { TaskEntry } from './task-entries.ts';
import { type TaskFilter, taskRowFilter } from './task-filter.ts';

const plain: TaskEntry = {
  title: 'a',
  status: 'open',
  owner: null,
  due: null,
  project: null,
  tags: [],
  line: 1,
  heading: null,
};
const source: TaskSource = { kind: 'item', id: 'tasks.md', tier: 'team', entries: [] };

/** The JSON of a task as it is stored. */
const stored = (entry: Partial<TaskEntry>, id = source.id) =>
  taskContent(`item/${id}\n1`, { ...source, id }, { ...plain, ...entry }).jsonAt(0);
const accepts = (filter: TaskFilter, entry: Partial<TaskEntry>) =>
  taskRowFilter(filter)?.accepts(stored(entry));

describe('a filter of tasks', () => {
  test.each<[TaskFilter, fitting: Partial<TaskEntry>[], others: Partial<TaskEntry>[]]>([
    [{ status: 'open' }, [{}], [{ status: 'done' }, { status: 'cancelled' }]],
    [{ status: 'done' }, [{ status: 'done' }], [{}]],
    [{ owner: 'ada' }, [{ owner: 'ada' }, { owner: 'Ada' }], [{}, { owner: 'adam' }, { owner: 'a.da' }]],
    [{ owner: 'ÉVA' }, [{ owner: 'éva' }], [{ owner: 'eva' }]],
    [{ owner: 'e\u0301va'.normalize('NFC') }, [{ owner: 'Éva' }], []],
    [{ project: 'web' }, [{ project: 'web' }], [{}, { project: 'web-2' }]],
    [{ dueBy: '2026-12-01' }, [{ due: '2026-12-01' }, { due: '2026-11-30' }], [{ due: '2026-12-02' }, {}]],
    [{ dueBy: '9999-12-31' }, [{ due: '9999-12-31' }], [{}]],
    [
      { status: 'open', owner: 'ada', project: 'web', dueBy: '2026-12-01' },
      [{ owner: 'ada', project: 'web', due: '2026-12-01' }],
      [
        { owner: 'ada', project: 'web', due: '2026-12-01', status: 'done' },
        { owner: 'bo', project: 'web', due: '2026-12-01' },
        { owner: 'ada', project: 'api', due: '2026-12-01' },
        { owner: 'ada', project: 'web' },
      ],
    ],
  ])('%j accepts what fits all of it, and nothing else', (filter, fitting, others) => {
    expect(fitting.map((entry) => accepts(filter, entry))).toEqual(fitting.map(() => true));
    expect(others.map((entry) => accepts(filter, entry))).toEqual(others.map(() => false));
  });

  test('is not deceived by what a text says about itself', () => {
    const lies = '"status":"done","owner":"eve","due":"1999-01-01","project":"x"';
    const entry = { title: lies, heading: lies, tags: ['status', 'owner', 'due', 'project'] };
    const wanted = [{ status: 'done' }, { owner: 'eve' }, { dueBy: '2000-01-01' }, { project: 'x' }] as const;
    for (const filter of wanted) {
      expect(taskRowFilter(filter)?.accepts(stored(entry, `${lies}/tasks.md`))).toBe(false);
    }
    expect(accepts({ status: 'open' }, entry)).toBe(true);
  });

  test('has the name of what it accepts, so that a cursor goes with equal filters only', () => {
    const names = [
      { status: 'open' },
      { owner: 'open' },
      { project: 'open' },
      { owner: 'ada', project: 'web' },
      { owner: 'web', project: 'ada' },
      { dueBy: '2026-12-01' },
    ] as const;
    const of = (filter: TaskFilter) => taskRowFilter(filter)?.name;
    expect(new Set(names.map(of)).size).toBe(names.length);
    expect(of({ owner: 'Ada' })).toBe(of({ owner: 'ada', status: undefined }));
  });

  test('is none where nothing is asked for', () => {
    expect(taskRowFilter({})).toBeUndefined();
    expect(taskRowFilter({ status: undefined, owner: undefined })).toBeUndefined();
  });

  test.each<[string, TaskFilter]>([
    ...['', '@ada', 'a b', '-ada', 'ada.', 'x'.repeat(65), '"', 'a\u0000'].map(
      (owner): [string, TaskFilter] => ['/owner', { owner }],
    ),
    ...['', 'Web', 'a b', '-'].map((project): [string, TaskFilter] => ['/project', { project }]),
    ...['', 'x', '2026-02-30', '2026-1-1', '2026-01-01T00:00:00Z'].map((dueBy): [string, TaskFilter] => [
      '/due_by',
      { dueBy },
    ]),
  ])('is refused with the place of what breaks a rule: %s of %j', (pointer, filter) => {
    const violations = [{ pointer, detail: expect.any(String) }];
    expect(() => taskRowFilter(filter)).toThrow(
      expect.objectContaining({ code: 'invalid_request', violations }),
    );
  });
});
