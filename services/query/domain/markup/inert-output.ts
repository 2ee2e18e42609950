/** Characters of what was shown before that decide about the next one, at most: the longest scheme and a mark. */
const recentLength = 16;
/** Characters that end an address. */
const endsAddress = /[\s.,;:!?)*_~]/;
/** Schemes that some reader runs or opens; in a link's own text nothing else makes a link of them. */
const activeScheme = /(?:javascript|vbscript|livescript|xmpp)$/i;

/** What is shown of a text. Whatever is given to it, no two characters that it writes begin markup together. */
export interface InertOutput {
  /** Writes text that stands outside code. */
  write(text: string): void;
  /** Writes a span of code with its backticks. */
  writeSpan(span: string): void;
  /** Writes an address, in brackets or not, that nothing before or behind it becomes a part of. */
  writeAddress(address: string): void;
  /** Writes lines of a block of code as they are. */
  writeLines(text: string): void;
  /** Whether the last word names a scheme that must not be followed by its colon. */
  endsWithActiveScheme(): boolean;
  /** Whether the last character is a part of a word. */
  endsWithWord(): boolean;
  /** Returns the output since the last call. */
  take(): string;
}

/** Makes an output that parts by a blank what would become markup only by standing together. */
export function createInertOutput(): InertOutput {
  let shown = '';
  /** The end of all that was shown: looking into a text that still grows copies the whole of it. */
  let recent = '';
  let last = '\n';
  /** Between an address of a link and the next blank. */
  let behindAddress = false;
  /** Within a word that a renderer may make a link of. */
  let inAddress = false;

  function show(text: string): void {
    if (text === '') return;
    shown += text;
    recent =
      (recent.length > 8 * recentLength ? recent.slice(-recentLength) : recent) + text.slice(-recentLength);
    last = text.at(-1) ?? last;
  }

  function add(character: string): void {
    const previous = last;
    if (behindAddress && !endsAddress.test(character)) part();
    else if (wouldJoin(previous, character, recent)) part();
    if (/\s/.test(character)) behindAddress = inAddress = false;
    show(character === '~' && recent.endsWith('~~') ? ' ~' : character);
    if (character === '/' && previous === '/') inAddress = true;
    if (character === '.' && previous.toLowerCase() === 'w') inAddress = true;
  }

  function part(): void {
    show(' ');
    behindAddress = inAddress = false;
  }

  return {
    write(text) {
      for (const character of text) add(character);
    },
    writeSpan(span) {
      // Some renderers take a backtick for a part of the address before it, and a backslash takes its meaning away.
      if (behindAddress || inAddress || /[`\\]/.test(last)) part();
      show(span);
    },
    writeAddress(address) {
      if (/\S/.test(last)) part();
      show(address);
      behindAddress = true;
    },
    writeLines(text) {
      show(text);
      behindAddress = inAddress = false;
    },
    endsWithActiveScheme: () => activeScheme.test(recent),
    endsWithWord: () => /[\p{L}\p{N}]/u.test(last),
    take() {
      const text = shown;
      shown = '';
      return text;
    },
  };
}

/** Whether a character must not stand directly behind the one before it. */
function wouldJoin(previous: string, character: string, recent: string): boolean {
  switch (previous) {
    case ']':
      // `[a](…)` is a link and `[a]: …` the address of one.
      return character === '(' || character === ':';
    case '!':
      return character === '[';
    case '<':
      return /[a-z/!?]/i.test(character);
    case '/':
      // Some renderers make links of `ftp://host` and `//host`.
      if (character === '/') return /ftp:\/$/i.test(recent);
      return /[\p{L}\p{N}]/u.test(character) && /(?:^|[^:/])\/\/$/.test(recent);
    default:
      return false;
  }
}
