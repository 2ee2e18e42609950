import { seededRandom } from '@teammemory/testkit/seeded-random.ts';
import { Parser } from 'commonmark';
import { describe, expect, test } from 'vitest';
import { markdownStructure } from './structure.ts';

const blocks = (text: string) =>
  markdownStructure(text).blocks.map(({ kind, content, line }) => `${kind} ${line}: ${content}`);

test.each([
  ['a heading with its closing hashes', '## One ##\n', ['heading 0: One']],
  ['an underlined paragraph of two lines', 'One\ntwo\n===\n', ['heading 0: One\ntwo']],
  ['an entry with a line that goes on without its indentation', '- One\ntwo\n', ['entry 0: One\ntwo']],
  ['an entry in a quote', '> - One\n', ['entry 0: One']],
  ['an entry behind an empty marker', '-\n  One\n', ['entry 1: One']],
  ['entries indented by tabs', '-\tOne\n\t- Two\n', ['entry 0: One', 'entry 1: Two']],
  ['a number that is not 1 within a paragraph', 'One\n2. two\n', []],
  ['a second paragraph of an entry', '- One\n\n  Two\n', ['entry 0: One']],
  ['a paragraph behind a definition', '- [a]: b\n  One\n', ['entry 1: One']],
  ['a lone tag, which opens HTML up to a blank line', '<x>\n- One\n\n- Two\n', ['entry 3: Two']],
  ['a comment over blank lines', '<!-- a\n\n- One\n-->\n- Two\n', ['entry 4: Two']],
  ['a fence that is longer than the one in it', '````\n```\n- One\n````\n- Two\n', ['entry 4: Two']],
  ['a fence that ends with its list', '- ```\n- One\n', ['entry 1: One']],
  ['backticks that are no fence', '``` a`b\n- One\n', ['entry 1: One']],
  ['an entry deeper than ten containers', `${'> '.repeat(10)}- One\n- Two\n`, ['entry 1: Two']],
])('%s is read by the rules of CommonMark', (_, text, expected) => {
  expect(blocks(text)).toEqual(expected);
});

test('labels of definitions are told, and whether something is too deep', () => {
  const text = '[a]: b\n[-]: <c> "d"\n[e]: f g\n';
  expect(markdownStructure(text)).toMatchObject({ labels: ['a', '-'], isTooDeep: false });
  expect(markdownStructure('> '.repeat(10)).isTooDeep).toBe(false);
  expect(markdownStructure('> '.repeat(11)).isTooDeep).toBe(true);
  expect(markdownStructure('1. '.repeat(11)).isTooDeep).toBe(true);
});

describe('thousands of random texts', () => {
  const pieces = [
    ...[
      '> ',
      '>',
      '- ',
      '* ',
      '1. ',
      '2) ',
      '  ',
      '   ',
      '    ',
      '\t',
      '# ',
      '## ',
      '```',
      '~~~',
      '<div>',
      '<!-- ',
    ],
    ...[
      '-->',
      '<a>',
      '[ ] ',
      '---',
      '===',
      '***',
      'a',
      'b c',
      '`',
      '',
      '',
      '- [ ] ',
      '10. [ ] ',
      '  - [ ] ',
      '<?',
      '<!A',
    ],
  ];

  /** Lines of the paragraphs that open a list entry, by CommonMark's reference implementation. */
  function linesOfEntries(text: string): number[] {
    const walker = new Parser().parse(text).walker();
    const lines: number[] = [];
    for (let step = walker.next(); step !== null; step = walker.next()) {
      const { node, entering } = step;
      const isFirst = node.type === 'paragraph' && node.parent?.type === 'item' && node.prev === null;
      if (entering && isFirst) lines.push(node.sourcepos[0][0] - 1);
    }
    return lines;
  }

  test('have the same entries as by the reference implementation', () => {
    const random = seededRandom(20_261_122);
    let found = 0;
    for (let round = 0; round < 10_000; round += 1) {
      const lines = Array.from({ length: 1 + random.integerBelow(6) }, () =>
        Array.from({ length: random.integerBelow(5) }, () => random.pick(pieces)).join(''),
      );
      const text = `${lines.join('\n')}\n`;
      const entries = markdownStructure(text).blocks.filter(({ kind }) => kind === 'entry');
      expect(
        entries.map(({ line }) => line),
        JSON.stringify(text),
      ).toEqual(linesOfEntries(text));
      found += entries.length;
    }
    expect(found).toBeGreaterThan(3_000);
  });
});
