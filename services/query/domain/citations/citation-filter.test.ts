import { seededRandom } from '@teammemory/testkit/seeded-random.ts';
import { describe, expect, test } from 'vitest';
import { createCitationFilter } from './citation-filter.ts';

/** Filters a text that comes in these pieces. */
function filtered(pieces: readonly string[], given = 3) {
  const filter = createCitationFilter(given);
  const shown = [...pieces.map((piece) => filter.push(piece)), filter.end()];
  return { text: shown.join(''), cited: filter.cited(), shown };
}

test('citations of what was given are counted anew in the order of their first use', () => {
  expect(filtered(['A [3]. B [1][3]. C [2].'])).toMatchObject({
    text: 'A [1]. B [2][1]. C [3].',
    cited: [3, 1, 2],
  });
});

test.for([
  ['A [0]. B', 'A. B'],
  ['A [99]. B', 'A. B'],
  ['A [4] [1]. B', 'A [1]. B'],
  ['A [01]. B', 'A. B'],
  ['A [1, 7]. B', 'A [1]. B'],
  ['A [1][9]. B', 'A [1]. B'],
  ['A [9][1] [9] B', 'A [1] B'],
  ['A [2, 1]. B', 'A [1][2]. B'],
  ['A [1-3]. B', 'A [1][2]. B'],
  ['A [１]. B', 'A (１). B'],
  ['A [①]. B', 'A (①). B'],
  ['A 【1】【9】. B', 'A [1]. B'],
  ['A ［99］. B', 'A. B'],
  ['A 〖99〗〚99〛⁅99⁆. B', 'A. B'],
  ['A [9\u200b9]. B', 'A. B'],
  ['A [**99**], [\\99\\], [^99]. B', 'A,,. B'],
  ['A [[1]]. B', 'A [1]. B'],
  ['A [9[99]9]. B', 'A. B'],
  ['A [99, [1]]. B', 'A [1]. B'],
  ['A [x [99] 1]. B', 'A [x 1]. B'],
  ['A [[99] x]. B', 'A [ x]. B'],
  ['A [2[, x]. B', 'A [2[, x]. B'],
  ['A [1', 'A'],
  ['A [99', 'A'],
  ['A [9[9', 'A'],
  ['A [', 'A ['],
  ['A [source 1] [Source: 2]. B', 'A [1] [2]. B'],
  ['A [source 99]. [Source: 99], [ref 9] [doc. 9] [Sources 1 and 9', 'A., [Sources 1 and 9'],
  ['A [**Sources: 3, 9**]. B', 'A [1]. B'],
  ['A [source [99]]. B', 'A. B'],
  ['A [ref 9', 'A'],
  ['A &#91;99&#93; &lsqb;99&rsqb; &lbrack;1&#x5D; &#x0005b;9&#0093; B', 'A (99) (99) (1) (9) B'],
  ['A &#12304;99&#12305; &amp;#91; &#92; &#9', 'A (99) &amp;#91; &#92; &#9'],
  ['A [2026-11-21] [12:30] [2026] B', 'A (2026-11-21) (12:30) (2026) B'],
  [`[${'0'.repeat(200)}1] B`, `(${'0'.repeat(200)}1] B`],
  [`[${' '.repeat(200)}1] B`, `(${' '.repeat(200)}1] B`],
  ['[1](https://x.test)', '[1] (https://x.test)'],
  ['[1] [99](https://x.test)', '[1] (https://x.test)'],
  ['\n[1]: https://x.test', '\n[1] : https://x.test'],
  ['- [1]: https://x.test', '- [1] : https://x.test'],
  ['> 1) [1]: https://x.test', '> 1) [1] : https://x.test'],
  ['[1][a]\n\n[a]: https://x.test', '[1] [a]\n\n[a]: https://x.test'],
  ['As in [1]: so', 'As in [1]: so'],
])('%j is shown as %j', ([text = '', shown]) => {
  expect(filtered([text]).text).toBe(shown);
});

