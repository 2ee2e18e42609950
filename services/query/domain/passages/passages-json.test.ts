import { expect, test } from 'vitest';
import { passagesFromJson, passagesToJson } from './passage-store.ts';

test('passages survive the way there and back, whatever characters they have', () => {
  const stored = {
    title: '$where \u0000 "__proto__"',
    passages: [{ ordinal: 0, headings: ['a.b', '🙂'], text: 'lone \ud800 surrogate\n\u2028' }],
  };
  expect(passagesFromJson(passagesToJson({ ...stored }))).toEqual(stored);
  expect(passagesToJson(stored).isWellFormed()).toBe(true);
});
