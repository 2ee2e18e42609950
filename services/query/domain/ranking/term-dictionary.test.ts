import { expect, test } from 'vitest';
import { createTermDictionary } from './term-dictionary.ts';

test('a word keeps its number while it is in use, and tells when it comes and goes', () => {
  const told: string[] = [];
  const terms = createTermDictionary([
    {
      add: (term, number) => told.push(`+${term} ${number}`),
      remove: (term, number) => told.push(`-${term} ${number}`),
    },
  ]);
  const one = terms.use('one');
  expect(terms.use('one')).toBe(one);
  expect(terms.byNumber(one.number)).toBe(one);
  const two = terms.use('two');
  terms.forget(one);
  expect([terms.find('one'), terms.byNumber(one.number), terms.size(), terms.length()]).toEqual([
    undefined,
    undefined,
    1,
    3,
  ]);
  expect(terms.use('three').number).toBe(one.number);
  expect(terms.find('two')).toBe(two);
  expect(told).toEqual(['+one 0', '+two 1', '-one 0', '+three 0']);
});
