import { expect, test } from 'vitest';
import { findSection, sectionsOf } from './markdown-sections.ts';

const text = [
  'Before.\n',
  '# One\n',
  'Text.\n',
  '## Two ##\n',
  'More.\n',
  '```sh\n',
  '# no heading\n',
  '```\n',
  '# Three\n',
  'End.\n',
].join('');

function sectionText(heading: string): string | undefined {
  const section = findSection(sectionsOf(text), heading);
  return section && text.slice(section.start, section.end);
}

test('a section ends where the next heading of its level or above begins', () => {
  expect(sectionText('One')).toBe(text.slice(text.indexOf('# One'), text.indexOf('# Three')));
  expect(sectionText('Two')).toBe(text.slice(text.indexOf('## Two'), text.indexOf('# Three')));
  expect(sectionText('Three')).toBe('# Three\nEnd.\n');
});

test('a heading is found whatever its case, white space and marks', () => {
  expect(sectionText(' #  TWO ')).toBe(sectionText('Two'));
});

test('lines in fenced code are no headings', () => {
  expect(sectionsOf(text).map(({ heading }) => heading)).toEqual(['One', 'Two', 'Three']);
});

test('an underlined heading, as a search shows it, is a section too', () => {
  expect(sectionsOf('Release plan\n===\nText.\n')).toMatchObject([{ level: 1, heading: 'Release plan' }]);
});

test.each(['\n', '\r\n'])('headings are found in lines that end with %j', (end) => {
  expect(sectionsOf(`# A${end}text${end}### B`)).toMatchObject([
    { level: 1, heading: 'A' },
    { level: 3, heading: 'B' },
  ]);
});

test('a megabyte of what looks like headings is read at once', () => {
  expect(sectionsOf('# a\n'.repeat(250_000))).toHaveLength(20_000);
  expect(sectionsOf('\n'.repeat(1_000_000))).toEqual([]);
  expect(sectionsOf(`# ${' '.repeat(1_000_000)}x`)).toHaveLength(1);
  expect(sectionsOf(`# ${' #'.repeat(500_000)}x`)).toHaveLength(1);
});

test.each([
  ['# a', 'a'],
  ['#\ta ##\t', 'a'],
  ['# a#', 'a#'],
  ['# a #b', 'a #b'],
  ['# ##', ''],
  ['#', ''],
  ['## # ', ''],
])('the heading of %j is %j', (line, heading) => {
  expect(sectionsOf(line)).toMatchObject([{ heading }]);
});

test('a heading with a great many spaces or marks is read at once', () => {
  const many = 500_000;
  const startMs = performance.now();
  for (const gap of [' ', '\t', ' #', '#']) sectionsOf(`# a${gap.repeat(many)}x`);
  // Minutes, if each space were the beginning of another look at the line.
  expect(performance.now() - startMs).toBeLessThan(2_000);
});
