import type { AnswerMarkup } from './answer-markup.ts';
import { createInertOutput, type InertOutput } from './inert-output.ts';
import { InlineMarkup } from './inline-markup.ts';

/** Control characters but tab and line ends, and those that turn the direction of writing around. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point.
const unprintable = /[\u0000-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f\u202a-\u202e\u2066-\u2069]/g;
/** What some read as the end of a line and others do not. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point.
const doubtfulLineEnd = /[\u000b\u000c\u0085\u2028\u2029]/g;
/** White space and the marks of quotes and lists, as far as they are known. */
const marks = /^(?:[ \t>]|(?:[-*+]|\d{1,9}[.)])(?=[ \t]))*(?:[-*+]|\d{1,9}[.)]?)?$/;
const wholeMarks = /^(?:[ \t>]|(?:[-*+]|\d{1,9}[.)])(?=[ \t]))*$/;
const shortestFence = 3;

/** Makes a Markdown text harmless while it is being written. */
export interface MarkupFilter {
  /** Takes more text and returns what of it can be shown by now. */
  push(text: string): string;
  /** Ends the text, and a block of code in it, and returns the rest. To be called once. */
  end(): string;
}

/**
 * Makes the filter of this setting. `begins` tells where the text goes on: at
 * the beginning of a line, or behind other words.
 */
export function createMarkupFilter(
  markup: AnswerMarkup,
  begins: 'line' | 'within line' = 'line',
): MarkupFilter {
  if (markup === 'inert') return createInertFilter(begins);
  return { push: (text) => text, end: () => '' };
}

/**
 * Makes a filter whose text has no image, no HTML, and no link but bare
 * `http`, `https` and `mailto` addresses, in whichever way a CommonMark or GFM
 * renderer reads it. All else stays as it is, code above all, and how the
 * text was cut into pieces changes nothing. Each piece takes time in
 * proportion to its length.
 */
function createInertFilter(begins: 'line' | 'within line'): MarkupFilter {
  const output = createInertOutput();
  const inline = new InlineMarkup(output);
  let place: 'line start' | 'fence' | 'text' = begins === 'line' ? 'line start' : 'text';
  /** The beginning of a line, as long as it may be one of a block of code, and its marks. */
  let line = '';
  let lineMarks = '';
  let code: CodeBlock | undefined;
  let behindCarriageReturn = false;

  function readText(text: string): void {
    place = 'text';
    line = '';
    for (const character of text) inline.read(character);
  }

  function endLine(): void {
    inline.endLine();
    output.write('\n');
    place = 'line start';
    line = '';
  }

  function readLineStart(character: string): void {
    if ((character === '`' || character === '~') && wholeMarks.test(line)) {
      place = 'fence';
      lineMarks = line;
    }
    line += character;
    if (place === 'line start' && (line.length > maxMarksLength || !marks.test(line))) readText(line);
  }

  function readFence(character: string): void {
    const { mark, fence, info } = fenceOf(line.slice(lineMarks.length));
    if (character === '\n' && fence.length >= shortestFence) {
      code = beginCodeBlock(lineMarks, fence, info, output);
      place = 'line start';
      line = '';
      return;
    }
    const isShort = character !== mark && fence.length < shortestFence;
    const isSpan = mark === '`' && character === '`' && info !== '';
    if (!isShort && !isSpan && line.length < maxMarksLength) line += character;
    else {
      readText(line);
      read(character);
    }
  }

  function read(character: string): void {
    if (code !== undefined) {
      const rest = code.read(character);
      if (rest === undefined) return;
      code = undefined;
      for (const each of rest) read(each);
    } else if (place === 'fence') readFence(character);
    else if (character === '\n') {
      readText(line);
      endLine();
    } else if (place === 'line start') readLineStart(character);
    else inline.read(character);
  }

  return {
    push(text) {
      for (const character of text.replace(unprintable, '').replace(doubtfulLineEnd, ' ')) {
        const isPair = behindCarriageReturn && character === '\n';
        behindCarriageReturn = character === '\r';
        if (!isPair) read(behindCarriageReturn ? '\n' : character);
      }
      return output.take();
    },
    end() {
      if (code === undefined) {
        readText(line);
        inline.endLine();
      } else code.close();
      return output.take();
    },
  };
}

