import { expect, test } from 'vitest';
import { sentencesOf } from './sentences.ts';

function sentences(text: string): string[] {
  return [...sentencesOf(text, { start: 0, end: text.length })].map(({ start, end }) =>
    text.slice(start, end),
  );
}

test.for([
  ['One. Two! Three?', ['One.', 'Two!', 'Three?']],
  ['He said "Stop." Then (he left.) Quiet', ['He said "Stop."', 'Then (he left.)', 'Quiet']],
  [
    'Use e.g. Redis, i.e. a cache. Dr. J. Smith agrees.',
    ['Use e.g. Redis, i.e. a cache.', 'Dr. J. Smith agrees.'],
  ],
  ['Version 2.0.1 is out. see example.com for it', ['Version 2.0.1 is out. see example.com for it']],
  ['これは文です。次の文です。', ['これは文です。', '次の文です。']],
  ['Er endet am 31. März. Im 2.\nMai', ['Er endet am 31. März.', 'Im 2.\nMai']],
  ['We have 31. May we go?', ['We have 31.', 'May we go?']],
  ['Wait... What', ['Wait...', 'What']],
  ['No end', ['No end']],
  ['  \n ', []],
] as const)('%j is cut into %j', ([text, expected]) => {
  expect(sentences(text)).toEqual(expected);
});

test('only the span is cut', () => {
  expect([...sentencesOf('One. Two. Three.', { start: 5, end: 9 })]).toEqual([{ start: 5, end: 9 }]);
});

test('hostile runs of a million characters take no longer than others', { timeout: 30_000 }, () => {
  for (const run of ['.', '. ', '."', 'a', ' ', '。'])
    expect(() => sentences(run.repeat(1_000_000))).not.toThrow();
});
