/** The digits of base 62 in order of value. Keys are written in them. */
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/**
 * Writes `value`, a whole number from 0 to 2^53 - 1, in base 62: most
 * significant digit first, padded with `0` to at least `width` characters.
 */
export function toBase62(value: number, width: number): string {
  let text = '';
  for (let rest = value; rest > 0; rest = Math.floor(rest / digits.length)) {
    text = digits.charAt(rest % digits.length) + text;
  }
  return text.padStart(width, digits.charAt(0));
}

/**
 * Makes `length` random base 62 digits. `randomInt(bound)` gives a whole number
 * from 0 to bound - 1, each equally likely: bytes modulo 62 would favour the
 * first digits.
 */
export function randomBase62(length: number, randomInt: (bound: number) => number): string {
  return Array.from({ length }, () => digits.charAt(randomInt(digits.length))).join('');
}
