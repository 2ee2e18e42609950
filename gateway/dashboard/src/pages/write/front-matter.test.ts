import { describe, expect, test } from 'vitest';
import { addedField, changedField, frontMatterOf, removedField, withChange } from './front-matter.ts';

const text = [
  '---',
  'title: The harbour # as on the map',
  'version: 1.10',
  "quoted: 'it''s'",
  'tags: [a,   b]',
  'list:',
  '- x',
  '- y',
  'empty:',
  'map:',
  '  deep: 1',
  'anchor: &a word',
  'folded: >',
  '  two',
  '  lines',
  '---',
  '',
  '# Text',
  '',
].join('\n');

/** Changes one field and returns the whole text. */
function change(name: string, value: string): string {
  const field = frontMatterOf(text).fields.find((each) => each.name === name);
  if (field === undefined) throw new Error(`no field ${name}`);
  return withChange(text, changedField(field, value));
}

test('fields of one line and lists can be changed, all others are shown as they are written', () => {
  expect(frontMatterOf(text).fields.map(({ name, kind, value }) => [name, kind, value])).toEqual([
    ['title', 'text', 'The harbour'],
    ['version', 'text', '1.10'],
    ['quoted', 'text', "it's"],
    ['tags', 'list', 'a, b'],
    ['list', 'list', 'x, y'],
    ['empty', 'text', ''],
    ['map', 'other', 'deep: 1'],
    ['anchor', 'other', expect.stringContaining('word')],
    ['folded', 'other', expect.stringContaining('two')],
  ]);
  expect(text.slice(frontMatterOf(text).bodyFrom)).toBe('\n# Text\n');
});

describe('a changed field leaves every other byte as it was', () => {
  test.each([
    ['title', 'The pier', 'title: The harbour # as', 'title: The pier # as'],
    ['version', '2.0', 'version: 1.10', 'version: 2.0'],
    ['quoted', 'a: b # c', "quoted: 'it''s'", 'quoted: "a: b # c"'],
    ['title', '- [x', 'title: The harbour #', 'title: "- [x" #'],
    ['tags', 'a, c d, {e}', 'tags: [a,   b]', 'tags: [a, c d, "{e}"]'],
    ['list', 'x, z', 'list:\n- x\n- y', 'list: [x, z]'],
    ['empty', 'full', 'empty:', 'empty: full'],
    ['version', '', 'version: 1.10', 'version:'],
  ])('%s: %j', (name, value, before, after) => {
    expect(change(name, value)).toBe(text.replace(before, after));
  });
});

test.each([
  'true',
  'null',
  '~',
  '1e3',
  '0x1f',
  '"',
  "'",
  '#',
  '---',
  '...',
  '&a',
  '*a',
  '!!str x',
  '%',
  '@x',
  '`',
])('whatever is typed is read back as it was typed: %j', (value) => {
  const changed = change('title', value);
  const field = frontMatterOf(changed).fields.find(({ name }) => name === 'title');
  expect(field?.value).toBe(value);
  expect(frontMatterOf(changed).fields).toHaveLength(frontMatterOf(text).fields.length);
});

test('a field is added, also where there is no front matter, and removed with its lines', () => {
  expect(withChange('# Text\n', addedField('# Text\n', 'title', 'A: b'))).toBe(
    '---\ntitle: "A: b"\n---\n# Text\n',
  );
  expect(withChange('\ufeffText', addedField('\ufeffText', 'a', ''))).toBe('\ufeff---\na:\n---\nText');
  const added = withChange(text, addedField(text, 'owner', 'ada'));
  expect(added).toBe(text.replace('  lines\n---', '  lines\nowner: ada\n---'));
  const field = frontMatterOf(added).fields.find(({ name }) => name === 'list');
  expect(field && withChange(added, removedField(added, field))).toBe(added.replace('list:\n- x\n- y\n', ''));
});

test('a text without front matter has no fields, and unreadable front matter says why', () => {
  expect(frontMatterOf('---\n\ntext\n---\n').fields).toEqual([]);
  expect(frontMatterOf('text').end).toBeUndefined();
  expect(frontMatterOf('---\na: [\n---\n').problem).toMatch(/Flow sequence/);
});

test('front matter that was made to be slow, deep or long is answered with a reason', () => {
  const deep = `---\na: ${'['.repeat(30_000)}\n---\n`;
  expect(frontMatterOf(deep).problem).toEqual(expect.any(String));
  expect(frontMatterOf(`---\na: ${'x'.repeat(40_000)}\n---\n`).problem).toBe('it is longer than 32 KiB');
  const aliases = [
    'a0: &a0 x',
    ...Array.from({ length: 30 }, (_, n) => `a${n + 1}: &a${n + 1} [*a${n}, *a${n}]`),
  ];
  expect(frontMatterOf(`---\n${aliases.join('\n')}\n---\n`).fields.at(-1)?.kind).toBe('other');
});
