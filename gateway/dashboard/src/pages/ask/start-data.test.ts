import { expect, test } from 'vitest';
import { emptyFields } from '../decisions/decision.ts';
import { changesByOthers } from './start-data.ts';

const at = (hour: number) => `2026-11-20T0${hour}:00:00.000Z`;
const item = (row_key: string, updated_by: string, updated_at: string) => ({
  row_key,
  title: row_key,
  tier: 'team' as const,
  checksum: 'sha256:0',
  updated_at,
  updated_by,
});
const task = (title: string, row_key: string, updated_at: string) => ({
  task_id: title,
  title,
  status: 'open' as const,
  owner: null,
  tier: 'team' as const,
  source: { row_key, line: 1 },
  updated_at,
});
const decision = (title: string, updated_by: string, updated_at: string) => ({
  ...emptyFields,
  decision_id: title,
  title,
  updated_at,
  updated_by,
  hidden: false,
});

test('what one changed oneself is no news, nor are the tasks in it; the newest stands first', () => {
  const changes = changesByOthers('ada', {
    items: [item('mine.md', 'ada', at(1)), item('theirs.md', 'bo', at(2))],
    tasks: [task('Mine', 'mine.md', at(1)), task('Theirs', 'theirs.md', at(2)), task('Old', 'old.md', at(4))],
    decisions: [decision('Sail', 'bo', at(3)), decision('Row', 'ada', at(5))],
  });
  expect(changes.map(({ title }) => title)).toEqual(['Old', 'Sail', 'theirs.md', 'Theirs']);
});
