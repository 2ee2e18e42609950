import { expect, test } from 'vitest';
import { compoundingOf, compoundsWith, partsOf } from './other-words.ts';
import { vocabularyOf } from './vocabulary.fixture.ts';

const used = new Set(['urlaub', 'tag', 'kund', 'portal', 'regel', 'server', 'umzug', 'auto']);
const isUsed = (term: string) => used.has(term);

test.for([
  ['kundenportal', ['kund', 'portal'], 'with a linking n'],
  ['urlaubsregel', ['urlaub', 'regel'], 'with a linking s'],
  ['serverumzug', ['server', 'umzug'], 'with nothing between'],
  ['urlaubsplan', undefined, 'of which one part is not used'],
  ['autotag', ['auto', 'tag'], 'with a short last part'],
  ['tagauto', undefined, 'of which the first part is too short'],
  ['x'.repeat(64), undefined, 'without parts'],
] as const)('%s gives %j: a word %s', ([term, parts]) => {
  expect(partsOf(term, 'de', isUsed)).toEqual(parts);
});

test('a word is found in those that it is a part of, the shortest first', () => {
  const words = vocabularyOf(['urlaub', 'urlaubsregelung', 'resturlaub', 'urlauber', 'laub']);
  expect(compoundsWith('urlaub', 'de', words)).toEqual(['resturlaub', 'urlaubsregelung']);
});

test('languages that write words apart have no compounds', () => {
  const words = vocabularyOf(['workshop', 'workbench']);
  expect(compoundsWith('work', compoundingOf(['en', 'fr']), words)).toEqual([]);
  expect(partsOf('serverumzug', compoundingOf(['fr']), isUsed)).toBeUndefined();
});

test('of several languages the first that writes words together tells how', () => {
  expect(compoundingOf(['en', 'de', 'sv'])).toBe('de');
});
