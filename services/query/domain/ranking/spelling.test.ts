import { expect, test } from 'vitest';
import { vocabularyOf } from '../words/vocabulary.fixture.ts';
import { nearestWord } from './spelling.ts';

const frequencies: Record<string, number> = {
  deploy: 5,
  deplot: 1,
  retriev: 2,
  retention: 3,
  retentive: 3,
  cat: 9,
};

function nearest(word: string, words = Object.keys(frequencies)): string | undefined {
  return nearestWord(
    word,
    vocabularyOf(words, (term) => frequencies[term] ?? 0),
  );
}

test.for([
  ['depoly', 'deploy', 'two letters swapped'],
  ['deply', 'deploy', 'a letter missing'],
  ['deeploy', 'deploy', 'a letter too many'],
  ['deplox', 'deploy', 'a wrong letter: of two equally near the more frequent'],
  ['retreiv', 'retriev', 'two letters swapped'],
  ['retentoin', 'retention', 'nearer than its neighbour'],
  ['ratantion', 'retention', 'two slips in a long word'],
  ['daplay', undefined, 'two slips in a short word'],
  ['xeploy', undefined, 'another first letter'],
  ['bat', undefined, 'too short to guess'],
  ['retent1on', undefined, 'not a word'],
] as const)('%s is taken for %s: %s', ([word, expected]) => {
  expect(nearest(word)).toBe(expected);
});

test('of words equally near and frequent the first in order is taken, however they came in', () => {
  for (const order of [
    ['planed', 'planes'],
    ['planes', 'planed'],
  ])
    expect(nearest('planeq', order)).toBe('planed');
});

test('a vocabulary with too many look-alikes is not searched', () => {
  const others = Array.from({ length: 30_000 }, (_, number) => `d${number.toString().padStart(5, '0')}`);
  expect(nearest('deplox', [...Object.keys(frequencies), ...others])).toBeUndefined();
});