test.for([
  'See [the guide](https://x.test/a_(b)) and ![a picture](x.png), [a][b], [^note].',
  '- [ ] open\n- [x] done\n- [-] cancelled',
  'List<T>[] and {"a": ["1", "2"], "b": [null]} and [[wiki link]]',
  `[${'a long label '.repeat(20)}](https://x.test)`,
  '[source code] [Docs](https://x.test), [doc-12], [ref], [passage of 3 pages](https://x.test)',
  'R&D, &lt;b&gt; &#60; &lsquo;a&rsquo; &amp',
  'café 漢字 \u{1f600} [sic]  two blanks\r\n\tindented',
])('what is no reference stays as it is: %j', (text) => {
  expect(filtered([text])).toMatchObject({ text, cited: [] });
});

test('an index in code keeps its number in round brackets and cites nothing', () => {
  const text = 'Use `rows[1]` [2].\n```ts\nconst a = [1, 2];\na[0] `b[1]\n```\nDone [1]. A ` stray [1]\n[2]';
  expect(filtered([text])).toMatchObject({
    text: 'Use `rows(1)` [1].\n```ts\nconst a = (1, 2);\na(0) `b(1)\n```\nDone [2]. A ` stray (1)\n[1]',
    cited: [2, 1],
  });
});

test('half of a character waits for the other half, and never reaches a reader alone', () => {
  expect(filtered(['a\ud83d', '\ude00b\ud83d']).shown).toEqual(['a', '\u{1f600}b', '\ufffd']);
});

test('text that can be no reference is shown at once, and no more than 64 characters wait', () => {
  expect(filtered(['A [', '1', '] ', 'b']).shown).toEqual(['A', '', ' [1]', ' b', '']);
  expect(filtered([`[${'1,'.repeat(200)}`]).shown[0]?.length).toBeGreaterThan(401 - 64);
});

describe('whatever a text is made of', () => {
  const parts = [
    ...['[', ']', '[', ']', '1', '2', '9', '0', ' ', ',', '-', '\n', '`', '```', '(', ':', 'a', 'word '],
    ...[
      '[1]',
      '[99]',
      '[1, 7]',
      '[[2]]',
      '【1】',
      '［',
      '］',
      '１',
      '\u200b',
      '\u0301',
      '\ud83d',
      '\ude00',
      '*',
      '^',
      '\\',
      '&#91;',
      '&#x5d;',
      '&#9',
      '1;',
      '&lsqb;',
      'source ',
      'ref',
    ],
  ];
  const texts = Array.from({ length: 300 }, (_, seed) => {
    const random = seededRandom(seed);
    return Array.from({ length: 1 + random.integerBelow(60) }, () => random.pick(parts)).join('');
  });

  test('how it was cut into pieces changes nothing', () => {
    for (const [seed, text] of texts.entries()) {
      const random = seededRandom(seed);
      const whole = filtered([text]);
      const pieces: string[] = [];
      for (let start = 0; start < text.length; ) {
        const end = start + 1 + random.integerBelow(9);
        pieces.push(text.slice(start, end));
        start = end;
      }
      for (const cut of [pieces, text.split('')]) {
        expect({ of: text, ...filtered(cut), shown: [] }).toEqual({ of: text, ...whole, shown: [] });
      }
    }
  });

  test('every bracketed number that is left is a citation, and every citation is there', () => {
    for (const text of texts) {
      const { text: shown, cited } = filtered([text]);
      const bracketed =
        shown.match(
          /(?:[[［【]|&#91;|&lsqb;)(?:source |ref)?[\p{N}\p{M}\p{Cf}\s,:*^`\\-]*\p{N}[\p{N}\p{M}\p{Cf}\s,:*^`\\-]*([\]］】]|$)/gu,
        ) ?? [];
      const numbers = bracketed.map((reference) => Number(/^\[(\d)\]$/.exec(reference)?.[1]));
      expect({ text, shown, numbers: [...new Set(numbers)].sort() }).toEqual({
        text,
        shown,
        numbers: cited.map((_, index) => index + 1),
      });
    }
  });
});
