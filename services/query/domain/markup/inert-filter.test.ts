import { processorMilliseconds } from '@teammemory/testkit/processor-time.ts';
import { liveMarkup, renderedElements } from '@teammemory/testkit/rendered-markup.ts';
import { seededRandom } from '@teammemory/testkit/seeded-random.ts';
import { expect, test } from 'vitest';
import { createMarkupFilter } from './inert-filter.ts';

/** What is shown of a text that comes in pieces of so many characters. */
function inert(text: string, pieceLength = Number.POSITIVE_INFINITY): string {
  const filter = createMarkupFilter('inert');
  let shown = '';
  const characters = [...text];
  for (let start = 0; start < characters.length; start += Math.min(pieceLength, characters.length))
    shown += filter.push(characters.slice(start, start + pieceLength).join(''));
  return shown + filter.end();
}

test.for([
  ['plain words, a < b, 3 <= 4, x <3, a & b, wow! [1] [2], f(x) [y]', undefined],
  ['**bold** _soft_ ~~gone~~ # no heading\n# Heading\n\n1. one\n2. two\n   - [x] done\n> quoted', undefined],
  ['| a | b |\n|---|:-:|\n| `x` | y |', undefined],
  ['`List<string>` and ``a ` b`` and `[a](b)`', undefined],
  ['```ts\nconst a: Map<string, b[]> = x[1](2);\n// `<img>`\n```\nafter', undefined],
  ['- item\n\n  ```sh\n  cat <a >b\n\n  ls\n  ```\n- next', undefined],
  ['~~~\n```\n<b>\n~~~\n', undefined],
  ['> ```\n> <b>\n> ```\n\nafter', undefined],
  ['```make\nall:\n\tcc <in\n```', undefined],
  ['see https://example.test/a_b?c=d&e=f#g and www.example.test, ada@example.test', undefined],
  ['JavaScript: the good parts; redis://localhost:6379/0; a // comment', undefined],
  ['日本語 العربية 👩‍👩‍👧 é', undefined],
  ['[the page](https://example.test/a)', '[the page] (https://example.test/a)'],
  ['see [the page](<https://example.test/a b> "title").', 'see [the page] (https://example.test/a%20b).'],
  ['[W](https://example.test/A_(b))', '[W] (https://example.test/A_(b))'],
  ['[a](runbooks/db.md#x)', '[a] (runbooks/db.md#x)'],
  ['[a](https://例え.test/b)', '[a] (https://xn--r8jz45g.test/b)'],
  ['[a](mailto:ada@example.test)b', '[a] (mailto:ada@example.test) b'],
  ['<https://example.test/a>, <ada@example.test>', 'https://example.test/a, ada@example.test'],
  ['[a](javascript:alert(1)) b', '[a] b'],
  ['a ![chart](https://example.test/p.png) b', 'a [chart] b'],
  ['![](https://example.test/p.png)', '[image]'],
  ['Great![1]', 'Great! [1]'],
  ['<b>bold</b><br/> <!-- no --> Map<K, V>', 'bold  Map< K, V>'],
  ['[a]: https://example.test', '[a] : https://example.test'],
  ['a ` b', "a ' b"],
  ['```js\nopen', '```js\nopen\n```'],
  ['``` objective-c\na\n```', '```objective-c\na\n```'],
  ['```C++\na\n```\n~~~c#\nb\n~~~', undefined],
  ['```jsx live\n<App />\n```', '```jsx\n<App />\n```'],
  ['```{image} https://example.test/p.png\n```', '```\n```'],
  [
    '```Mermaid\nA@{ img: "https://example.test/p.png" }\n```',
    '```\nA@{ img: "https://example.test/p.png" }\n```',
  ],
  ['> ~~~ {.plantuml}\n> a\n> ~~~', '> ~~~\n> a\n> ~~~'],
  ['javascript:alert(1)', 'javascript :alert(1)'],
  [
    String.raw`$\href{javascript:x}{y} \frac{a}{b} \alpha$`,
    String.raw`$href{javascript :x}{y} \frac{a}{b} \alpha$`,
  ],
  [
    String.raw`\style{background:url(x)}{y} \HTMLdata{a=b}{c} \hre \stylefile`,
    String.raw`style{background:url(x)}{y} HTMLdata{a=b}{c} \hre \stylefile`,
  ],
  ['a\r\nb\rc\u202ed', 'a\nb\ncd'],
] as const)('%j is shown as %j, whatever its pieces', ([text, shown]) => {
  for (const pieceLength of [Number.POSITIVE_INFINITY, 1, 2, 3, 7])
    expect(inert(text, pieceLength)).toBe(shown ?? text);
});

