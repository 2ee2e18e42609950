import type { AnswerMarkup } from './answer-markup.ts';
import { beginCodeBlock, type CodeBlock, maxMarksLength } from './code-block.ts';
import { createInertOutput } from './inert-output.ts';
import { createInlineMarkup } from './inline-markup.ts';

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
  const inline = createInlineMarkup(output);
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
