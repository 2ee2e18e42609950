import { atxOpening, atxText, codeIndent, fenceOf, indentOf } from './lines.ts';

/** A heading, or a paragraph, list or code block between blank lines. */
export interface Block {
  /** Where it begins, in UTF-16 units. */
  start: number;
  /** Behind its last line, without the line feed. */
  end: number;
  /** Level 1 to 6 of a heading, 0 of any other block. */
  level: number;
}

const setextUnderline = /^ {0,3}(?:=+|-{2,})$/;
const notParagraph = /^ {0,3}(?:[-*+>|]|\d+[.)])/;
/** Longest beginning of a line that any marker is looked for in, so that a line of 1 MiB costs no more than a short one. */
const maxMarkerLength = 200;
/** A line that surely is text: it begins with a printable character of ASCII but #, ` and ~, and - and = of underlines. */
const plainLine = /[ \t]{0,199}[!-"$-,.-<>-_a-}]/y;

/**
 * Cuts Markdown (CommonMark's headings, fences and paragraphs) into blocks, in order, without looking into lists and
 * quotes. A fenced block is one block whatever it contains; one that is never closed runs to the end. Every line is
 * looked at once and its first 200 characters only, so time is linear in the content.
 */
export function markdownBlocks(content: string): Block[] {
  const blocks: Block[] = [];
  let open: Block | undefined;
  let fence: string | undefined;
  // A byte-order mark is not part of the text.
  for (let start = content.startsWith('\ufeff') ? 1 : 0, end = 0; start < content.length; start = end + 1) {
    const newline = content.indexOf('\n', start);
    end = newline < 0 ? content.length : newline;
    plainLine.lastIndex = start;
    const isText = plainLine.test(content);
    if (open && (isText || (start === end && fence !== undefined))) {
      open.end = end;
      continue;
    }
    const beginning = isText ? '' : content.slice(start, Math.min(end, start + maxMarkerLength)).trimEnd();
    if (!isText && beginning === '' && fence === undefined) {
      open = undefined;
      continue;
    }
    // Fences are indented as deep as a list may be.
    const opened = fenceOf(beginning.replace(/^[ \t]+/, ''));
    const level = atxLevel(beginning);
    if (fence !== undefined) {
      if (open) open.end = end;
      if (opened?.startsWith(fence) && beginning.trimStart() === opened)
        [open, fence] = [undefined, undefined];
    } else if (level > 0) {
      blocks.push({ start, end, level });
      open = undefined;
    } else if (open && isUnderline(beginning, open, content)) {
      open.level = beginning.includes('=') ? 1 : 2;
      open = undefined;
    } else if (open && opened === undefined) {
      open.end = end;
    } else {
      open = { start, end, level: 0 };
      blocks.push(open);
      fence = opened;
    }
  }
  return blocks;
}

/** The words of a heading block, without its marks, at most `limit` characters. */
export function headingText(content: string, { start, end }: Block, limit: number): string {
  const line = content.slice(start, Math.min(end, start + maxMarkerLength));
  return atxText(line.trimStart()).slice(0, limit).trim();
}

/** The level of a heading that begins with marks; 0 for any other line. */
function atxLevel(line: string): number {
  const words = line.slice(indentOf(line));
  const isHeading = line.length - words.length < codeIndent && atxOpening.test(words);
  return isHeading ? (/^#+/.exec(words)?.[0].length ?? 0) : 0;
}

/** Only a paragraph of one line becomes a heading by being underlined. */
function isUnderline(line: string, above: Block, content: string): boolean {
  if (!setextUnderline.test(line)) return false;
  const text = content.slice(above.start, Math.min(above.end, above.start + maxMarkerLength));
  return !text.includes('\n') && !notParagraph.test(text);
}
