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

/** Schemes that links in an answer may have. */
const openScheme = /^(?:https?:\/\/|mailto:)/i;
/** A place beside the document, which is of use as text and leads nowhere: no scheme, no host. */
const relativePath = /^(?!\/\/)[\p{L}\p{N}._~/#?=&%+-]+$/u;
const backslashEscape = /\\([!-/:-@[-`{-~])/g;
/** What Markdown could read as its own, or a renderer as the end of the address. */
const unsafeInAddress = /[^A-Za-z0-9\-._:/?#@!$&'()+,;=%]|(?<![A-Za-z0-9])_/g;

/**
 * Returns the address of a link as shown to readers, from the text in its round brackets. Undefined if it must not be
 * followed: only `http`, `https`, `mailto` and relative paths may be.
 */
export function shownAddress(destination: string): string | undefined {
  const given = destination.trim();
  const bare = given.startsWith('<') ? given.slice(1).split('>')[0] : given.split(/\s/)[0];
  const address = bare?.replace(backslashEscape, '$1').replaceAll('&amp;', '&') ?? '';
  if (!openScheme.test(address)) return relativePath.test(address) ? address : undefined;
  const url = URL.parse(address);
  if (url === null || (url.protocol !== 'mailto:' && url.hostname === '')) return undefined;
  // The parser writes a host of other scripts as browsers look it up.
  const ascii = /[^\x20-\x7e]/.test(address) ? url.href : address;
  return withoutCharacterReferences(withBalancedBrackets(ascii.replace(unsafeInAddress, percentEncoded)));
}

function percentEncoded(character: string): string {
  return `%${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(2, '0')}`;
}

/** The address stands in round brackets, and a renderer counts those. */
function withBalancedBrackets(address: string): string {
  let depth = 0;
  for (const character of address) {
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (depth < 0) break;
  }
  return depth === 0 ? address : address.replace(/[()]/g, percentEncoded);
}

function withoutCharacterReferences(address: string): string {
  return address.replace(/(&#?\w+);/g, '$1%3B');
}
