import { expect, test } from 'vitest';
import { checkedHandle, normalizedHandle } from './members.ts';

test('handles are stored in lower case', () => {
  expect(checkedHandle('Ada.Lovelace_2-x')).toBe('ada.lovelace_2-x');
  expect(checkedHandle('A')).toBe('a');
  expect(checkedHandle('Z'.repeat(64))).toBe('z'.repeat(64));
});

test('anything else is refused as a handle, naming the field', () => {
  const bad = ['', '.a', 'a.', '_a', 'a-', 'a b', 'a@b', 'ä', 'a\n', 'a'.repeat(65), '__proto__', '$where'];
  for (const handle of bad) {
    expect(() => checkedHandle(handle), handle).toThrowError(
      expect.objectContaining({
        code: 'invalid_request',
        violations: [expect.objectContaining({ pointer: '/handle' })],
      }),
    );
  }
});

test('a letter that only looks like an ASCII one never becomes it', () => {
  expect(normalizedHandle('\u212Aim')).toBe('\u212Aim');
  expect(() => checkedHandle('\u212Aim')).toThrow('handle');
});
