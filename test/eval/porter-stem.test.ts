import { expect, test } from 'vitest';
import { porterStem } from './porter-stem.ts';

/** The examples of Porter's paper, carried through all steps, and words of his published vocabulary. */
test.for([
  ['caresses', 'caress'],
  ['ponies', 'poni'],
  ['cats', 'cat'],
  ['feed', 'feed'],
  ['agreed', 'agre'],
  ['plastered', 'plaster'],
  ['motoring', 'motor'],
  ['sing', 'sing'],
  ['conflated', 'conflat'],
  ['hopping', 'hop'],
  ['falling', 'fall'],
  ['filing', 'file'],
  ['happy', 'happi'],
  ['sky', 'sky'],
  ['relational', 'relat'],
  ['conditional', 'condit'],
  ['vietnamization', 'vietnam'],
  ['triplicate', 'triplic'],
  ['hopefulness', 'hope'],
  ['replacement', 'replac'],
  ['adoption', 'adopt'],
  ['controlling', 'control'],
  ['rate', 'rate'],
  ['generalizations', 'gener'],
  ['oscillators', 'oscil'],
  ['is', 'is'],
  ['naïve', 'naïve'],
] as const)('%s becomes %s', ([word, stem]) => {
  expect(porterStem(word)).toBe(stem);
});
