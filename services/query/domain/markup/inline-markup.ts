import { type InertOutput, shownAddress } from './inert-output.ts';

/** Names of tags that are left out; what else stands in angle brackets, such as `Map<K, V>`, is shown as text. */
const htmlElements: ReadonlySet<string> = new Set(
  `a abbr acronym address applet area article aside audio b base basefont bdi bdo bgsound big blink blockquote body
  br button canvas caption center circle cite code col colgroup data datalist dd defs del details dfn dialog dir div
  dl dt em embed fieldset figcaption figure font footer foreignobject form frame frameset g h1 h2 h3 h4 h5 h6 head
  header hgroup hr html i iframe image img input ins isindex kbd keygen label legend li line link listing main map
  mark marquee math menu menuitem meta meter nav nobr noembed noframes noscript object ol optgroup option output p
  param path picture plaintext portal pre progress q rb rect rp rt rtc ruby s samp script search section select slot
  small source spacer span strike strong style sub summary sup svg table tbody td template textarea tfoot th thead
  time title tr track tt u ul use var video wbr xml xmp`.split(/\s+/),
);

/** Text held back at most until it is known what it is: addresses and code in a line are shorter. */
const maxHeldLength = 2_048;
/** The same for comments and their like: of a text that begins one everywhere, each character is read this often. */
const maxHiddenLength = 256;
/** Brackets within brackets that are told apart; nobody writes deeper. */
const maxOpenBrackets = 64;
/** Round brackets within an address; those of an encyclopaedia have two. */
const maxAddressDepth = 4;
/** What in a span of code would be markup if a renderer did not take it for code. */
const livesOutsideCode = /<[a-z/!?]|\]\(|\]:|!\[/i;
/** Commands of formulas that lead or load from elsewhere; some renderers of formulas run them. */
const activeCommand = /^\\(?:href|url|includegraphics|html[a-z]*|class|style|cssid|require)$/i;
/** In place of a backtick that begins no code, which with another one would. */
const apostrophe = "'";
/** The longest of them. */
const maxCommandLength = 16;
const autolink = /^<([a-z][a-z0-9+.-]{1,31}:[^\s<>]*|[^\s<>@`]+@[^\s<>@`]+)>$/i;
const tag = /^<\/?([a-z][a-z0-9-]*)(?:\s[^<]*|\/)?>$/i;
/** Comments, instructions, declarations and character data: from here to there. */
const unseen: readonly [string, string][] = [
  ['<!--', '-->'],
  ['<?', '?>'],
  ['<![CDATA[', ']]>'],
  ['<!', '>'],
];

/** What the text read last may become. */
type Undecided =
  | 'escape'
  | 'command'
  | 'run'
  | 'span'
  | 'angle'
  | 'bang'
  | 'image'
  | 'closed'
  | 'address'
  | 'colon';

/** Takes the text between the line ends of a Markdown document, outside blocks of code. */
export interface InlineMarkup {
  /** Takes the next character of the line. */
  read(character: string): void;
  /** Ends the line, or the text: decides about all that is still held. */
  endLine(): void;
}

/**
 * Makes a reader that writes a line with its markup made inert: images give
 * their text only, links their text and address, tags and comments are left
 * out, other angle brackets stand apart from what follows, stray backticks
 * become apostrophes. Spans of code that end in their line stay as they are.
 */
export function createInlineMarkup(output: InertOutput): InlineMarkup {
  let undecided: Undecided | undefined;
  let held = '';
  /** Backticks that began the span that is held, and those at its end so far. */
  let run = 0;
  let ending = 0;
  /** Round brackets that are open in the address that is held. */
  let depth = 0;
  /** The quotation mark that is open in the tag that is held, and whether it is no tag but a comment or the like. */
  let quotation = '';
  let isHidden = false;
  /** Whether a backslash in the address that is held takes the meaning of the next character away. */
  let isEscaped = false;
  /** Square brackets that are open in this line; true for those of an image. */
  let brackets: boolean[] = [];
  let isImage = false;
  /** Whether a span of this line has a bar, at which a table would cut it: then the later ones may not be spans. */
  let isCut = false;
  /** Whether a bracket stands in these lines without a blank one, and behind it a span that has backticks in it. */
  let hasBracket = false;
  let isParted = false;
  let isBlank = true;

  function hold(as: Undecided, text: string): void {
    undecided = as;
    held = text;
  }

  /** What is held is not what it seemed: shows its beginning as `shown` and reads the rest as any other text. */
  function letGo(shown: string, rest: string): void {
    undecided = undefined;
    held = '';
    output.write(shown);
    for (const character of rest) read(character);
  }

  function begin(character: string): void {
    switch (character) {
      case '\\':
        hold('escape', character);
        return;
      case '`':
        hold('run', character);
        return;
      case '<':
        quotation = '';
        hold('angle', character);
        return;
      case '!':
        hold('bang', character);
        return;
      case '[':
        if (brackets.length < maxOpenBrackets) brackets.push(false);
        output.write(character);
        return;
      case ']':
        isImage = brackets.pop() ?? false;
        output.write(character);
        hold('closed', '');
        return;
      case ':':
        if (output.endsWithActiveScheme()) {
          hold('colon', character);
          return;
        }
        output.write(character);
        return;
      default:
        output.write(character);
        return;
    }
  }

  function read(character: string): void {
    hasBracket ||= character === '[';
    isBlank &&= /\s/.test(character);
    switch (undecided) {
      case undefined:
        begin(character);
        return;
      case 'escape':
        undecided = undefined;
        if (character === '`') {
          output.write(apostrophe);
          return;
        }
        if (character === '<') {
          output.write('<');
          return;
        }
        if (/[a-z]/i.test(character)) {
          hold('command', `\\${character}`);
          return;
        }
        output.write(`\\${character}`);
        return;
      case 'command':
        readCommand(character);
        return;
      case 'run':
        if (character === '`') {
          held += character;
          if (held.length > maxHeldLength) letGo(apostrophe.repeat(held.length), '');
          return;
        }
        run = held.length;
        ending = 0;
        undecided = 'span';
        read(character);
        return;
      case 'span':
        readSpan(character);
        return;
      case 'angle':
        readAngle(character);
        return;
      case 'bang':
        if (character !== '[') {
          letGo('!', character);
          return;
        }
        if (brackets.length < maxOpenBrackets) brackets.push(true);
        output.write(output.endsWithWord() ? '! [' : '[');
        hold('image', '');
        return;
      case 'image':
        letGo(character === ']' ? 'image' : '', character);
        return;
      case 'closed':
        if (character !== '(') {
          letGo('', character);
          return;
        }
        depth = 1;
        isEscaped = false;
        hold('address', character);
        return;
      case 'address':
        readAddress(character);
        return;
      case 'colon':
        letGo(/\s/.test(character) ? ':' : ' :', character);
        return;
    }
  }

  function readCommand(character: string): void {
    if (/[a-z]/i.test(character) && held.length < maxCommandLength) held += character;
    else letGo(shownCommand(held), character);
  }

  function readSpan(character: string): void {
    if (character === '`') ending += 1;
    else if (ending === run) {
      endSpan();
      read(character);
      return;
    } else ending = 0;
    held += character;
    if (held.length > maxHeldLength) letGo(apostrophe.repeat(run), held.slice(run));
  }

  function endSpan(): void {
    const code = held.slice(run, -run);
    const hasBar = code.includes('|');
    if (!livesOutsideCode.test(code)) {
      undecided = undefined;
      output.writeSpan(held);
    } else if (isCut || isParted || hasBar || code.includes('`')) {
      const mark = apostrophe.repeat(run);
      letGo(mark, code);
      settle();
      output.write(mark);
    } else {
      // Some renderers look for links first, and for them only a single backtick surely begins code.
      undecided = undefined;
      output.writeSpan(`\`${code}\``);
    }
    isCut ||= hasBar;
    // Behind a bracket some renderers take each run of backticks for an end, whatever its length.
    isParted ||= hasBracket && code.includes('`');
  }

  function readAngle(character: string): void {
    const isFirst = held === '<';
    if (isFirst) isHidden = /[!?]/.test(character);
    if (isFirst && !/[a-z/!?]/i.test(character)) {
      letGo('<', character);
      return;
    }
    if (!isHidden && character === '<' && quotation === '') {
      letGo('<', held.slice(1));
      read(character);
      return;
    }
    held += character;
    if (!isHidden && /["']/.test(character)) {
      if (quotation === '') quotation = character;
      else if (quotation === character) quotation = '';
    }
    if (held.length > (isHidden ? maxHiddenLength : maxHeldLength)) {
      letGo('<', held.slice(1));
      return;
    }
    if (character === '>' && quotation === '') endAngle();
  }

  function endAngle(): void {
    if (isHidden) {
      const end = unseen.find(([start]) => held.startsWith(start))?.[1] ?? '>';
      if (held.endsWith(end)) undecided = undefined;
      return;
    }
    const link = autolink.exec(held)?.[1];
    const address = link && shownAddress(link);
    if (address) {
      undecided = undefined;
      output.writeAddress(address);
      return;
    }
    if (link) {
      letGo('', link);
      return;
    }
    const name = tag.exec(held)?.[1]?.toLowerCase();
    if (name !== undefined && htmlElements.has(name)) undecided = undefined;
    else letGo('<', held.slice(1));
  }

  function readAddress(character: string): void {
    held += character;
    if (held.length > maxHeldLength) {
      letGo('(', held.slice(1));
      return;
    }
    const isLiteral = isEscaped;
    isEscaped = !isLiteral && character === '\\';
    if (isLiteral) return;
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (depth > maxAddressDepth) {
      letGo('(', held.slice(1));
      return;
    }
    if (depth > 0) return;
    undecided = undefined;
    const address = isImage ? undefined : shownAddress(held.slice(1, -1));
    if (address === undefined) return;
    output.writeAddress(`(${address})`);
  }

  /** Decides about what is held without waiting for more. */
  function settle(): void {
    while (undecided !== undefined) {
      if (undecided === 'run') letGo(apostrophe.repeat(held.length), '');
      else if (undecided === 'command') letGo(shownCommand(held), '');
      else if (undecided === 'span' && ending === run) endSpan();
      else if (undecided === 'span') letGo(apostrophe.repeat(run), held.slice(run));
      else if (undecided === 'angle' && held !== '<') letGo('<', held.slice(1));
      else letGo(held.slice(0, 1), held.slice(1));
    }
  }

  return {
    read,
    endLine() {
      settle();
      brackets = [];
      isCut = false;
      if (isBlank) hasBracket = isParted = false;
      isBlank = true;
    },
  };
}

function shownCommand(command: string): string {
  return activeCommand.test(command) ? command.slice(1) : command;
}
