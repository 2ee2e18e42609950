import { expect, test } from 'vitest';
import { createSpelling } from './spelling.ts';

const frequencies: Record<string, number> = {
  deploy: 5,
  deplot: 1,
  retriev: 2,
  retention: 3,
  retentive: 3,
  cat: 9,
};

function spelling() {
  const made = createSpelling();
  for (const term of Object.keys(frequencies)) made.add(term);
  return made;
}

const frequencyOf = (term: string) => frequencies[term] ?? 0;

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
  expect(spelling().nearest(word, frequencyOf)).toBe(expected);
});

test('of words equally near and frequent the first in order is taken, however they came in', () => {
  for (const order of [
    ['planed', 'planes'],
    ['planes', 'planed'],
  ]) {
    const made = createSpelling();
    for (const term of order) made.add(term);
    expect(made.nearest('planeq', () => 1)).toBe('planed');
  }
});

test('a word that fell out of use is never offered', () => {
  const made = spelling();
  made.remove('deploy');
  expect(made.nearest('deply', frequencyOf)).toBeUndefined();
});

test('a vocabulary with too many look-alikes is not searched', () => {
  const made = spelling();
  for (let number = 0; number < 30_000; number += 1) made.add(`d${number.toString().padStart(5, '0')}`);
  expect(made.nearest('deplox', frequencyOf)).toBeUndefined();
});
