import { z } from 'zod';

/** A whole number between two bounds, both included, written in decimal digits. */
export function wholeNumber(bounds: { minimum: number; maximum: number; default: number }) {
  const message = `must be a whole number from ${bounds.minimum} to ${bounds.maximum}`;
  return z
    .string()
    .regex(/^\d{1,15}$/, message)
    .transform(Number)
    .refine((value) => value >= bounds.minimum && value <= bounds.maximum, message)
    .default(bounds.default);
}

/** A TCP port; 0 takes any free one. */
export function port(defaultPort: number) {
  return wholeNumber({ minimum: 0, maximum: 65_535, default: defaultPort });
}

/** One of a few words, in lower case. */
export function oneOf<const Words extends readonly [string, ...string[]]>(
  words: Words,
  defaultWord: Words[number],
) {
  return z.enum(words, `must be one of ${words.join(', ')}`).default(() => defaultWord as never);
}

/** Text that is not empty. */
export function text(defaultText: string) {
  return z.string().default(defaultText);
}

/** Text that may be absent. */
export function optionalText() {
  return z.string().optional();
}

/** A URL with one of the given schemes (written with their colon), or absent. */
export function optionalUrl(...schemes: string[]) {
  return z
    .string()
    .refine((value) => URL.canParse(value) && schemes.includes(new URL(value).protocol), {
      error: `must be a URL that starts with ${schemes.join('// or ')}//`,
    })
    .optional();
}
