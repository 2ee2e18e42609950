import { diffLines } from 'diff';
import { expect, test } from 'vitest';
import { mergedText, segmentsOf, suggestedChoice } from './segments.ts';

const base = 'one\ntwo\nthree\nfour\nfive\n';

/** What comes out if one takes what is suggested. */
function merge(theirs: string, mine: string): string {
  const segments = segmentsOf(diffLines(theirs, mine));
  const choices = segments.flatMap((part) => (part.kind === 'same' ? [] : [suggestedChoice(part, base)]));
  return mergedText(segments, choices);
}

test('edits of different places are suggested together', () => {
  expect(merge('ONE\ntwo\nthree\nfour\nfive\n', 'one\ntwo\nthree\nfour\nFIVE\n')).toBe(
    'ONE\ntwo\nthree\nfour\nFIVE\n',
  );
});

test('what one removed stays removed, and what one added stays', () => {
  expect(merge('one\nthree\nfour\nfive\n', base)).toBe('one\nthree\nfour\nfive\n');
  expect(merge(base, 'one\nthree\nfour\nfive\n')).toBe('one\nthree\nfour\nfive\n');
  expect(merge('one\ntwo\nnew\nthree\nfour\nfive\n', 'one\ntwo\nthree\nfour\n')).toBe(
    'one\ntwo\nnew\nthree\nfour\n',
  );
});

test('of two edits of one place both stay until somebody chooses', () => {
  expect(merge('one\nTWO\nthree\nfour\nfive\n', 'one\nzwei\nthree\nfour\nfive\n')).toBe(
    'one\nTWO\nzwei\nthree\nfour\nfive\n',
  );
});

test('each choice takes one text whole', () => {
  const [theirs, mine] = ['a\nx\nb\ny\n', 'a\n1\nb\n2\n'];
  const segments = segmentsOf(diffLines(theirs, mine));
  expect(mergedText(segments, ['theirs', 'theirs'])).toBe(theirs);
  expect(mergedText(segments, ['mine', 'mine'])).toBe(mine);
});
