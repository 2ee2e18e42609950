import { seededRandom } from '@teammemory/testkit/seeded-random.ts';
import { expect, test } from 'vitest';
import { endOfBeginning } from './key-range.ts';

const inOrder = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

test('a text begins with another exactly if it lies between it and its end', () => {
  const random = seededRandom(4);
  const characters = [
    'a',
    'b',
    '/',
    '\u{d7ff}',
    '\u{e000}',
    '\u{fffd}',
    '\u{1f600}',
    '\u{10fffe}',
    '\u{10ffff}',
  ];
  const word = () =>
    Array.from({ length: 1 + random.integerBelow(3) }, () => random.pick(characters)).join('');
  for (let times = 0; times < 5_000; times += 1) {
    const [beginning, text] = [word(), word()];
    const end = endOfBeginning(beginning);
    const isBetween = inOrder(text, beginning) >= 0 && (end === undefined || inOrder(text, end) < 0);
    expect([beginning, text, isBetween]).toEqual([beginning, text, text.startsWith(beginning)]);
  }
});
