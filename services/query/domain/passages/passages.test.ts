import { expect, test } from 'vitest';
import { cutIntoPassages, maxPassageLength } from './passages.ts';

test('each passage has the headings above it, outermost first', () => {
  const content = '# Guide\nintro\n## Install\nrun it\n### Linux\napt\n## Use\ncall it\n';
  expect(cutIntoPassages(content)).toEqual([
    { ordinal: 0, headings: ['Guide'], text: 'intro' },
    { ordinal: 1, headings: ['Guide', 'Install'], text: 'run it' },
    { ordinal: 2, headings: ['Guide', 'Install', 'Linux'], text: 'apt' },
    { ordinal: 3, headings: ['Guide', 'Use'], text: 'call it' },
  ]);
});

test('a byte-order mark is no part of the first heading or passage', () => {
  expect(cutIntoPassages('\ufeff# Guide\nintro')).toEqual([
    { ordinal: 0, headings: ['Guide'], text: 'intro' },
  ]);
  expect(cutIntoPassages('\ufeffintro').map(({ text }) => text)).toEqual(['intro']);
  expect(cutIntoPassages('\ufeff')).toEqual([]);
});

test('a heading with nothing below it can be found as a passage', () => {
  expect(cutIntoPassages('# Log\n## Use Postgres\n## Drop Redis').map(({ text }) => text)).toEqual([
    '## Use Postgres',
    '## Drop Redis',
  ]);
});

test('long sections are cut between paragraphs, long paragraphs between sentences, and all of it is kept', () => {
  const sentence = 'Every word of this sentence has to be somewhere. ';
  const paragraph = sentence.repeat(60).trim();
  const content = `${sentence.repeat(20).trim()}\n\n${paragraph}\n\nlast`;
  const passages = cutIntoPassages(content);
  expect(passages.length).toBeGreaterThan(2);
  for (const { text } of passages) {
    expect(text.length).toBeLessThanOrEqual(maxPassageLength);
    expect(content).toContain(text);
    expect(text).toMatch(/(\.|last)$/);
  }
  const squeezed = (text: string) => text.replace(/\s+/g, '');
  expect(squeezed(passages.map(({ text }) => text).join(''))).toBe(squeezed(content));
});

test('long lists, tables and code are cut between their items, rows and lines, not within', () => {
  const endings: readonly (readonly [string, RegExp])[] = [
    ['- An item. It has two sentences\n  and goes on\n', /^- An item.*goes on$/s],
    ['| a row. It has | two cells |\n', /^\|.*\|$/s],
  ];
  for (const [line, whole] of endings) {
    const passages = cutIntoPassages(line.repeat(100));
    expect(passages.length).toBeGreaterThan(1);
    for (const { text } of passages) expect(text).toMatch(whole);
  }
  const code = cutIntoPassages(`\`\`\`js\n${'run(). It is code\n'.repeat(200)}\`\`\``);
  for (const { text } of code) expect(text).toMatch(/^(?:```js|run\(\)).*(?:code|```)$/s);
});

test('text without any break is cut at its limit, never inside a character', () => {
  const passages = cutIntoPassages('🙂'.repeat(2_001));
  expect(passages.map(({ text }) => text).join('')).toBe('🙂'.repeat(2_001));
  for (const { text } of passages) expect(text.isWellFormed()).toBe(true);
});

test.for(['', '\n \n\t\n', '\r\n'])('blank content %j has no passages', (content) => {
  expect(cutIntoPassages(content)).toEqual([]);
});

test('hostile content of 1 MiB is cut in linear time into a bounded number of passages', {
  timeout: 30_000,
}, () => {
  const size = 2 ** 20;
  const patterns = [
    '>',
    '> ',
    '#',
    '# ',
    '# a\n',
    '# a\nb\n',
    '###### a\nb\n',
    '`',
    '```\n',
    '~~~ ',
    '- ',
    '.',
    ' ',
    'a',
    'a\n\n',
    '|',
    '[',
    '* * ',
  ];
  for (const pattern of patterns) {
    const content = pattern.repeat(size / pattern.length);
    const passages = cutIntoPassages(content);
    expect(passages.length, pattern).toBeLessThan(4_000);
    // 16 MB is what a document of MongoDB may have.
    expect(JSON.stringify(passages).length, pattern).toBeLessThan(15_000_000);
  }
});

test('a long paragraph is not cut before a wrapped line that begins with a year, and a long list is before its items', () => {
  const sentence = 'The contract with the harbour ends at the end of the season in\n2027. ';
  const cuts = cutIntoPassages(sentence.repeat(40).trim()).map(({ text }) => text);
  expect(cuts.length).toBeGreaterThan(1);
  for (const text of cuts) expect(text).toMatch(/^The contract[\s\S]*2027\.$/);
  const items = Array.from(
    { length: 60 },
    (_, place) => `${place + 1}. an item of the list that is not short`,
  );
  for (const { text } of cutIntoPassages(items.join('\n')))
    expect(text).toMatch(/^\d+\. an item[\s\S]*short$/);
});
