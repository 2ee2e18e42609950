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

test('a long text of broken tags is read in time', () => {
  for (const part of ['<a ', '<', '<!--', '<script', '<a b="', "<p '", '<a href="x" '])
    expect(plain(part.repeat(100_000 / part.length)).length).toBeLessThan(1_000_000);
}, 2_000);
