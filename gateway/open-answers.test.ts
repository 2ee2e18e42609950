import { createMetrics } from '@teammemory/telemetry/metrics.ts';
import { expect, test } from 'vitest';
import { boundOpenAnswers } from './open-answers.ts';

const tooMany = expect.objectContaining({ code: 'unavailable' });
const times = (count: number, work: () => () => void) => Array.from({ length: count }, work);

test('a team has at most 1,000 answers open at once, and one more when one is over', () => {
  const open = boundOpenAnswers(createMetrics());
  const [first] = times(1_000, () => open('team'));
  expect(() => open('team')).toThrow(tooMany);
  first?.();
  open('team');
  expect(() => open('team')).toThrow(tooMany);
});

test('a team that has all it may leaves room for others, up to 2,000 in all', () => {
  const open = boundOpenAnswers(createMetrics());
  times(1_000, () => open('wild'));
  const others = times(1_000, () => open('other'));
  expect(() => open('third')).toThrow(tooMany);
  for (const over of others) over();
  times(1_000, () => open('third'));
  expect(() => open('other')).toThrow(tooMany);
});