function fenceOf(text: string): { mark: string | undefined; fence: string; info: string } {
  const mark = text[0];
  const fence = /^(`+|~+)/.exec(text)?.[0] ?? '';
  return { mark, fence, info: text.slice(fence.length) };
}

/** Marks of lists, quotes and indentation before a fence, and the fence itself; longer ones are text. */
const maxMarksLength = 256;
/** With more white space before it a fence is code, or goes on a paragraph; which of them only the whole text tells. */
const maxIndent = 3;
/** From here on a fence does not end a block that begins with 3 blanks, however far its list is indented. */
const codeIndent = 8;
/** The language of a block. What stands behind it, or in braces, tells renderers to run the code, or to put an image there. */
const languageForm = /^[ \t]*([\p{L}\p{N}][\p{L}\p{N}+#._-]*)/u;
/** Languages that renderers draw or run instead of showing them: `A@{ img: "https://…" }` in a diagram loads the image. */
const drawnLanguage =
  /^(?:mermaid|mmd$|plantuml|puml$|uml$|c4|graphviz|dot$|d2$|ditaa|nomnoml|kroki|bpmn|excalidraw|drawio|wavedrom|markmap|mindmap|flow$|flowchart|seq$|sequence|gantt|vega|echarts|chart|plotly|map$|leaflet|geojson|topojson|stl$|abc$|smiles|math|katex|svg$|dataview|query$|embed|iframe|video|audio|image|figure|include|raw$|card$|button$)/i;
const tabWidth = 4;

/** Takes the lines of a block of code until it ends. */
interface CodeBlock {
  /** Takes the next character. Returns the text that the block ends before; empty where it ends with its fence. */
  read(character: string): string | undefined;
  /** Ends the block here. */
  close(): void;
}

/**
 * Begins a block of code behind a line of `marks` and a `fence`, and writes it
 * so that every renderer sees it begin and end in the same places: the fence on
 * a line of its own with at most three blanks before it, behind as many `>` as
 * it had, and no line outside what the fence stands in. Its code stays as it is,
 * and is shown: the fence names no language that is drawn or run instead.
 */
function beginCodeBlock(marks: string, fence: string, info: string, output: InertOutput): CodeBlock {
  const quotes = marks.split('>').length - 1;
  const inner = marks.slice(marks.lastIndexOf('>') + 1);
  const width = Math.max(0, columns(inner) - (quotes > 0 ? 1 : 0));
  const indent = Math.min(maxIndent, width);
  const begin = '> '.repeat(quotes);
  const end = `${begin}${' '.repeat(indent)}${fence}`;
  /** A line that may end the block, up to where this is known. */
  const closing = new RegExp(`^${fence[0] === '`' ? '`' : '~'}{${fence.length},}[ \\t]*$`);
  const nearlyClosing = new RegExp(`^${fence[0] === '`' ? '`' : '~'}{${fence.length},}[\`~ \\t]*$`);
  let line = '';
  let isDecided = false;

  if (/[-*+\d]/.test(marks)) output.writeLines(`${marks.trimEnd()}\n`);
  output.writeLines(`${end}${shownLanguage(info)}\n`);

  /** The line without the marks of its quotes; undefined where it lacks one, and so ends the block. */
  function withoutQuotes(): string | undefined {
    let rest = line;
    for (let quote = 0; quote < quotes; quote += 1) {
      const mark = /^ {0,3}> ?/.exec(rest)?.[0];
      if (mark === undefined) return undefined;
      rest = rest.slice(mark.length);
    }
    return rest;
  }

  function writeCode(rest: string, lineEnd: string): void {
    const blank = /^[ \t]*/.exec(rest)?.[0] ?? '';
    const words = rest.slice(blank.length);
    const has = columns(blank);
    const wanted =
      nearlyClosing.test(words) && has < codeIndent ? codeIndent : Math.max(indent, has - (width - indent));
    const kept = has === wanted || (words === '' && lineEnd === '\n') ? blank : ' '.repeat(wanted);
    output.writeLines(`${begin}${kept}${words}${lineEnd}`);
  }

  /** At the end of a line that was held as a whole. */
  function endLine(lineEnd: string): string | undefined {
    const rest = withoutQuotes();
    const text = line;
    line = '';
    if (rest === undefined) {
      output.writeLines(`${end}\n`);
      return `${text}\n`;
    }
    if (closing.test(rest.trimStart()) && columns(/^[ \t]*/.exec(rest)?.[0] ?? '') < codeIndent) {
      output.writeLines(end + lineEnd);
      return '';
    }
    writeCode(rest, '\n');
    return undefined;
  }

  return {
    read(character) {
      if (isDecided) {
        output.writeLines(character);
        isDecided = character !== '\n';
        return undefined;
      }
      if (character === '\n') return endLine('\n');
      line += character;
      if (/[ \t>`~]/.test(character) && line.length < maxMarksLength) return undefined;
      const rest = withoutQuotes();
      const text = line;
      line = '';
      if (rest === undefined) {
        output.writeLines(`${end}\n`);
        return text;
      }
      writeCode(rest, '');
      isDecided = true;
      return undefined;
    },
    close() {
      if (line !== '') {
        if (endLine('') !== undefined) return;
      } else if (isDecided) output.writeLines('\n');
      output.writeLines(end);
    },
  };
}

function shownLanguage(info: string): string {
  const language = languageForm.exec(info)?.[1] ?? '';
  return drawnLanguage.test(language) ? '' : language;
}

/** The width of marks and white space. */
function columns(text: string): number {
  let width = 0;
  for (const character of text) width += character === '\t' ? tabWidth - (width % tabWidth) : 1;
  return width;
}
