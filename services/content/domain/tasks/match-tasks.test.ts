import { processorMilliseconds } from '@teammemory/testkit/processor-time.ts';
import { describe, expect, test } from 'vitest';
import {
  alikeAnywhere,
  alikeInPlace,
  hasNewTitle,
  matchTasks,
  normalisedTitle,
  titleProfile,
  titleSimilarity,
} from './match-tasks.ts';
import type { TaskEntry } from './task-entries.ts';

const entry = (title: string, changed: Partial<TaskEntry> = {}): TaskEntry => ({
  title,
  status: 'open',
  line: 1,
  heading: null,
  owner: null,
  due: null,
  project: null,
  tags: [],
  ...changed,
});
const entries = (titles: string[]) => titles.map((title) => entry(title));
const match = (old: string[], now: string[], gone: string[] = []) =>
  matchTasks(entries(old), entries(now), entries(gone));
const similarity = (a: string, b: string) =>
  titleSimilarity(titleProfile(normalisedTitle(a)), titleProfile(normalisedTitle(b)));

test('the same titles are the same tasks, however they were moved', () => {
  expect(match(['a', 'b', 'c'], ['c', 'new', 'a', 'b'])).toEqual([2, undefined, 0, 1]);
});

test('case, blanks and punctuation make no other title', () => {
  expect(match(['Buy milk!'], ['buy  MILK'])).toEqual([0]);
});

test('equal titles are matched in order', () => {
  expect(match(['call', 'call', 'call'], ['call', 'call'])).toEqual([0, 1]);
});

test('a title that was lightly edited is the same task wherever it stands', () => {
  const [old, edited] = ['Write the release notes', 'Write the release notes for 2.0'];
  expect(similarity(old, edited)).toBeGreaterThan(alikeAnywhere);
  expect(match(['a1', old, 'b2'], ['b2', 'a1', edited])).toEqual([2, 0, 1]);
});

describe('a title that was edited more', () => {
  const [old, edited] = ['Write the release notes', 'Write release announcement notes'];
  const other = 'Order the chairs for the office';

  test('is alike enough in its place, and not elsewhere', () => {
    expect(similarity(old, edited)).toBeGreaterThan(alikeInPlace);
    expect(similarity(old, edited)).toBeLessThan(alikeAnywhere);
  });

  test('is the same task between the same neighbours', () => {
    expect(match(['before', old, other], ['before', edited])).toEqual([0, 1]);
  });

  test('is the same task with the same attributes', () => {
    const attributes = { owner: 'ada', due: '2026-12-01' };
    const was = ['x', 'y', 'z'].map((title) => entry(title));
    was.splice(1, 0, entry(old, attributes));
    const is = [entry('z'), entry('brand new'), entry(edited, attributes), entry('another one'), entry('x')];
    expect(matchTasks(was, is, [])[2]).toBe(1);
  });

  test('is another task among others', () => {
    expect(match(['x', old, 'y', 'z'], ['z', 'brand new', edited, 'another one', 'x'])[2]).toBeUndefined();
  });
});

test('titles with nothing in common are different tasks, in the same place, too', () => {
  expect(match(['Buy milk'], ['Sell the car'])).toEqual([undefined]);
});

test('titles of signs alone are told apart', () => {
  expect(match(['???', '!!!'], ['!!!', '???'])).toEqual([1, 0]);
});

test('of several alike the most similar pair is the same task', () => {
  expect(match(['Write the tests', 'Write the texts now'], ['Write the texts'])).toEqual([1]);
});

test.each([
  [['a', 'b'], ['B!', 'a'], false],
  [['a'], [], false],
  [['a', 'b'], ['a', 'c'], true],
  [['a', 'b'], ['a', 'a'], true],
])('of %j a new title in %j: %s', (old, now, isNew) => {
  expect(hasNewTitle(entries(old), entries(now))).toBe(isNew);
});

describe('an entry that was gone', () => {
  test('is the same task with the same title only, the first of them, one each', () => {
    expect(match(['a'], ['b', 'a', 'b', 'b'], ['b', 'c', 'b'])).toEqual([1, 0, 3, undefined]);
    expect(match([], ['Write the release notes 2'], ['Write the release notes'])).toEqual([undefined]);
  });

  test('is another one where the version before has the title', () => {
    expect(match(['a'], ['A!'], ['a'])).toEqual([0]);
  });

  test('comes before one that was edited', () => {
    const [old, edited] = ['Write the release notes', 'Write the release notes for 2.0'];
    expect(match([old], [edited], [edited])).toEqual([1]);
  });

  test('is no neighbour that another entry could be known by', () => {
    const [old, edited] = ['Write the release notes', 'Write release announcement notes'];
    expect(match(['x', old], ['z', 'y', edited, 'gone', 'x'], ['gone'])[2]).toBeUndefined();
  });
});

test('two thousand titles that all changed are matched within seconds', () => {
  const titles = (word: string) =>
    Array.from({ length: 2_000 }, (_, index) => `${word} number ${index} `.repeat(10));
  const tookMs = processorMilliseconds(() => match(titles('first'), titles('second')));
  expect(tookMs).toBeLessThan(5_000);
});
