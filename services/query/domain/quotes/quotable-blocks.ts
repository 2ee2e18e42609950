import type { Span } from '../text/sentences.ts';

type Kind = 'text' | 'item' | 'code' | 'table' | 'quote';

/** Lines of a passage that belong together. */
export interface QuotableBlock extends Span {
  /** A paragraph or heading, a list item, code with its fences, a table, or lines behind `>`. */
  kind: Kind;
  /** White space before its first line, in UTF-16 units. */
  indent: number;
  /** Its lines, without white space at their ends. */
  lines: Span[];
}

const fence = /^[ \t]*(?:```|~~~)/;
/** A line of nothing but such marks, the drawn lines of a box included. */
const rule = /^[\s|:=*_\u2500-\u257f-]*$/;
/** The line between the head of a table and its rows. */
export const tableDelimiter = /^(?=.*\|)[\s|:-]*-[\s|:-]*$/;
const heading = /^ {0,3}#{1,6}[ \t]/;
const listItem = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]/;
const linkAddress = /^ {0,3}\[(?!\^)[^\]]+\]:/;
/** A list item that only leads to another place of the page, as in a table of contents. */
const pageLink = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+\[[^[\]]*\]\(#[^()]*\)\s*$/;
const htmlTag = /^[ \t]*<\/?[a-z]/i;
/** Tags, and pictures with the link around them: badges, logos, anchors. */
const unspoken = /<[^<>]*>|\[?!\[[^[\]]*\](?:\([^()]*\)|\[[^[\]]*\])(?:\](?:\([^()]*\)|\[[^[\]]*\]))?/g;

/**
 * Cuts the Markdown of a passage into blocks that may be quoted, in order. Left
 * out is what tells a reader nothing: blank lines, rules, comments, lines of
 * nothing but tags and pictures, addresses of links, links within the page. A
 * block of code that is never closed runs to the end.
 */
export function quotableBlocks(text: string): QuotableBlock[] {
  const blocks: QuotableBlock[] = [];
  let open: QuotableBlock | undefined;
  let inComment = false;
  for (const span of linesOf(text)) {
    const line = text.slice(span.start, span.end);
    if (open?.kind === 'code') {
      append(open, span);
      if (fence.test(line)) open = undefined;
    } else if (inComment || line.trimStart().startsWith('<!--')) {
      open = undefined;
      inComment = !line.includes('-->');
    } else if (open && tableDelimiter.test(line) && isHeadOfTable(open, text)) {
      append(open, span);
      open.kind = 'table';
    } else if (saysNothing(line)) {
      open = undefined;
    } else {
      const kind = kindOf(line, open);
      if (open && goesOn(open, kind, line)) append(open, span);
      else {
        open = { ...span, kind, indent: line.search(/[^ \t]/), lines: [span] };
        blocks.push(open);
      }
      if (heading.test(line)) open = undefined;
    }
  }
  return blocks;
}

/** Without white space at their ends, so that a citation stands behind their words. */
function* linesOf(text: string): Generator<Span> {
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    yield { start, end: start + text.slice(start, end).trimEnd().length };
    start = end + 1;
  }
}

function append(block: QuotableBlock, line: Span): void {
  block.lines.push(line);
  block.end = line.end;
}

function kindOf(line: string, open: QuotableBlock | undefined): Kind {
  if (fence.test(line)) return 'code';
  if (line.trimStart().startsWith('|') || (open?.kind === 'table' && line.includes('|'))) return 'table';
  if (line.trimStart().startsWith('>')) return 'quote';
  return listItem.test(line) ? 'item' : 'text';
}

function goesOn(open: QuotableBlock, kind: Kind, line: string): boolean {
  if (kind === 'text')
    return (open.kind === 'text' || open.kind === 'item') && !heading.test(line) && !htmlTag.test(line);
  return kind === open.kind && (kind === 'table' || kind === 'quote');
}

function isHeadOfTable({ kind, lines, start, end }: QuotableBlock, text: string): boolean {
  return lines.length === 1 && (kind === 'text' || kind === 'table') && text.slice(start, end).includes('|');
}

function saysNothing(line: string): boolean {
  if (rule.test(line) || linkAddress.test(line) || pageLink.test(line)) return true;
  return (line.includes('<') || line.includes('![')) && !/[\p{L}\p{N}]/u.test(line.replace(unspoken, ''));
}
