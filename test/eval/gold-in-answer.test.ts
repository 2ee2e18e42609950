import { expect, test } from 'vitest';
import { goldInAnswer } from './gold-in-answer.ts';

test.for([
  ['It began in 1066. [1]', ['1066'], true],
  ['It began in 1066.', ['10'], false],
  ['It is made of the "Seine-Maritime" [1] region.', ['a Seine Maritime region'], true],
  ['Nothing was found.', ['nothing else', 'was found'], true],
  ['Nothing was found.', ['found nothing'], false],
  ['Anything at all', ['the', ''], false],
  ['Anything at all', [], false],
] as const)('%j has one of %j: %s', ([answer, gold, has]) => {
  expect(goldInAnswer(answer, gold)).toBe(has);
});
