import { expect, test } from 'vitest';
import { createTeamTurns } from './team-turns.ts';

test('lanes take turns, each with one call under way and in its own order', () => {
  const turns = createTeamTurns<string>();
  for (const call of ['a1', 'a2', 'a3', 'b1', 'c1']) turns.add(call.slice(0, 1), call);
  const first = turns.next();
  expect(first).toEqual({ lane: 'a', call: 'a1' });
  expect([turns.next()?.call, turns.next()?.call, turns.next()]).toEqual(['b1', 'c1', undefined]);
  turns.end('a');
  expect(turns.next()?.call).toBe('a2');
  expect(turns.waiting('a')).toBe(1);
});

test('who leaves is not called, and what is cleared is given back', () => {
  const turns = createTeamTurns<string>();
  for (const call of ['a1', 'a2', 'b1']) turns.add(call.slice(0, 1), call);
  turns.leave('a', 'a1');
  turns.leave('b', 'b1');
  turns.leave('c', 'never');
  expect(turns.next()?.call).toBe('a2');
  turns.add('a', 'a3');
  expect(turns.clear()).toEqual(['a3']);
  turns.end('a');
  expect(turns.next()).toBeUndefined();
});
