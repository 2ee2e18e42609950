import type { SeededRandom } from './seeded-random.ts';

/** Beginnings and pieces of lines that mean something to a Markdown parser. */
const markdownPieces: readonly string[] = [
  ...[
    '',
    'a',
    'A b. C d! ',
    '>',
    '>>a',
    '> > - a',
    '- a',
    '\t- a',
    '  - [ ] a',
    '- [ ] a',
    '- [x]',
    '1. a',
    '10) a',
  ],
  ...[
    '* * *',
    '---',
    '===',
    '# a',
    '####### #',
    '# #',
    '\t\ta',
    '    a',
    '```',
    '~~~a',
    '`',
    '``` `',
    '<div>',
    '</div>',
  ],
  ...[
    '<!--',
    '-->',
    '<?a',
    '<![CDATA[',
    '<a b="',
    '<a',
    '[a]: b',
    '[a]: <b',
    "[a]: b '",
    '[a]',
    '[',
    ']',
    '[a](',
    '![a](',
    '![[',
    '](<',
  ],
  ...[
    '*',
    '**a',
    'a**',
    '_a_',
    '__',
    '~~a',
    '&amp;',
    '&#',
    '\\',
    '|a|b|',
    '|-|-|',
    '| :-: |',
    '<http://a>',
    'a@b.c',
    'http://a.b/(',
  ],
  ...[
    ' '.repeat(40),
    '\t'.repeat(10),
    'x'.repeat(200),
    '"',
    '(',
    ')',
    '. ',
    'e.g. ',
    '12. ',
    '。',
    ':',
    '@a #b +c due:2026-01-01',
  ],
  ...[
    '---\na: b',
    '\r',
    '\u2028',
    '\u00a0',
    'é',
    '😀',
    '\0',
    '[^1]: a',
    '[1] ',
    '- - - - -',
    '+ a',
    '2. [ ] a',
    'Vs. A.B. ',
    '?',
  ],
];

/** Texts before the repeated lines: nesting, or a construct that is left open. */
const markdownOpenings: readonly string[] = [
  '',
  `${'>'.repeat(19)}a\n`,
  `${'> '.repeat(9)}- a\n`,
  `${'- '.repeat(9)}a\n`,
  `${'1. '.repeat(60)}a\n`,
  '- a\n  - b\n    - c\n      - [ ] d\n',
  '```\n',
  '<!--\n',
  'a\n',
  '---\na: b\n',
  '[a]: b "',
  '| a | b |\n|---|---|\n',
];

/** A shape of text: the unit is repeated after the opening. */
export interface MarkdownShape {
  opening: string;
  unit: string;
}

/** Returns a text of a shape with about the given number of characters. */
export function markdownOf({ opening, unit }: MarkdownShape, characters: number): string {
  return opening + unit.repeat(Math.max(1, Math.ceil((characters - opening.length) / unit.length)));
}

/** Returns every pair of pieces, each piece on its own line, after no opening and after nested quotes. */
export function markdownPairs(): MarkdownShape[] {
  return markdownPieces.flatMap((first) =>
    markdownPieces.flatMap((second) =>
      markdownOpenings.slice(0, 2).map((opening) => ({ opening, unit: `${first}\n${second}\n` })),
    ),
  );
}

/** Returns a random opening with two or three random pieces, on one line or on several. */
export function anyMarkdownShape(random: SeededRandom): MarkdownShape {
  const pieces = Array.from({ length: 2 + random.integerBelow(2) }, () => random.pick(markdownPieces));
  const unit = pieces.map((piece) => piece + (random.chance(0.6) ? '\n' : '')).join('');
  return { opening: random.pick(markdownOpenings), unit: unit || '\n' };
}
