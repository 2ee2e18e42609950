/** The last code point. */
const lastCodePoint = 0x10ffff;

/**
 * Returns the first text after all that begin with `beginning`, in the order of code points, which is that of UTF-8 and
 * of both engines; undefined if there is none.
 */
export function endOfBeginning(beginning: string): string | undefined {
  const codePoints = Array.from(beginning, (character) => character.codePointAt(0) ?? 0);
  while (codePoints.at(-1) === lastCodePoint) codePoints.pop();
  const last = codePoints.pop();
  if (last === undefined) return undefined;
  // Between these two are the surrogates, which are no characters.
  return String.fromCodePoint(...codePoints, last === 0xd7ff ? 0xe000 : last + 1);
}
