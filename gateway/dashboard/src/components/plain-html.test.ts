/// <reference types="node" />
import { expect, test } from 'vitest';
import { plainHtml } from './plain-html.ts';

const plain = (html: string) => plainHtml(html, (href, words) => `[${words}](${href})`);

test.each([
  ['<kbd class="x" onclick="run()">Ctrl</kbd>', '<kbd>Ctrl</kbd>'],
  ['<div align="center"><p>Text</p></div>', '<p>Text</p>'],
  ['<a href="https://a.test/?b=1&c=2" onclick="run()">a</a>', '<a href="https://a.test/?b=1&amp;c=2">a</a>'],
  ["<A HREF='notes.md'>a</A>", '<a href="notes.md">a</a>'],
  ['<img src="a.png" alt="A picture">', '[A picture](a.png)'],
  ['a<!-- b -->c<script>d</script>e<style>f', 'ace'],
  ['1 < 2 &amp; 3 > 2 & "x"', '1 &lt; 2 &amp; 3 &gt; 2 &amp; &quot;x&quot;'],
  ['<img src=x onerror="run()"', '&lt;img src=x onerror=&quot;run()&quot;'],
  ['<p title="a>b" onclick="run()">c', '<p>c'],
  ['<br/>', '<br>'],
  ['<scr<script>ipt>run()', '&lt;scr'],
])('%j becomes %j', (html, expected) => {
  expect(plain(html)).toBe(expected);
});

test('64 KiB of HTML that is made to be slow takes time linear in its length', () => {
  const blanks = ' '.repeat(65_000);
  const units = [
    '<a ',
    '<',
    '<!--',
    '<script',
    '<a b="',
    "<p '",
    '<a href="x" ',
    '<a "',
    `<a '"`,
    '<a ""',
    '&a',
  ];
  const texts = [
    `<a${blanks}"`,
    `<a ${blanks}href${blanks}"`,
    `<script>${`</script${' '.repeat(500)}`.repeat(130)}`,
    ...units.map((unit) => unit.repeat(65_000 / unit.length)),
  ];
  for (const text of texts) {
    const before = process.threadCpuUsage();
    plain(text);
    const { user, system } = process.threadCpuUsage(before);
    // A tenth of it on an idle machine; seconds where time grows with the square of the length.
    expect((user + system) / 1_000, text.slice(0, 10)).toBeLessThan(600);
  }
});
