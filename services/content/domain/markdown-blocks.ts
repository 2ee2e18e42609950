import { plainTextMaxCharacters } from './plain-text.ts';

/** Characters of a line in which markers are looked for: bounds what a line costs beside its length. */
const beginningMaxCharacters = 1_000;
/** Characters of a block's text that are kept. */
const blockMaxCharacters = plainTextMaxCharacters;
/** Quotes and list entries within each other; what is deeper is skipped. Bounds what each line is compared with. */
export const containersMax = 10;
/** Spaces that make a line code where no paragraph goes on. */
const codeIndent = 4;

const prefixForm = /^[ \t>*+\-\d.)]*/;
const atxOpening = /^#{1,6}(?:[ \t]|$)/;
const fenceRun = /^(?:`{3,}|~{3,})/;
const underline = /^(?:=+|-+)[ \t]*$/;
const thematicBreak = /^(?:(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}|(?:-[ \t]*){3,})$/;
const bulletMarker = /^[-+*](?=[ \t]|$)/;
const numberMarker = /^(\d{1,9})[.)](?=[ \t]|$)/;
/** A link reference definition on one line; its label is the first group. */
const definition =
  /^\[((?:[^[\]\\]|\\.){1,999})\]:[ \t]*(?:<[^<>]*>|[^\s<]\S*)(?:[ \t]+(?:"[^"]*"|'[^']*'|\([^()]*\)))?[ \t]*$/;

/** How each kind of HTML block of CommonMark begins, and how it ends; undefined for a blank line. */
const htmlBlocks: { opening: RegExp; end: RegExp | undefined }[] = [
  { opening: /^<(?:script|pre|textarea|style)(?:\s|>|$)/i, end: /<\/(?:script|pre|textarea|style)>/i },
  { opening: /^<!--/, end: /-->/ },
  { opening: /^<[?]/, end: /\?>/ },
  { opening: /^<![A-Za-z]/, end: />/ },
  { opening: /^<!\[CDATA\[/, end: /\]\]>/ },
  {
    opening:
      /^<\/?(?:address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul)(?:\s|\/?>|$)/i,
    end: undefined,
  },
];
/** One whole tag alone on its line, which cannot interrupt a paragraph. */
const loneTag =
  /^(?:<[a-z][a-z\d-]*(?:\s+[a-z_:][\w:.-]*(?:\s*=\s*(?:[^\s"'=<>`]+|'[^']*'|"[^"]*"))?)*\s*\/?>|<\/[a-z][a-z\d-]*\s*>)\s*$/i;

/** A heading, or a paragraph that opens a list entry. */
export interface MarkdownBlock {
  kind: 'heading' | 'entry';
  /** Its text without the markers of what it stands in, lines ended by line feeds; at most `blockMaxCharacters`. */
  content: string;
  /** From 0. */
  line: number;
}

/** What of a text's structure tells tasks. */
export interface MarkdownStructure {
  blocks: MarkdownBlock[];
  /** Labels of link reference definitions, as written. */
  labels: string[];
  /** Whether there were more than `containersMax` quotes and list entries within each other. */
  isTooDeep: boolean;
}

/** A quote, or a list entry with the columns that its lines are indented by. */
type Container = { kind: 'quote' } | { kind: 'entry'; columns: number; isEmpty: boolean };

type Leaf =
  | { kind: 'paragraph'; lines: string[]; length: number; line: number; opensEntry: boolean }
  | { kind: 'fence'; marker: string }
  | { kind: 'html'; end: RegExp | undefined }
  | { kind: 'code' };

/**
 * Reads the block structure of a Markdown text by CommonMark's rules, line by
 * line as its specification's appendix tells: each line is compared with the
 * at most ten quotes and list entries that are open, so time is linear in the
 * text whatever it says. Not read: definitions over several lines.
 */
