import { createCitationOutput } from './citation-output.ts';
import {
  citedNumbers,
  hasLetter,
  hasNumber,
  isClosingBracket,
  isOpeningBracket,
  isReferencePart,
  mayBecomeLabel,
  unfinishedCharacterReference,
  withoutWrittenOutBrackets,
  withRoundBrackets,
} from './citation-reference.ts';

/** Text held back at most until it is known whether it is a reference; longer ones are none. */
const maxHeldLength = 64;

/** Checks the references of a text while it is being written. */
export interface CitationFilter {
  /** Takes more text and returns as much as can be shown by now. */
  push(text: string): string;
  /** Ends the text and returns the rest. Call it once. */
  end(): string;
  /** The numbers cited so far; the k-th is shown as `[k]`. */
  cited(): readonly number[];
}

/**
 * Makes a filter for a text that may cite the numbers 1 to `given`. What it
 * lets through has no bracketed number but citations: `[n]` with a number that
 * was given, counted anew in the order of first citation; `[1, 7]` and
 * `[source 1]` keep the numbers that were given; any other is left out, an
 * unfinished one at the end too. The brackets of what is no list of numbers, of
 * an index in code, and those written as `&#91;` become round instead. All
 * other text stays as it is, and how it was cut into pieces changes nothing.
 */
export function createCitationFilter(given: number): CitationFilter {
  const output = createCitationOutput();
  /** Half a character, or half a character reference, which the next text completes. */
  let carried = '';
  /** Text that may be a reference, from its opening bracket on. */
  let held = '';
  /** Brackets in it that are open. */
  let depth = 0;

  function take(): string {
    const text = held;
    held = '';
    depth = 0;
    return text;
  }

  /** The held text is no reference, but a reference may follow its bracket. */
  function letGo(bracket: string): void {
    const text = take();
    output.write(bracket);
    for (const character of text.slice(1)) read(character);
  }

  function decide(): void {
    const numbers = citedNumbers(held, given);
    if (!hasNumber(held) || (numbers === undefined && hasLetter(held))) {
      letGo(held.slice(0, 1));
      return;
    }
    const text = take();
    if (numbers !== undefined && !output.inCode()) output.cite(numbers);
    else for (const character of withRoundBrackets(text)) output.write(character);
  }

  function read(character: string): void {
    while (depth > 0 && !isReferencePart(character) && !mayBecomeLabel(held + character))
      letGo(held.slice(0, 1));
    if (depth === 0 && !isOpeningBracket(character)) {
      output.write(character);
      return;
    }
    held += character;
    depth += isOpeningBracket(character) ? 1 : isClosingBracket(character) ? -1 : 0;
    if (depth === 0) decide();
    // Its bracket must not stay square: what closes it is still to come.
    else if (held.length >= maxHeldLength) letGo('(');
  }

  return {
    push(text) {
      const whole = carried + text;
      carried = /[\ud800-\udbff]$/.exec(whole)?.[0] ?? unfinishedCharacterReference(whole);
      const complete = whole.slice(0, whole.length - carried.length);
      for (const character of withoutWrittenOutBrackets(complete)) read(character);
      return output.take().toWellFormed();
    },
    end() {
      for (const character of carried) read(character);
      while (depth > 0) {
        if (hasNumber(held)) take();
        else letGo(held.slice(0, 1));
      }
      return output.take().toWellFormed();
    },
    cited: output.cited,
  };
}
