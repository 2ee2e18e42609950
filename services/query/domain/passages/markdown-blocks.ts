import type { Span } from '../text/sentences.ts';

/** A heading, or a paragraph, list or code block between blank lines. */
export interface Block extends Span {
  /** Level 1 to 6 of a heading, 0 of any other block. */
  level: number;
}

const atxHeading = /^ {0,3}(#{1,6})(?:[ \t]|$)/;
const setextUnderline = /^ {0,3}(?:=+|-{2,})$/;
// Indented as deep as a list may be; backticks after the marker make it code within a line instead.
const fenceMarker = /^[ \t]*(`{3,}(?!.*`)|~{3,})/;
const notParagraph = /^ {0,3}(?:[-*+>|]|\d+[.)])/;
/** Longest beginning of a line that any marker is looked for in, so that a line of 1 MiB costs no more than a short one. */
const maxMarkerLength = 200;

/**
 * Cuts Markdown (CommonMark's headings, fences and paragraphs) into blocks, in
 * order. A fenced block is one block whatever it contains; one that is never
 * closed runs to the end. Every line is looked at once and its first 200
 * characters only, so time is linear in the content.
 */
export function markdownBlocks(content: string): Block[] {
  const blocks: Block[] = [];
  let open: Block | undefined;
  let fence = '';
  for (const line of linesOf(content)) {
    const beginning = content.slice(line.start, Math.min(line.end, line.start + maxMarkerLength)).trimEnd();
    if (fence !== '') {
      if (open) open.end = line.end;
      if (closesFence(beginning, fence)) [open, fence] = [undefined, ''];
      continue;
    }
    if (beginning === '') {
      open = undefined;
      continue;
    }
    const level = atxHeading.exec(beginning)?.[1]?.length ?? 0;
    fence = fenceMarker.exec(beginning)?.[1] ?? '';
    if (level > 0) {
      blocks.push({ ...line, level });
      open = undefined;
    } else if (open && fence === '' && isUnderline(beginning, open, content)) {
      open.level = beginning.includes('=') ? 1 : 2;
      open = undefined;
    } else if (open && fence === '') {
      open.end = line.end;
    } else {
      open = { ...line, level: 0 };
      blocks.push(open);
    }
  }
  return blocks;
}

/** The words of a heading block, without its marks, at most `limit` characters. */
export function headingText(content: string, block: Block, limit: number): string {
  const line = content.slice(block.start, Math.min(block.end, block.start + maxMarkerLength));
  return line
    .replace(/^ {0,3}#{1,6}/, '')
    .trim()
    .replace(/ #+$/, '')
    .slice(0, limit)
    .trim();
}

function* linesOf(content: string): Generator<Span> {
  // A byte-order mark is not part of the text.
  for (let start = content.startsWith('\ufeff') ? 1 : 0; start < content.length; ) {
    const newline = content.indexOf('\n', start);
    const end = newline < 0 ? content.length : newline;
    yield { start, end };
    start = end + 1;
  }
}

function closesFence(line: string, fence: string): boolean {
  const marker = fenceMarker.exec(line)?.[1];
  return (
    marker !== undefined && marker[0] === fence[0] && marker.length >= fence.length && line.trim() === marker
  );
}

/** Only a paragraph of one line becomes a heading by being underlined. */
function isUnderline(line: string, above: Block, content: string): boolean {
  if (!setextUnderline.test(line)) return false;
  const text = content.slice(above.start, Math.min(above.end, above.start + maxMarkerLength));
  return !text.includes('\n') && !notParagraph.test(text);
}
