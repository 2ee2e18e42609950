import { expect, test } from 'vitest';
import { checkedSlug, checkedTeamName } from './teams.ts';

test('slugs of the published form are taken as they are', () => {
  for (const slug of ['a', '7', 'a-b', 'a--b', 'acme-2', 'a'.repeat(64)])
    expect(checkedSlug(slug)).toBe(slug);
});

test('anything else is refused as a slug, naming the field', () => {
  const bad = ['', '-a', 'a-', 'A', 'a_b', 'a.b', 'a b', 'a\n', 'ä', 'a'.repeat(65), '$ne', 'a/b', '\u212A'];
  for (const slug of bad) {
    expect(() => checkedSlug(slug), slug).toThrowError(
      expect.objectContaining({
        code: 'invalid_request',
        violations: [expect.objectContaining({ pointer: '/slug' })],
      }),
    );
  }
});

test('names are 1 to 200 characters in any script', () => {
  for (const name of ['a', 'Ärzte & Söhne', '研究室', '🦉'.repeat(200)])
    expect(checkedTeamName(name)).toBe(name);
  for (const name of ['', 'a'.repeat(201), '🦉'.repeat(201)]) {
    expect(() => checkedTeamName(name), name).toThrowError(
      expect.objectContaining({ code: 'invalid_request' }),
    );
  }
});

test('names that a terminal would obey or UTF-8 cannot write are refused', () => {
  for (const name of ['a\nb', 'a\0', '\u001B[2J', '\u007F', '\u0085', 'a\uD800', '\uDC00a']) {
    expect(() => checkedTeamName(name), JSON.stringify(name)).toThrowError(
      expect.objectContaining({ violations: [expect.objectContaining({ pointer: '/name' })] }),
    );
  }
});
