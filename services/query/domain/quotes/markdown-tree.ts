import type { Span } from '../text/sentences.ts';

type LeafKind = 'paragraph' | 'heading' | 'code' | 'table' | 'quote';

/** What stands by itself in a text, as CommonMark and GFM read it. */
export type Block = LeafBlock | ListBlock;

/** A paragraph, a heading, code with its fences, a table, or lines behind `>` whatever they contain. */
export interface LeafBlock extends Span {
  kind: LeafKind;
  /** Its lines, without white space at their ends. */
  lines: Span[];
  /** Of a table: its first two lines are its head. */
  isHeaded: boolean;
}

/** Items of one kind, one behind the other. */
export interface ListBlock extends Span {
  kind: 'list';
  isOrdered: boolean;
  items: ListItem[];
}

/** From the beginning of its first line on, to the end of the last block in it. */
export interface ListItem extends Span {
  /** Where its mark stands. */
  mark: number;
  /** Its number, in an ordered list. */
  number: number;
  blocks: Block[];
}

/** An item that lines may still belong to. */
interface OpenItem {
  item: ListItem;
  list: ListBlock;
  /** Columns before its mark, and before its words. */
  markColumn: number;
  column: number;
}

/** Lists within lists; what is deeper counts as text. Bounds what each line is compared with. */
const maxDepth = 10;
/** Characters of a line in which marks are looked for. */
const maxMarksLength = 200;
const fenceForm = /^(?:`{3,}(?!.*`)|~{3,})/;
const headingForm = /^#{1,6}(?:[ \t]|$)/;
const underlineForm = /^(?:=+|-+)$/;
const bulletForm = /^[-*+](?=[ \t]|$)/;
const numberForm = /^(\d{1,9})[.)](?=[ \t]|$)/;
const htmlTag = /^<\/?[a-z]/i;
/** A line of nothing but such marks, the drawn lines of a box included. */
const ruleForm = /^[\s|:=*_\u2500-\u257f-]*$/;
/** The label of an address that stands on the next line. */
const linkLabel = /^\[(?!\^)[^\]]+\]:$/;
const linkAddress = /^\[(?!\^)[^\]]+\]:/;
/** An item that only leads to another place of the page, as in a table of contents. */
const pageLink = /^(?:[-*+]|\d{1,9}[.)])[ \t]+\[[^[\]]*\]\(#[^()]*\)\s*$/;
/** Tags, and pictures with the link around them: badges, logos, anchors. */
const unspoken = /<[^<>]*>|\[?!\[[^[\]]*\](?:\([^()]*\)|\[[^[\]]*\])(?:\](?:\([^()]*\)|\[[^[\]]*\]))?/g;
/** A line behind `>` that has words, which a line without the mark may go on with. */
const quotedWords = /[\p{L}\p{N}]/u;

/**
 * Reads the blocks of a Markdown text, in order, line by line: each line is
 * compared with the at most ten items that are open, so time is linear in the
 * text whatever it says. Left out is what tells a reader nothing: rules,
 * comments, lines of nothing but tags and pictures, addresses of links, links
 * within the page.
 *
 * More forgiving than CommonMark in two things that authors often get wrong: an
 * item is below another one where its mark stands two columns further right,
 * and a list whose numbers count on goes on behind code that is not indented.
 */
export function markdownTree(text: string): Block[] {
  const root: Block[] = [];
  let open: OpenItem[] = [];
  let leaf: LeafBlock | undefined;
  let fence = '';
  let inComment = false;
  let isAddressNext = false;
  /** Words with a colon announce what comes next: links within the page tell something then. */
  let isAnnounced = false;

  function blocksOf(items: readonly OpenItem[]): Block[] {
    return items.at(-1)?.item.blocks ?? root;
  }

  function extendOpen(end: number): void {
    for (const { item, list } of open) {
      item.end = end;
      list.end = end;
    }
  }

  function append(line: Span): void {
    if (leaf === undefined) return;
    leaf.lines.push(line);
    leaf.end = line.end;
    extendOpen(line.end);
  }

  /** Begins a leaf within the items that are open. */
  function begin(kind: LeafKind, line: Span): void {
    leaf = { kind, ...line, lines: [line], isHeaded: false };
    blocksOf(open).push(leaf);
    extendOpen(line.end);
  }

  function beginItem(
    line: Span,
    mark: { start: number; column: number; width: number; number?: number },
  ): void {
    const isOrdered = mark.number !== undefined;
    const number = mark.number ?? 0;
    const list = listFor(blocksOf(open), { isOrdered, number }, line);
    const item: ListItem = { start: line.start, end: line.end, mark: mark.start, number, blocks: [] };
    list.items.push(item);
    open.push({ item, list, markColumn: mark.column, column: mark.column + mark.width });
    extendOpen(line.end);
    leaf = undefined;
  }

  /** Reads a line from a place on, behind the marks of items that it opens. */
  function readLine(line: Span, place: number, isFirst: boolean): void {
    const from = behindBlanks(text, place, line.end);
    const column = columnOf(text, line.start, from);
    const words = text.slice(from, Math.min(line.end, from + maxMarksLength));
    const matched = isFirst ? open.filter((item) => column >= belowColumn(item)).length : open.length;
    const isWithin = isFirst && open.every((item) => column >= item.column);
    const opened = { start: isFirst ? line.start : from, end: line.end };
    const whole = () => text.slice(from, line.end);
    if (fenceForm.test(words)) {
      open = open.slice(0, matched);
      begin('code', opened);
      fence = fenceForm.exec(words)?.[0] ?? '';
      return;
    }
    if (words.startsWith('<!--')) {
      leaf = undefined;
      inComment = !whole().includes('-->');
      return;
    }
    if (isDelimiter(words) && leaf && isHead(text, leaf)) {
      leaf.kind = 'table';
      leaf.isHeaded = true;
      append(line);
      return;
    }
    if (
      underlineForm.test(words) &&
      leaf?.kind === 'paragraph' &&
      leaf.lines.length === 1 &&
      matched === open.length
    ) {
      leaf.kind = 'heading';
      leaf = undefined;
      return;
    }
    const isAddress = isAddressNext && !/\s/.test(words);
    isAddressNext = linkLabel.test(words);
    const isPageLink = pageLink.test(whole());
    if (isAddress || (isPageLink && !isAnnounced) || saysNothing(whole())) {
      leaf = undefined;
      return;
    }
    if (isFirst) isAnnounced = isPageLink || whole().endsWith(':');
    if (headingForm.test(words)) {
      open = open.slice(0, matched);
      begin('heading', opened);
      leaf = undefined;
      return;
    }
    const mark = markOf(words, leaf?.kind === 'paragraph' && isWithin);
    if (mark && open.length < maxDepth) {
      open = open.slice(0, isFirst ? siblings(open, matched, column) : matched);
      beginItem(opened, { ...mark, start: from, column });
      if (words.slice(mark.width).trim() !== '') readLine(line, from + mark.width, false);
      return;
    }
    const kind = words.startsWith('>') ? 'quote' : words.startsWith('|') ? 'table' : 'paragraph';
    if (leaf && goesOn(text, leaf, kind, whole())) {
      append(line);
      return;
    }
    open = open.slice(0, matched);
    begin(kind, opened);
  }

  for (const line of linesOf(text)) {
    if (fence !== '') {
      append(line);
      if (closesFence(text.slice(line.start, line.end), fence)) [leaf, fence] = [undefined, ''];
    } else if (inComment) inComment = !text.slice(line.start, line.end).includes('-->');
    else if (line.start === line.end) leaf = undefined;
    else readLine(line, line.start, true);
  }
  return root;
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

function behindBlanks(text: string, place: number, end: number): number {
  let from = place;
  while (from < end && (text[from] === ' ' || text[from] === '\t')) from += 1;
  return from;
}

/** Columns from the beginning of a line to a place among the first of it, a tab being as wide as up to the next fourth. */
function columnOf(text: string, start: number, place: number): number {
  let column = 0;
  for (let position = start; position < Math.min(place, start + maxMarksLength); position += 1)
    column += text[position] === '\t' ? 4 - (column % 4) : 1;
  return column;
}

/** From which column on a line is below an item. */
function belowColumn({ column, markColumn }: OpenItem): number {
  return Math.min(column, markColumn + 2);
}

/** How many of the open items a new one is below: not one whose mark stands where its own does. */
function siblings(open: readonly OpenItem[], matched: number, column: number): number {
  let depth = matched;
  while (depth > 0 && (open[depth - 1]?.markColumn ?? 0) >= column) depth -= 1;
  return depth;
}

/** The list that an item belongs to: the one that ends here, or the one whose numbers it counts on, else a new one. */
function listFor(
  blocks: Block[],
  { isOrdered, number }: { isOrdered: boolean; number: number },
  line: Span,
): ListBlock {
  const last = blocks.at(-1);
  if (last?.kind === 'list' && last.isOrdered === isOrdered) return last;
  const place = isOrdered && number > 1 ? blocks.findLastIndex(({ kind }) => kind === 'list') : -1;
  const before = blocks[place];
  const item = before?.kind === 'list' ? before.items.at(-1) : undefined;
  if (before?.kind === 'list' && before.isOrdered && item && item.number === number - 1) {
    const between = blocks.splice(place + 1);
    item.blocks.push(...between);
    item.end = between.at(-1)?.end ?? item.end;
    return before;
  }
  const list: ListBlock = { kind: 'list', ...line, isOrdered, items: [] };
  blocks.push(list);
  return list;
}

/** The mark of an item; one that interrupts a paragraph has words behind it, and counts from 1. */
function markOf(words: string, inParagraph: boolean): { width: number; number?: number } | undefined {
  const bullet = bulletForm.exec(words);
  const digits = numberForm.exec(words);
  const mark = (bullet ?? digits)?.[0];
  if (mark === undefined) return undefined;
  const behind = words.slice(mark.length);
  const blanks = behind.length - behind.trimStart().length;
  if (inParagraph && (behind.trim() === '' || (digits && Number(digits[1]) !== 1))) return undefined;
  const width = mark.length + (blanks > 4 || behind.trim() === '' ? 1 : blanks);
  return digits ? { width, number: Number(digits[1]) } : { width };
}

function closesFence(line: string, fence: string): boolean {
  const words = line.trim();
  return words.startsWith(fence) && words === (fence[0] ?? '').repeat(words.length);
}

/** Whether it is the line between the head of a table and its rows. */
function isDelimiter(words: string): boolean {
  return words.includes('-') && words.includes('|') && /^[\s|:-]+$/.test(words);
}

function isHead(text: string, { kind, lines, start, end }: LeafBlock): boolean {
  return (
    lines.length === 1 && (kind === 'paragraph' || kind === 'table') && text.slice(start, end).includes('|')
  );
}

function goesOn(text: string, leaf: LeafBlock, kind: LeafKind, line: string): boolean {
  if (leaf.kind === 'table') return line.includes('|');
  if (leaf.kind === 'quote' && kind === 'paragraph') {
    const last = leaf.lines.at(-1);
    return last !== undefined && quotedWords.test(text.slice(last.start, last.end));
  }
  return leaf.kind === kind && (kind === 'quote' || (kind === 'paragraph' && !htmlTag.test(line)));
}

function saysNothing(line: string): boolean {
  if (ruleForm.test(line) || linkAddress.test(line)) return true;
  return (line.includes('<') || line.includes('![')) && !quotedWords.test(line.replace(unspoken, ''));
}
