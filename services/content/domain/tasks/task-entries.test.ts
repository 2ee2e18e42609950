import { processorMilliseconds } from '@teammemory/testkit/processor-time.ts';
import { describe, expect, test } from 'vitest';
import { maxEntries, maxSearchedCharacters, taskEntries } from './task-entries.ts';

const shown = (content: string) =>
  taskEntries(content).entries.map(({ line, status, title }) => [line, status, title]);

describe('entries of a task list', () => {
  test('are open, done or cancelled by their box', () => {
    expect(shown('- [ ] a\n- [x] b\n* [X] c\n+ [-] d\n')).toEqual([
      [1, 'open', 'a'],
      [2, 'done', 'b'],
      [3, 'done', 'c'],
      [4, 'cancelled', 'd'],
    ]);
  });

  test('are found in numbered lists, nested lists and quotes', () => {
    const content = '1. [ ] one\n   - [x] two\n     1) [ ] three\n\n> - [ ] quoted\n';
    expect(shown(content)).toEqual([
      [1, 'open', 'one'],
      [2, 'done', 'two'],
      [3, 'open', 'three'],
      [5, 'open', 'quoted'],
    ]);
  });

  test.each([
    ['fenced code', '```\n- [ ] a\n```\n'],
    ['tildes', '~~~md\n- [ ] a\n~~~\n'],
    ['indented code', 'text\n\n    - [ ] a\n'],
    ['code within a list', '- text\n\n  ```\n  - [ ] a\n  ```\n'],
    ['HTML', '<pre>\n- [ ] a\n</pre>\n'],
    ['a code span', '- `[ ] a`\n'],
    ['a later paragraph', '- text\n\n  [ ] a\n'],
    ['a paragraph outside of lists', '[ ] a\n'],
    ['an empty entry', '- [ ]\n- [ ] \n'],
    ['a box without a blank behind it', '- [ ]a\n- [x](url)\n'],
    ['another sign in the box', '- [o] a\n- [] b\n- [xx] c\n'],
    ['an escaped box', '- \\[ ] a\n- \\[-] b\n'],
    ['a link that is called -', '- [-] a\n\n[-]: https://example.com\n'],
    ['front matter', '---\ntitle: A\ntodo:\n  - [ ] a\n---\n'],
  ])('are not made of %s', (_, content) => {
    expect(shown(content)).toEqual([]);
  });

  test.each([
    ['LF', '\n'],
    ['CRLF', '\r\n'],
    ['CR', '\r'],
  ])('keep their line with %s, behind front matter and tabs', (_, end) => {
    const lines = ['---', 'title: A', '---', '# B', '', '-\t[ ]\ta', '\t- [x] b', '', 'c', '', '1.  [-] d'];
    expect(shown(lines.join(end))).toEqual([
      [6, 'open', 'a'],
      [7, 'done', 'b'],
      [11, 'cancelled', 'd'],
    ]);
  });

  test('keep their line behind a byte-order mark, which hides neither entry nor heading nor front matter', () => {
    expect(shown('\ufeff- [ ] a\n- [ ] b\n')).toEqual([
      [1, 'open', 'a'],
      [2, 'open', 'b'],
    ]);
    expect(taskEntries('\ufeff# A\n- [ ] a\n').entries).toMatchObject([{ heading: 'A', line: 2 }]);
    expect(shown('\ufeff---\ntodo:\n  - [ ] a\n---\n- [ ] b\n')).toEqual([[5, 'open', 'b']]);
  });

  test('are found ten lists deep', () => {
    const lists = (levels: number) =>
      Array.from({ length: levels }, (_, level) => `${'  '.repeat(level)}- [ ] ${level + 1}\n`).join('');
    expect(taskEntries(lists(10)).entries).toHaveLength(10);
    expect(taskEntries(lists(11)).entries.at(-1)?.title).toBe('10');
  });

  test('between two rules are entries: not everything between them is front matter', () => {
    expect(shown('---\n- [ ] a\n\n---\n')).toEqual([[2, 'open', 'a']]);
  });

  test('stand below the nearest heading above', () => {
    const content = '- [ ] a\n\n# One *two*\n- [ ] b\n\nThree\n---\n- [ ] c\n';
    expect(taskEntries(content).entries.map(({ heading }) => heading)).toEqual([null, 'One two', 'Three']);
  });
});

