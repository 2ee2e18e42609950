import { expect, test } from 'vitest';
import { bounded, followUp, type KeptAnswer, textOfQuestion } from './kept-answers.ts';

const now = Date.parse('2026-11-20T09:00:00Z');
const answer = (question: string, parts: Partial<KeptAnswer> = {}): KeptAnswer => ({
  question,
  after: '',
  text: 'In the harbour.',
  sources: [],
  status: 'complete',
  at: new Date(now).toISOString(),
  ...parts,
});

test('the newest thirty answers of a month are kept, in at most a million characters', () => {
  expect(
    bounded(
      Array.from({ length: 40 }, (_, index) => answer(`${index}`)),
      now,
    ),
  ).toHaveLength(30);
  const long = 'a'.repeat(400_000);
  const three = ['new', 'older', 'oldest'].map((name) => answer(name, { text: long }));
  expect(bounded(three, now).map(({ question }) => question)).toEqual(['new', 'older']);
  expect(bounded([answer('old', { at: '2026-10-20T09:00:00Z' })], now)).toEqual([]);
});

test('a follow-up is asked with all that it follows, as far as the service takes it', () => {
  const first = { question: 'Where does the otter sleep?', after: '' };
  const second = followUp(first, 'And in winter?');
  expect(textOfQuestion(followUp(second, 'Why?'))).toBe('Where does the otter sleep?\nAnd in winter?\nWhy?');
  const long = followUp({ question: `${'a'.repeat(3_990)} end`, after: '' }, 'And in winter?');
  expect(textOfQuestion(long)).toHaveLength(4_000);
  expect(textOfQuestion(long)).toMatch(/ end\nAnd in winter\?$/);
});
