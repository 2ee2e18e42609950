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

/**
 * Takes the text between the line ends of a Markdown document, outside blocks of code, and writes it with its markup made
 * inert: images give their text only, links their text and address, tags and comments are left out, other angle brackets
 * stand apart from what follows, stray backticks become apostrophes. Spans of code that end in their line stay as they are.
 */
export class InlineMarkup {
  readonly #output: InertOutput;
  #undecided: Undecided | undefined;
  #held = '';
  /** Backticks that began the span that is held, and those at its end so far. */
  #run = 0;
  #ending = 0;
  /** Round brackets that are open in the address that is held. */
  #depth = 0;
  /** The quotation mark that is open in the tag that is held, and whether it is no tag but a comment or the like. */
  #quotation = '';
  #isHidden = false;
  /** Whether a backslash in the address that is held takes the meaning of the next character away. */
  #isEscaped = false;
  /** Square brackets that are open in this line; true for those of an image. */
  #brackets: boolean[] = [];
  #isImage = false;
  /** Whether a span of this line has a bar, at which a table would cut it: then the later ones may not be spans. */
  #isCut = false;
  /** Whether a bracket stands in these lines without a blank one, and behind it a span that has backticks in it. */
  #hasBracket = false;
  #isParted = false;
  #isBlank = true;

  constructor(output: InertOutput) {
    this.#output = output;
  }

