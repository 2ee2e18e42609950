/** Shortest run of backticks that begins a block of code. */
const fenceLength = 3;
/** What a line of a quote or a list begins with; a block of code, and the address of a link, may stand behind it. */
const lineMark = /[\s>*+\-\d.)]/;

/** Follows a Markdown text and knows where it shows code. */
export interface CodeTracker {
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