describe('the title of an entry', () => {
  const only = (text: string) => taskEntries(`- [ ] ${text}`).entries[0];

  test('is the plain text of its first paragraph, over all its lines', () => {
    const text = 'Read **the** [guide](http://x) of `a_b` & rest\n  of it\n  - nested\n\n  later';
    expect(only(text)?.title).toBe('Read the guide of a_b & rest of it');
  });

  test('goes without strikethrough and HTML, whose text stays', () => {
    const text = 'Ship ~~the old~~ <b class="x">parser</b><!-- why --> on<br>time, a ~~ b &lt;i&gt;';
    expect(only(text)?.title).toBe('Ship the old parser on time, a ~~ b <i>');
  });

  test('goes without the attributes, which are told apart', () => {
    const text = 'Ship @ada the due:2026-12-01 #release +website parser #ui/web.';
    expect(only(text)).toMatchObject({
      title: 'Ship the parser',
      owner: 'ada',
      due: '2026-12-01',
      project: 'website',
      tags: ['release', 'ui/web'],
    });
  });

  test.each([
    'Mail ada@example.com',
    'Fix `@Override #x +y due:2026-01-01`',
    'See http://x/#top and #12',
    'By due:2026-02-30 or due:tomorrow',
    'Not a slug: +Web_Site',
    '1 + 1 @ # due:',
  ])('keeps what is no attribute: %s', (text) => {
    const none = { owner: null, due: null, project: null, tags: [] };
    expect(only(text)).toMatchObject({ title: text.replaceAll('`', ''), ...none });
  });

  test('keeps what is escaped or part of a link', () => {
    expect(only('Ask \\@ada about [#this](http://x)')).toMatchObject({
      title: 'Ask @ada about #this',
      owner: null,
      tags: [],
    });
  });

  test('has the first owner, day and project, and leaves the others where they are', () => {
    expect(only('@ada and @bob due:2026-01-01 due:2026-01-02 +a +b')).toMatchObject({
      title: 'and @bob due:2026-01-02 +b',
      owner: 'ada',
      due: '2026-01-01',
      project: 'a',
    });
  });

  test('is what is there where nothing but attributes is there', () => {
    expect(only('@ada')).toMatchObject({ title: '@ada', owner: 'ada' });
    expect(only('![](x.png)')).toMatchObject({ title: '![](x.png)' });
    expect(only('<br>')).toMatchObject({ title: '<br>' });
  });

  test('has at most 300 characters', () => {
    expect([...(only('😀'.repeat(500))?.title ?? '')]).toHaveLength(300);
    expect(only(`\`a\`${' '.repeat(996)}😀`)?.title.isWellFormed()).toBe(true);
  });
});

describe('a text of any size', () => {
  test('gives a bounded number of entries, from a bounded part of it', () => {
    expect(taskEntries('- [ ] a\n'.repeat(maxEntries + 1)).entries).toHaveLength(maxEntries);
    const late = `${'x\n'.repeat(maxSearchedCharacters / 2)}\n- [ ] a\n`;
    expect(taskEntries(late).entries).toEqual([]);
  });

  test.each([
    ['too many', '- [ ] a\n'.repeat(maxEntries + 1), 'too_many'],
    ['too deep', `${'- '.repeat(10)}- [ ] a\n`, 'too_deep'],
    ['too long', 'x'.repeat(maxSearchedCharacters + 1), 'too_long'],
    ['neither', `${'- [ ] a\n'.repeat(maxEntries)}${'> '.repeat(10)}`, undefined],
  ])('says that it is %s, if it is', (_, text, shortfall) => {
    expect(taskEntries(text).shortfall).toBe(shortfall);
  });

  test.each([
    ['quotes', '>'],
    ['quotes with blanks', '> '],
    ['numbers', '1. '],
    ['bullets', '- '],
    ['boxes', '- [ ] '],
    ['lazy lines', '> > > > > > > > > > a\nb\n'],
    ['brackets', '['],
    ['stars', 'a**b'],
    ['tildes', 'a~~b'],
    ['tags that never end', '<a '],
    ['definitions', '[a]: b\n'],
    ['entries with words for attributes', '- [ ] @@@ ### +++ due: !!!!\n'],
  ])('of nothing but %s is read within seconds', (_, text) => {
    const tookMs = processorMilliseconds(() => {
      taskEntries(text.repeat(maxSearchedCharacters / text.length));
      taskEntries(`- [ ] ${text.repeat(10_000)}`);
    });
    expect(tookMs).toBeLessThan(5_000);
  });
});
