const opening = /[[［【〔⟦〖〚⁅]/gu;
const closing = /[\]］】〕⟧〗〛⁆]/gu;
/** What stands in such brackets without a letter. */
const bracketed = /[[［【〔⟦〖〚⁅][^\p{L}[\]［］【】〔〕⟦⟧〖〗〚〛⁅⁆]*[\]］】〕⟧〗〛⁆]/gu;
/** Besides brackets, all that can stand in something a reader takes for a reference: digits, separators, marks, nothing visible. */
const referencePart = /[\p{N}\p{M}\p{Cf}\s,;:.·…–—‐‑‒−&+^#*_~|/\\†‡`、，；：．-]/u;
/** The words that models put before the number of a source. */
const labels = ['citation', 'cite', 'doc', 'document', 'passage', 'ref', 'reference', 'source'];
const label = new RegExp(`^[\\s,]*(?:${labels.join('|')})s?[\\s.:#]*`, 'i');
/** The end of a text that may become such a word, behind brackets and marks only. */
const labelStart = /^[\W_]*([a-z]+)$/i;
/** HTML's references to characters, as far as they can be brackets: `&#91;`, `&#x5b;`, `&lsqb;`, `&lbrack;`. */
const characterReference = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([lr])(?:sqb|brack));/gi;
/** An end of a text that more text may make one of them. */
const characterReferenceStart = /&(?:#(?:\d{0,7}|x[\da-f]{0,6})|[a-z]{0,6})$/i;
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

/** Whether a text has a letter of any script: held text has one only in a word such as `source`. */
export function hasLetter(text: string): boolean {
  return /\p{L}/u.test(text);
}

/** The text with its brackets round, so that nobody reads a reference in it. */
export function withRoundBrackets(text: string): string {
  return text.replace(opening, '(').replace(closing, ')');
}

/** Whether a text in brackets that ends in a letter may still be a reference: as `[source 1]` is one. */
export function mayBecomeLabel(text: string): boolean {
  const word = labelStart.exec(text)?.[1]?.toLowerCase();
  return word !== undefined && labels.some((each) => `${each}s`.startsWith(word));
}

/**
 * Returns the end of a text that may be the beginning of a character reference such as `&#91;`; empty if there is none.
 */
export function unfinishedCharacterReference(text: string): string {
  // Asked for every piece of an answer, and few have one.
  return text.includes('&') ? (characterReferenceStart.exec(text)?.[0] ?? '') : '';
}

/** The text in which brackets that are written as `&#91;` or `&lsqb;`, which a reader may see as brackets, are round. */
export function withoutWrittenOutBrackets(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(characterReference, (reference, decimal, hexadecimal, side) => {
    if (side !== undefined) return side.toLowerCase() === 'l' ? '(' : ')';
    const code = decimal === undefined ? Number.parseInt(hexadecimal, 16) : Number(decimal);
    const character = code <= 0x10ffff ? String.fromCodePoint(code) : '';
    return isOpeningBracket(character) || isClosingBracket(character)
      ? withRoundBrackets(character)
      : reference;
  });
}

/** The text in which whatever a reader could take for a reference has round brackets. */
export function withoutReferences(text: string): string {
  return withoutWrittenOutBrackets(text).replace(bracketed, (part) =>
    hasNumber(part) ? withRoundBrackets(part) : part,
  );
}

/**
 * The numbers from 1 to `given` that a bracketed text refers to, each once, in
 * order: those of `[2]`, `[1, 2]`, `[[1]]` and `[Source: 1]`. Undefined where
 * the text is anything but a list of numbers, such as a date.
 */
export function citedNumbers(text: string, given: number): number[] | undefined {
  const list = withRoundBrackets(text).replace(/[()]/g, ',').replace(decoration, '').replace(label, '');
  if (!numberList.test(list)) return undefined;
  const numbers = (list.match(/\d+/g) ?? []).filter((digits) => !digits.startsWith('0')).map(Number);
  return [...new Set(numbers.filter((number) => number <= given))];
}
