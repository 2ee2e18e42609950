import { createCodeTracker } from './citation-code.ts';

/** What is shown of a text whose references have been told apart from its words. */
export interface CitationOutput {
  /** Takes the next character of the text itself. */
  write(character: string): void;
  /** Takes a reference to these numbers, which each become a citation of their own; none leave it out. */
  cite(numbers: readonly number[]): void;
  /** Whether the next character stands in code. */
  inCode(): boolean;
  /** What can be shown since the last time; at the end without a blank that nothing follows. */
  take(): string;
  /** The numbers cited so far; the k-th is shown as `[k]`. */
  cited(): readonly number[];
}

/**
 * Makes an output that counts citations anew in the order of their first use,
 * takes the blank before a reference away with it, and parts a citation from
 * what would make a link of it.
 */
export function createCitationOutput(): CitationOutput {
  const shownAs = new Map<number, number>();
  const code = createCodeTracker();
  let shown = '';
  /** A blank that is not shown yet: it goes away together with a reference that it stands before. */
  let space = '';
  let justLeftOut = false;
  let justCited: 'nothing' | 'at line start' | 'within line' = 'nothing';

  return {
    write(character) {
      code.read(character);
      if (justLeftOut) space = '';
      justLeftOut = false;
      if (space !== '') justCited = 'nothing';
      shown += space;
      space = character === ' ' ? character : '';
      if (space !== '') return;
      // `[1](…)` and `[1][…]` would be links and a line `[1]: …` the address of one, wherever the text wants to lead.
      const makesLink =
        character === '(' || character === '[' || (character === ':' && justCited === 'at line start');
      shown += justCited !== 'nothing' && makesLink ? ` ${character}` : character;
      justCited = 'nothing';
    },
    cite(numbers) {
      justLeftOut = numbers.length === 0;
      if (justLeftOut) return;
      shown += space;
      space = '';
      for (const number of numbers) {
        const known = shownAs.get(number) ?? shownAs.size + 1;
        shownAs.set(number, known);
        shown += `[${known}]`;
        justCited = code.atLineStart() ? 'at line start' : 'within line';
      }
      code.read(']');
    },
    inCode: code.inCode,
    take() {
      const text = shown;
      shown = '';
      return text;
    },
    cited: () => [...shownAs.keys()],
  };
}
