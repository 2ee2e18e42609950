const opening = /[[［【〔⟦〖〚⁅]/gu;
const closing = /[\]］】〕⟧〗〛⁆]/gu;
/** What stands in such brackets without a letter. */
const bracketed = /[[［【〔⟦〖〚⁅][^\p{L}[\]［］【】〔〕⟦⟧〖〗〚〛⁅⁆]*[\]］】〕⟧〗〛⁆]/gu;
/** Besides brackets, all that can stand in something a reader takes for a reference: digits, separators, marks, nothing visible. */
const referencePart = /[\p{N}\p{M}\p{Cf}\s,;:.·…–—‐‑‒−&+^#*_~|/\\†‡`、，；：．-]/u;
/** What may surround or split a number without changing how it reads: emphasis, escapes, invisible characters. */
const decoration = /[\p{M}\p{Cf}*_~`\\]/gu;
/** `1`, `1, 3`, `1-3`, `^1`; longer numbers are years and the like, and so are dates and times. */
const numberList =
  /^[\s,]*[#^]?\d{1,3}(?:\s*[–-]\s*\d{1,3})?(?:[\s,;&]+[#^]?\d{1,3}(?:\s*[–-]\s*\d{1,3})?)*[\s,]*$/;

/** Whether the character begins what may be a reference; of every script, for models write `【1】` too. */
export function isOpeningBracket(character: string): boolean {
  // Asked for every character of an answer, and nearly all are ASCII.
  return character <= '\x7f' ? character === '[' : character.search(opening) === 0;
}

/** Whether the character may end a reference. */
export function isClosingBracket(character: string): boolean {
  return character.search(closing) === 0;
}

/** Whether a text in brackets that has this character may still be a reference. */
export function isReferencePart(character: string): boolean {
  return referencePart.test(character) || isOpeningBracket(character) || isClosingBracket(character);
}

/** Whether bracketed text has a digit of any script, without which it refers to nothing. */
export function hasNumber(text: string): boolean {
  return /\p{N}/u.test(text);
}

/** The text with its brackets round, so that nobody reads a reference in it. */
export function withRoundBrackets(text: string): string {
  return text.replace(opening, '(').replace(closing, ')');
}

/** The text in which whatever a reader could take for a reference has round brackets. */
export function withoutReferences(text: string): string {
  return text.replace(bracketed, (part) => (hasNumber(part) ? withRoundBrackets(part) : part));
}

/**
 * The numbers from 1 to `given` that a bracketed text refers to, each once, in
 * order: those of `[2]`, `[1, 2]` and `[[1]]`. Undefined where the text is
 * anything but a list of numbers, such as a date.
 */
export function citedNumbers(text: string, given: number): number[] | undefined {
  const list = withRoundBrackets(text).replace(/[()]/g, ',').replace(decoration, '');
  if (!numberList.test(list)) return undefined;
  const numbers = (list.match(/\d+/g) ?? []).filter((digits) => !digits.startsWith('0')).map(Number);
  return [...new Set(numbers.filter((number) => number <= given))];
}
