import { expect, test } from 'vitest';
import { visibleText } from './visible-text.ts';

test('characters that nobody sees are shown by their codes', () => {
  expect(visibleText('a\u200bb')).toBe('a⟨U+200B⟩b');
  expect(visibleText('\u{e0041}\u{e0042}')).toBe('⟨U+E0041⟩⟨U+E0042⟩');
  expect(visibleText('\u001b[2J\u202e\u0000')).toBe('⟨U+001B⟩[2J⟨U+202E⟩⟨U+0000⟩');
  expect(visibleText('x\ufe00\ufe01\u{e0100}\u3164')).toBe('x\ufe00⟨U+FE01⟩⟨U+E0100⟩⟨U+3164⟩');
});

test('what people write stays as it is', () => {
  const texts = [
    '# Tür\r\n\tnaïve',
    'עברית',
    '👩\u200d💻 ❤\ufe0f 🏳\ufe0f\u200d🌈',
    'می\u200cخواهم',
    '日本語\u3000',
    '',
  ];
  for (const usual of texts) expect(visibleText(usual)).toBe(usual);
});
