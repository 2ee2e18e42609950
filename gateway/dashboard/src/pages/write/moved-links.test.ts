import { expect, test } from 'vitest';
import { type Move, withMovedLinks } from './moved-links.ts';

const move: Move = { from: 'notes/old.md', to: 'deep/new name.md', isOnly: () => true };
const moved = async (text: string, path = 'notes/a.md', by = move) =>
  (await withMovedLinks(text, path, by)).text;

test.each([
  ['[x](old.md)', '[x](../deep/new%20name.md)'],
  ['[x](./old.md#part "t (old.md)")', '[x](../deep/new%20name.md#part "t (old.md)")'],
  ['[x](<old.md>)', '[x](<../deep/new%20name.md>)'],
  ['[x](/notes/old.md?a#b)', '[x](/deep/new%20name.md?a#b)'],
  ['[x](%6Fld.md)', '[x](../deep/new%20name.md)'],
  ['![x](../notes/old\\.md)', '![x](../deep/new%20name.md)'],
  ['[x][r]\n\n[r]: old.md "t"', '[x][r]\n\n[r]: ../deep/new%20name.md "t"'],
  [
    '> - a [x](old.md) b\r\n>   [y](old.md)\r\n',
    '> - a [x](../deep/new%20name.md) b\r\n>   [y](../deep/new%20name.md)\r\n',
  ],
  ['[[old]] [[notes/old|O]] [[old.md#p]]', '[[new name]] [[deep/new name|O]] [[new name.md#p]]'],
  ['| [[old\\|O]] |\n|---|\n| [x](old.md) |', '| [[new name\\|O]] |\n|---|\n| [x](../deep/new%20name.md) |'],
])('%j becomes %j', async (text, expected) => {
  expect(await moved(`# a\n\n${text}`)).toBe(`# a\n\n${expected}`);
});

test.each([
  'old.md `[x](old.md)` [x](other/old.md) [old.md](https://a.test/old.md) <https://a.test/notes/old.md>',
  '```\n[x](old.md) [[old]]\n```\n\n    [x](old.md)\n',
  '[x](#old.md) [x](../../notes/old.md) \\[[old]\\] [[older]] [[other/old]] [old]',
  '[x](javascript:old.md) [x](//notes/old.md) [x](old.md/)\u2028',
])('%j stays', async (text) => {
  expect(await withMovedLinks(text, 'notes/a.md', { ...move, isOnly: () => true })).toEqual({
    text: text.replace('[x](old.md/)', '[x](../deep/new%20name.md/)'),
    count: text.includes('(old.md/)') ? 1 : 0,
  });
});

test('a name that several notes have is not taken for the one that was moved, and becomes a path', async () => {
  const isOnly = (name: string) => name !== 'old';
  expect(await moved('[[old]] [[notes/old]]', 'a.md', { ...move, isOnly })).toBe('[[old]] [[deep/new name]]');
  const isOld = (name: string) => name === 'old';
  expect(await moved('[[old]]', 'a.md', { ...move, isOnly: isOld })).toBe('[[deep/new name]]');
});

test('the links of the moved note itself lead on to the same notes', async () => {
  const text = '[a](a.md) [b](/b.md) [s](old.md) [p](#p) [f](../c/) [w](https://a.test/x) [[a]]';
  expect(await moved(text, move.to)).toBe(
    '[a](../notes/a.md) [b](/b.md) [s](new%20name.md) [p](#p) [f](../c/) [w](https://a.test/x) [[a]]',
  );
});

test('a new path that somebody chose to do harm ends no link', async () => {
  for (const to of ['x](javascript:alert(1)).md', 'a]] [[b.md', '<b>#?\\.md', 'javascript:x.md']) {
    const { text } = await withMovedLinks('[x](old.md) [[old]]', 'notes/a.md', { ...move, to });
    const again = await withMovedLinks(text, 'notes/a.md', { ...move, from: to, to: 'notes/old.md' });
    expect(again.text).toBe('[x](old.md) [[old]]');
  }
});

test('a text that was made to be slow is read in time or not at all', async () => {
  for (const part of ['[a](', '*a_']) {
    const text = `old ${part.repeat((16 * 1024 - 4) / part.length)}`;
    await withMovedLinks(text, 'notes/a.md', move).catch(() => undefined);
    await expect(withMovedLinks(text + text, 'notes/a.md', move)).rejects.toThrow('cannot be read');
  }
  const list = '- [x](old.md) and words\n'.repeat(1_000);
  expect((await withMovedLinks(list, 'notes/a.md', move)).count).toBe(1_000);
});