  #hold(as: Undecided, text: string): void {
    this.#undecided = as;
    this.#held = text;
  }

  /** What is held is not what it seemed: shows its beginning as `shown` and reads the rest as any other text. */
  #letGo(shown: string, rest: string): void {
    this.#undecided = undefined;
    this.#held = '';
    this.#output.write(shown);
    for (const character of rest) this.read(character);
  }

  #begin(character: string): void {
    switch (character) {
      case '\\':
        this.#hold('escape', character);
        return;
      case '`':
        this.#hold('run', character);
        return;
      case '<':
        this.#quotation = '';
        this.#hold('angle', character);
        return;
      case '!':
        this.#hold('bang', character);
        return;
      case '[':
        if (this.#brackets.length < maxOpenBrackets) this.#brackets.push(false);
        this.#output.write(character);
        return;
      case ']':
        this.#isImage = this.#brackets.pop() ?? false;
        this.#output.write(character);
        this.#hold('closed', '');
        return;
      case ':':
        if (this.#output.endsWithActiveScheme()) {
          this.#hold('colon', character);
          return;
        }
        this.#output.write(character);
        return;
      default:
        this.#output.write(character);
        return;
    }
  }

  /** Takes the next character of the line. */
  read(character: string): void {
    this.#hasBracket ||= character === '[';
    this.#isBlank &&= /\s/.test(character);
    switch (this.#undecided) {
      case undefined:
        this.#begin(character);
        return;
      case 'escape':
        this.#undecided = undefined;
        if (character === '`') {
          this.#output.write(apostrophe);
          return;
        }
        if (character === '<') {
          this.#output.write('<');
          return;
        }
        if (/[a-z]/i.test(character)) {
          this.#hold('command', `\\${character}`);
          return;
        }
        this.#output.write(`\\${character}`);
        return;
      case 'command':
        this.#readCommand(character);
        return;
      case 'run':
        if (character === '`') {
          this.#held += character;
          if (this.#held.length > maxHeldLength) this.#letGo(apostrophe.repeat(this.#held.length), '');
          return;
        }
        this.#run = this.#held.length;
        this.#ending = 0;
        this.#undecided = 'span';
        this.read(character);
        return;
      case 'span':
        this.#readSpan(character);
        return;
      case 'angle':
        this.#readAngle(character);
        return;
      case 'bang':
        if (character !== '[') {
          this.#letGo('!', character);
          return;
        }
        if (this.#brackets.length < maxOpenBrackets) this.#brackets.push(true);
        this.#output.write(this.#output.endsWithWord() ? '! [' : '[');
        this.#hold('image', '');
        return;
      case 'image':
        this.#letGo(character === ']' ? 'image' : '', character);
        return;
      case 'closed':
        if (character !== '(') {
          this.#letGo('', character);
          return;
        }
        this.#depth = 1;
        this.#isEscaped = false;
        this.#hold('address', character);
        return;
      case 'address':
        this.#readAddress(character);
        return;
      case 'colon':
        this.#letGo(/\s/.test(character) ? ':' : ' :', character);
        return;
    }
  }

  #readCommand(character: string): void {
    if (/[a-z]/i.test(character) && this.#held.length < maxCommandLength) this.#held += character;
    else this.#letGo(shownCommand(this.#held), character);
  }

  #readSpan(character: string): void {
    if (character === '`') this.#ending += 1;
    else if (this.#ending === this.#run) {
      this.#endSpan();
      this.read(character);
      return;
    } else this.#ending = 0;
    this.#held += character;
    if (this.#held.length > maxHeldLength)
      this.#letGo(apostrophe.repeat(this.#run), this.#held.slice(this.#run));
  }

  #endSpan(): void {
    const code = this.#held.slice(this.#run, -this.#run);
    const hasBar = code.includes('|');
    if (!livesOutsideCode.test(code)) {
      this.#undecided = undefined;
      this.#output.writeSpan(this.#held);
    } else if (this.#isCut || this.#isParted || hasBar || code.includes('`')) {
      const mark = apostrophe.repeat(this.#run);
      this.#letGo(mark, code);
      this.#settle();
      this.#output.write(mark);
    } else {
      // Some renderers look for links first, and for them only a single backtick surely begins code.
      this.#undecided = undefined;
      this.#output.writeSpan(`\`${code}\``);
    }
    this.#isCut ||= hasBar;
    // Behind a bracket some renderers take each run of backticks for an end, whatever its length.
    this.#isParted ||= this.#hasBracket && code.includes('`');
  }

  #readAngle(character: string): void {
    const isFirst = this.#held === '<';
    if (isFirst) this.#isHidden = /[!?]/.test(character);
    if (isFirst && !/[a-z/!?]/i.test(character)) {
      this.#letGo('<', character);
      return;
    }
    if (!this.#isHidden && character === '<' && this.#quotation === '') {
      this.#letGo('<', this.#held.slice(1));
      this.read(character);
      return;
    }
    this.#held += character;
    if (!this.#isHidden && /["']/.test(character)) {
      if (this.#quotation === '') this.#quotation = character;
      else if (this.#quotation === character) this.#quotation = '';
    }
    if (this.#held.length > (this.#isHidden ? maxHiddenLength : maxHeldLength)) {
      this.#letGo('<', this.#held.slice(1));
      return;
    }
    if (character === '>' && this.#quotation === '') this.#endAngle();
  }

  #endAngle(): void {
    if (this.#isHidden) {
      const end = unseen.find(([start]) => this.#held.startsWith(start))?.[1] ?? '>';
      if (this.#held.endsWith(end)) this.#undecided = undefined;
      return;
    }
    const link = autolink.exec(this.#held)?.[1];
    const address = link && shownAddress(link);
    if (address) {
      this.#undecided = undefined;
      this.#output.writeAddress(address);
      return;
    }
    if (link) {
      this.#letGo('', link);
      return;
    }
    const name = tag.exec(this.#held)?.[1]?.toLowerCase();
    if (name !== undefined && htmlElements.has(name)) this.#undecided = undefined;
    else this.#letGo('<', this.#held.slice(1));
  }

  #readAddress(character: string): void {
    this.#held += character;
    if (this.#held.length > maxHeldLength) {
      this.#letGo('(', this.#held.slice(1));
      return;
    }
    const isLiteral = this.#isEscaped;
    this.#isEscaped = !isLiteral && character === '\\';
    if (isLiteral) return;
    if (character === '(') this.#depth += 1;
    if (character === ')') this.#depth -= 1;
    if (this.#depth > maxAddressDepth) {
      this.#letGo('(', this.#held.slice(1));
      return;
    }
    if (this.#depth > 0) return;
    this.#undecided = undefined;
    const address = this.#isImage ? undefined : shownAddress(this.#held.slice(1, -1));
    if (address === undefined) return;
    this.#output.writeAddress(`(${address})`);
  }

  /** Decides about what is held without waiting for more. */
  #settle(): void {
    while (this.#undecided !== undefined) {
      if (this.#undecided === 'run') this.#letGo(apostrophe.repeat(this.#held.length), '');
      else if (this.#undecided === 'command') this.#letGo(shownCommand(this.#held), '');
      else if (this.#undecided === 'span' && this.#ending === this.#run) this.#endSpan();
      else if (this.#undecided === 'span')
        this.#letGo(apostrophe.repeat(this.#run), this.#held.slice(this.#run));
      else if (this.#undecided === 'angle' && this.#held !== '<') this.#letGo('<', this.#held.slice(1));
      else this.#letGo(this.#held.slice(0, 1), this.#held.slice(1));
    }
  }

  /** Ends the line, or the text: decides about all that is still held. */
  endLine(): void {
    this.#settle();
    this.#brackets = [];
    this.#isCut = false;
    if (this.#isBlank) this.#hasBracket = this.#isParted = false;
    this.#isBlank = true;
  }
}

function shownCommand(command: string): string {
  return activeCommand.test(command) ? command.slice(1) : command;
}
