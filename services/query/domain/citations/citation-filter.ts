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

/** What is shown of a text whose references have been told apart from its words. */
interface CitationOutput {
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
function createCitationOutput(): CitationOutput {
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

/** Shortest run of backticks that begins a block of code. */
const fenceLength = 3;
/** What a line of a quote or a list begins with; a block of code, and the address of a link, may stand behind it. */
const lineMark = /[\s>*+\-\d.)]/;

/** Follows a Markdown text and knows where it shows code. */
interface CodeTracker {
  /** Takes the next character. */
  read(character: string): void;
  /** Whether the next character stands in code. */
  inCode(): boolean;
  /** Whether the line has shown nothing yet but the marks of quotes and lists. */
  atLineStart(): boolean;
}

/**
 * Makes a tracker of code between backticks: spans, which end with their line
 * at the latest, and fenced blocks. So a stray backtick is harmless after its line.
 */
export function createCodeTracker(): CodeTracker {
  let blank = true;
  let run = 0;
  /** Length of the run that began the code; 0 outside code. */
  let delimiter = 0;
  let fenced = false;

  function endRun(): void {
    if (run === 0) return;
    const fence = blank && run >= fenceLength;
    if (delimiter === 0) {
      delimiter = run;
      fenced = fence;
    } else if (fenced ? fence && run >= delimiter : run === delimiter) {
      delimiter = 0;
    }
    run = 0;
    blank = false;
  }

  return {
    read(character) {
      if (character === '`') {
        run += 1;
        return;
      }
      endRun();
      if (character === '\n') {
        blank = true;
        if (!fenced) delimiter = 0;
      } else if (blank && !lineMark.test(character)) {
        blank = false;
      }
    },
    inCode() {
      endRun();
      return delimiter > 0;
    },
    atLineStart: () => blank,
  };
}