export function markdownStructure(text: string): MarkdownStructure {
  const blocks: MarkdownBlock[] = [];
  const labels: string[] = [];
  const containers: Container[] = [];
  let leaf: Leaf | undefined;
  let isTooDeep = false;
  let lineNumber = 0;

  /** The open paragraph without the definitions that it begins with; undefined where nothing is left. */
  function paragraphText(): { content: string; line: number; opensEntry: boolean } | undefined {
    if (leaf?.kind !== 'paragraph') return undefined;
    const { lines, line, opensEntry } = leaf;
    let first = 0;
    for (; first < lines.length; first += 1) {
      const label = definition.exec(lines[first] ?? '')?.[1];
      if (label === undefined) break;
      labels.push(label);
    }
    if (first === lines.length) return undefined;
    const content = lines.slice(first).join('\n').slice(0, blockMaxCharacters);
    return { content, line: line + first, opensEntry };
  }

  function closeLeaf(): void {
    const paragraph = paragraphText();
    if (paragraph?.opensEntry) {
      blocks.push({ kind: 'entry', content: paragraph.content, line: paragraph.line });
    }
    leaf = undefined;
  }

  /** Ends what is open within the first `kept` containers. */
  function closeWithin(kept: number): void {
    if (kept === containers.length) return;
    closeLeaf();
    containers.length = kept;
  }

  /** Whether what comes is the first within a list entry, which from now on it is not. */
  function isFirstOfEntry(): boolean {
    const parent = containers.at(-1);
    const isFirst = parent?.kind === 'entry' && parent.isEmpty;
    if (parent?.kind === 'entry') parent.isEmpty = false;
    return isFirst;
  }

  function openLeaf(opened: Leaf): void {
    closeLeaf();
    isFirstOfEntry();
    leaf = opened;
  }

  function addLine(line: string): void {
    if (leaf?.kind !== 'paragraph') {
      closeLeaf();
      leaf = { kind: 'paragraph', lines: [], length: 0, line: lineNumber, opensEntry: isFirstOfEntry() };
    }
    if (leaf.length >= blockMaxCharacters) return;
    const kept = line.slice(0, blockMaxCharacters);
    leaf.lines.push(kept);
    leaf.length += kept.length + 1;
  }

  /** Reads a line whose containers are matched from `from` on; `rest` begins behind their markers. */
  function readBlocks(line: string, from: number, matched: number): void {
    let rest = line.slice(from);
    let kept = matched;
    /** No container was opened on this line: an open paragraph may go on. */
    let mayGoOn = leaf?.kind === 'paragraph';
    for (;;) {
      const indent = indentOf(rest);
      const words = rest.slice(indent, indent + beginningMaxCharacters);
      const isMatched = kept === containers.length;
      const inParagraph = mayGoOn && isMatched;
      if (indent >= codeIndent) {
        if (mayGoOn) break;
        closeWithin(kept);
        openLeaf({ kind: 'code' });
        return;
      }
      const fence = fenceOf(words);
      const html = htmlOf(words, mayGoOn);
      if (words.startsWith('>')) {
        if (kept === containersMax) {
          skipTooDeep();
          return;
        }
        closeWithin(kept);
        closeLeaf();
        isFirstOfEntry();
        containers.push({ kind: 'quote' });
        rest = rest.slice(indent + (rest[indent + 1] === ' ' ? 2 : 1));
      } else if (atxOpening.test(words)) {
        closeWithin(kept);
        closeLeaf();
        isFirstOfEntry();
        blocks.push({ kind: 'heading', content: atxText(rest.slice(indent)), line: lineNumber });
        return;
      } else if (fence !== undefined) {
        closeWithin(kept);
        openLeaf({ kind: 'fence', marker: fence });
        return;
      } else if (html !== undefined) {
        closeWithin(kept);
        openLeaf({ kind: 'html', end: html.end });
        endHtml(rest);
        return;
      } else if (inParagraph && underline.test(words) && underlined()) {
        return;
      } else if (thematicBreak.test(words)) {
        closeWithin(kept);
        closeLeaf();
        isFirstOfEntry();
        return;
      } else {
        const marker = listMarker(words, inParagraph);
        if (marker === undefined) break;
        if (kept === containersMax) {
          skipTooDeep();
          return;
        }
        closeWithin(kept);
        closeLeaf();
        isFirstOfEntry();
        const behind = rest.slice(indent + marker.length);
        const blanks = indentOf(behind);
        const isBlank = blanks === behind.length;
        const padding = isBlank || blanks > codeIndent ? 1 : blanks;
        containers.push({ kind: 'entry', columns: indent + marker.length + padding, isEmpty: true });
        rest = behind.slice(padding);
      }
      kept = containers.length;
      mayGoOn = false;
      if (rest.trim() === '') return;
    }
    // An open paragraph goes on even without the markers of what it stands in.
    if (!mayGoOn) closeWithin(kept);
    addLine(rest.trimStart());
  }

  /** What stands deeper than is looked is no text of what it stands in either. */
  function skipTooDeep(): void {
    isTooDeep = true;
    openLeaf({ kind: 'code' });
  }

  /** Makes the open paragraph a heading; false where it is nothing but definitions. */
  function underlined(): boolean {
    const paragraph = paragraphText();
    leaf = undefined;
    if (paragraph === undefined) return false;
    blocks.push({ kind: 'heading', content: paragraph.content.trim(), line: paragraph.line });
    return true;
  }

  function endHtml(line: string): void {
    if (leaf?.kind === 'html' && leaf.end?.test(line)) leaf = undefined;
  }

  function readLine(line: string): void {
    const isBlank = line.trim() === '';
    let from = 0;
    let matched = 0;
    for (const container of containers) {
      const indent = indentOf(line, from);
      if (container.kind === 'quote') {
        if (indent >= codeIndent || line[from + indent] !== '>') break;
        from += indent + (line[from + indent + 1] === ' ' ? 2 : 1);
      } else if (isBlankFrom(line, from)) {
        if (container.isEmpty) break;
      } else {
        if (indent < container.columns) break;
        from += container.columns;
      }
      matched += 1;
    }
    const isMatched = matched === containers.length;
    const isBlankHere = isBlank || isBlankFrom(line, from);
    if (isMatched && leaf?.kind === 'fence') {
      if (closesFence(line.slice(from), leaf.marker)) leaf = undefined;
    } else if (isMatched && leaf?.kind === 'html' && !(isBlankHere && leaf.end === undefined)) {
      endHtml(line.slice(from));
    } else if (isBlankHere) {
      closeWithin(matched);
      if (leaf?.kind !== 'code') closeLeaf();
    } else if (!(isMatched && leaf?.kind === 'code' && indentOf(line, from) >= codeIndent)) {
      if (leaf?.kind !== 'paragraph') leaf = undefined;
      readBlocks(line, from, matched);
    }
  }

  for (let start = 0; start < text.length; lineNumber += 1) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    readLine(withColumns(text.slice(start, end)));
    start = end + 1;
  }
  closeLeaf();
  return { blocks, labels, isTooDeep };
}

