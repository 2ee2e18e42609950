import { expect, test } from 'vitest';
import { stem } from './stem.ts';

test('English words lose their endings', () => {
  expect(['deployments', 'deploying', 'deployed'].map(stem)).toEqual(['deploy', 'deploy', 'deploy']);
});

test('what is no English word stays as it is', () => {
  for (const word of ['as', 'utf8', 'straße', 'mañanas', '__proto__', '']) expect(stem(word)).toBe(word);
});
