import { liveMarkup } from '@teammemory/testkit/rendered-markup.ts';
import { expect, test } from 'vitest';
import { plainTitle } from './answer-markup.ts';

test.for([
  ['Backups & restores: a < b', 'Backups & restores: a < b'],
  ['![logo](https://evil.test/p.png) [Guide](javascript:x)', 'logo Guide'],
  ['<img src=x onerror=alert(1)>Guide<br>', 'Guide'],
  ['<https://example.test/a> and Map<K, V>', 'https://example.test/a and Map'],
  ['<<b>img src=x onerror=alert(1)>', '< img src=x onerror=alert(1)>'],
  ['[a](b(c)) ![x][y] [z]: javascript:x', '[a] (b(c)) ! [x][y] [z] : javascript: x'],
  ['ftp://a.test and //b.test', 'ftp: // a.test and // b.test'],
  ['two\nlines\u001b[31m\u202ered', 'two lines [31m red'],
])('%j is shown as %j', ([title, shown]) => {
  expect(plainTitle(title ?? '')).toBe(shown);
  expect(liveMarkup(plainTitle(title ?? ''))).toEqual([]);
});
