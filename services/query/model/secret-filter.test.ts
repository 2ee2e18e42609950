import { expect, test } from 'vitest';
import { createSecretFilter } from './untrusted-answers.ts';

const secret = 'sk-sk-0123456789';

/** What is shown of a text that comes in these pieces. */
function shown(pieces: readonly string[], hidden: string | undefined = secret): string {
  const filter = createSecretFilter(hidden);
  return pieces.map(filter.push).join('') + filter.end();
}

test('a secret does not come through, however it is cut', () => {
  const text = `sk-${secret}, ${secret}${secret} sk-sk-sk`;
  for (let cut = 0; cut <= text.length; cut += 1) {
    expect(shown([text.slice(0, cut), text.slice(cut)])).toBe('sk-…, …… sk-sk-sk');
  }
  expect(shown(text.split(''))).toBe('sk-…, …… sk-sk-sk');
});

test('a secret inside a secret leaves none', () => {
  const text = `${secret.slice(0, 7)}${secret}${secret.slice(7)}`;
  for (let cut = 0; cut <= text.length; cut += 1)
    expect(shown([text.slice(0, cut), text.slice(cut)])).not.toContain(secret);
});

test('text that cannot become the secret is not held back', () => {
  expect(createSecretFilter(secret).push('A risk-')).toBe('A ri');
  expect(createSecretFilter(secret).push('A risk.')).toBe('A risk.');
});

test('without a secret, and with a word in the place of one, all text passes', () => {
  expect(shown(['a sk-'], undefined)).toBe('a sk-');
  expect(shown(['ask ollama'], 'ollama')).toBe('ask ollama');
});