test('code in a line and in blocks is rendered as it was written', () => {
  const code = '<img src=x onerror=alert(1)> [a](javascript:x) ![b](c)';
  const text = [
    `\`${code}\``,
    '',
    '```js',
    code,
    '```',
    '',
    '- item',
    '',
    '  ```',
    `  ${code}`,
    '  ```',
  ].join('\n');
  expect(renderedElements(inert(text), 'code').map((each) => each.trimEnd())).toEqual([code, code, code]);
  expect(liveMarkup(inert(text))).toEqual([]);
});

test('code with backticks in it makes no link of the code behind it, in the same line or the next', () => {
  const spans = ['`a``x`>````](javascript:x)````', '`a``x`\nb ````<img src=x>](javascript:x)````'];
  for (const text of spans.map((each) => `[${each}`)) {
    const whole = inert(text);
    expect({ whole, live: liveMarkup(whole) }).toEqual({ whole, live: [] });
  }
  expect(inert('[a `b``c` d\n\n``` `a` ``` `[a](b)`')).toContain('`[a](b)`');
});

/** Thousands of texts are read by three renderers, which takes 8 s of a busy processor. */
const manyTextsTimeoutMs = 60_000;

/** Lines and pieces of lines of which every renderer's idea of blocks is made. */
const pieces = [
  '`',
  '``',
  '```',
  '````',
  '~~~',
  '~~',
  '~',
  '<img src=x>',
  '<b>',
  '</b>',
  '<!--',
  '-->',
  '[a]',
  '[',
  ']',
  '(',
  ')',
  '](javascript:x)',
  '![',
  '!',
  '<',
  '>',
  '> ',
  '- ',
  '1. ',
  '2) ',
  '* ',
  '    ',
  '  ',
  ' ',
  '\t',
  '\n',
  '\n',
  '\n\n',
  '|',
  '|---|\n',
  'text',
  'a',
  ':',
  '\\',
  'https://e.test/',
  'www.e.test',
  '(https://e.test)',
  '[a]: javascript:x',
  '<https://e.test>',
  '<javascript:x>',
  '&lt;',
  '&#96;',
  '&',
  '*',
  '_',
  '#',
  '===\n',
  '---\n',
  'js',
  '[x](https://e.test)',
  '//e.test',
  'ftp:',
  '\\href{javascript:x}{y}',
  '\\a',
  '$$',
  '[^1]',
  '"',
  "'",
  '<a href="',
  'x`<img src=y>`',
  '`a|b`',
  '\n```\n',
  '\n  ```\n',
  '\n> ```\n',
];

test('nothing made of the pieces of Markdown comes alive in any renderer, at the end or before', {
  timeout: manyTextsTimeoutMs,
}, () => {
  const random = seededRandom(20_261_122);
  const choose = () => pieces[random.integerBelow(pieces.length)] ?? '';
  for (let round = 0; round < 3_000; round += 1) {
    const text = Array.from({ length: 2 + random.integerBelow(24) }, choose).join('');
    const whole = inert(text);
    expect({ text, whole, live: liveMarkup(whole) }).toEqual({ text, whole, live: [] });
    expect(inert(text, 1)).toBe(whole);
    const filter = createMarkupFilter('inert');
    const part = filter.push(text.slice(0, random.integerBelow(text.length)));
    expect({ text, part, live: liveMarkup(part) }).toEqual({ text, part, live: [] });
  }
});

const endless = [
  '`',
  '` `` ``` ',
  '<a ',
  '<a "',
  '<!-- ',
  '[',
  '](',
  '![',
  '[a](',
  '[a](b ',
  '\\',
  '> ',
  '- ',
  '```\n',
  '~',
  '//',
  '`<',
  '`a|<b>`',
  '<b>',
  '&',
  `${'> '.repeat(120)}a\n`,
  `${'`'.repeat(60)} ${'`'.repeat(59)} `,
  '~~~ a',
  '> ```\n',
  'a'.repeat(300),
];

test.for(endless)('%j without an end takes time in proportion to its length', (piece) => {
  const length = 200_000;
  const text = piece.repeat(length / piece.length);
  const tookMs = processorMilliseconds(() => void inert(text));
  console.log(`${JSON.stringify(piece.slice(0, 20))}: ${tookMs.toFixed(0)} ms for ${length} characters`);
  // Some 100 ms; anything quadratic takes minutes.
  expect(tookMs).toBeLessThan(3_000);
});
