import { expect, test } from 'vitest';
import { openThesaurus } from '../../search-index/open-thesaurus.ts';
import { analyze } from '../text/analyzer.ts';

const trusts = (words: string) =>
  new Map(openThesaurus()(analyze(words).join(' ')).map(({ term, trust }) => [term, trust]));

test.for([
  ['salary', 'wage'],
  ['physician', 'doctor'],
  ['stolen', 'steal'],
  ['stolen', 'theft'],
  ['purchase', 'buy'],
  ['deploy', 'release'],
  ['undo', 'rollback'],
  ['days off', 'vacation'],
] as const)('%s may be said as %s', ([asked, other]) => {
  expect(trusts(asked).has(analyze(other)[0] ?? '')).toBe(true);
});

test('trusts are above 0 to 1, the most trusted first, and no word stands for itself', () => {
  for (const word of ['pay', 'fire', 'bill', 'review', 'lead']) {
    const others = openThesaurus()(analyze(word)[0] ?? '');
    expect(others.length).toBeGreaterThan(0);
    const values = others.map(({ trust }) => trust);
    expect(values).toEqual(values.toSorted((left, right) => right - left));
    expect(Math.min(...values)).toBeGreaterThan(0);
    expect(Math.max(...values)).toBeLessThanOrEqual(1);
    expect(others.map(({ term }) => term)).not.toContain(analyze(word)[0]);
  }
});

test('the more senses a word has at work, the less its group is trusted', () => {
  expect(trusts('lead').get('manag') ?? 0).toBeLessThan(trusts('invoice').get('bill') ?? 0);
});

test('what is no English word has no others, whatever it looks like', () => {
  for (const term of ['', ' ', ':', 'zzzzzz', 'a', '\n', 'urlaub', '__proto__', 'q'.repeat(10_000)])
    expect(openThesaurus()(term)).toEqual([]);
});
