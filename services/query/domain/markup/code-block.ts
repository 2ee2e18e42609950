import type { InertOutput } from './inert-output.ts';

/** Marks of lists, quotes and indentation before a fence, and the fence itself; longer ones are text. */
export const maxMarksLength = 256;
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
export interface CodeBlock {
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
export function beginCodeBlock(marks: string, fence: string, info: string, output: InertOutput): CodeBlock {
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
