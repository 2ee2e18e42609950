import type { SeededRandom } from './seeded-random.ts';

/** Beginnings of lines, and pieces of lines, at which readers of Markdown do something. */
export const markdownPieces: readonly string[] = [
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

/** What stands before the lines that come again and again: depth, or something that is open. */
export const markdownOpenings: readonly string[] = [
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

/** One shape of text: the unit comes again and again after the opening. */
export interface MarkdownShape {
  opening: string;
  unit: string;
}

/** A text of a shape, of about a number of characters. */
export function markdownOf({ opening, unit }: MarkdownShape, characters: number): string {
  return opening + unit.repeat(Math.max(1, Math.ceil((characters - opening.length) / unit.length)));
}

/** Every pair of pieces, on lines of their own, after nothing and after nested quotes. */
export function markdownPairs(): MarkdownShape[] {
  return markdownPieces.flatMap((first) =>
    markdownPieces.flatMap((second) =>
      markdownOpenings.slice(0, 2).map((opening) => ({ opening, unit: `${first}\n${second}\n` })),
    ),
  );
}

/** Any opening with two or three pieces, on one line or on several. */
export function anyMarkdownShape(random: SeededRandom): MarkdownShape {
  const pieces = Array.from({ length: 2 + random.integerBelow(2) }, () => random.pick(markdownPieces));
  const unit = pieces.map((piece) => piece + (random.chance(0.6) ? '\n' : '')).join('');
  return { opening: random.pick(markdownOpenings), unit: unit || '\n' };
}