/** Tabs among the markers at the beginning of a line as the blanks that they stand for, up to the next fourth column. */
function withColumns(line: string): string {
  const prefix = prefixForm.exec(line.slice(0, beginningMaxCharacters))?.[0] ?? '';
  if (!prefix.includes('\t')) return line;
  let columns = '';
  for (const character of prefix)
    columns += character === '\t' ? ' '.repeat(4 - (columns.length % 4)) : character;
  return columns + line.slice(prefix.length);
}

/** Blanks from a place of a line on. */
function indentOf(line: string, from = 0): number {
  let position = from;
  while (line[position] === ' ') position += 1;
  return position - from;
}

function isBlankFrom(line: string, from: number): boolean {
  return from + indentOf(line, from) >= line.length || line.slice(from).trim() === '';
}

/** The marks that open fenced code; backticks after them make it code within a line instead. */
function fenceOf(words: string): string | undefined {
  const run = fenceRun.exec(words)?.[0];
  return run?.startsWith('`') && words.includes('`', run.length) ? undefined : run;
}

function closesFence(line: string, opening: string): boolean {
  const indent = indentOf(line);
  const words = line.slice(indent, indent + beginningMaxCharacters);
  const run = fenceRun.exec(words)?.[0] ?? '';
  return indent < codeIndent && run.startsWith(opening) && words.slice(run.length).trim() === '';
}

function htmlOf(words: string, mayGoOn: boolean): { end: RegExp | undefined } | undefined {
  if (!words.startsWith('<')) return undefined;
  const found = htmlBlocks.find(({ opening }) => opening.test(words));
  return found ?? (!mayGoOn && loneTag.test(words) ? { end: undefined } : undefined);
}

/** The marker of a list entry; one that interrupts a paragraph has words behind it, and counts from 1. */
function listMarker(words: string, inParagraph: boolean): string | undefined {
  const number = numberMarker.exec(words);
  const marker = bulletMarker.exec(words)?.[0] ?? number?.[0];
  if (marker === undefined || !inParagraph) return marker;
  const isFirst = number === null || Number(number[1]) === 1;
  return isFirst && words.slice(marker.length).trim() !== '' ? marker : undefined;
}

/** The words of a line that begins with the marks of a heading. */
function atxText(line: string): string {
  const words = line.slice(0, blockMaxCharacters).replace(/^#+/, '').trim();
  return words.replace(/(?:^|[ \t])#+$/, '').trim();
}
