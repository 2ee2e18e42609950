import {
  atxOpening,
  atxText,
  closesFence,
  codeIndent,
  definition,
  fenceOf,
  htmlOf,
  indentOf,
  isBlankFrom,
  listMarker,
  maxMarkerCharacters,
  thematicBreak,
  underline,
  withColumns,
} from './lines.ts';

/** Characters of a block's text that are kept. */
export const maxBlockCharacters = 1_000;
/** Quotes and list entries inside each other; deeper text is skipped. Bounds what each line is compared with. */
const maxContainers = 10;

/** A heading, or a paragraph that opens a list entry. */
export interface MarkdownBlock {
  kind: 'heading' | 'entry';
  /** Its text without the markers of its containers, lines ended by line feeds; at most `maxBlockCharacters`. */
  content: string;
  /** From 0. */
  line: number;
  /** Whether it stands in a quote or a list. */
  isNested: boolean;
}

/** The parts of a text's structure that tasks and titles are read from. */
export interface MarkdownStructure {
  blocks: MarkdownBlock[];
  /** Labels of link reference definitions, as written. */
  labels: string[];
  /** Whether there were more than `maxContainers` quotes and list entries inside each other. */
  isTooDeep: boolean;
}

/** A quote, or a list entry whose lines are indented by `columns`. */
type Container = { kind: 'quote' } | { kind: 'entry'; columns: number; isEmpty: boolean };

type Leaf =
  | { kind: 'paragraph'; lines: string[]; length: number; line: number; opensEntry: boolean }
  | { kind: 'fence'; marker: string }
  | { kind: 'html'; end: RegExp | undefined }
  | { kind: 'code' };

/**
 * Reads the block structure of a Markdown text by the procedure in the appendix of the CommonMark specification: each
 * line is compared with the open quotes and list entries, at most ten, so time is linear in the text. Hand-written
 * because the libraries take seconds for some texts (ADR 15). Definitions over several lines are not read. It stops behind
 * a block that is all that was wanted.
 */
export function markdownStructure(
  text: string,
  isEnough: (block: MarkdownBlock) => boolean = () => false,
): MarkdownStructure {
  const blocks: MarkdownBlock[] = [];
  const labels: string[] = [];
  const containers: Container[] = [];
  let leaf: Leaf | undefined;
  let isTooDeep = false;
  let lineNumber = 0;

  /** Returns the open paragraph without the definitions at its beginning; undefined if nothing is left. */
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
    const content = lines.slice(first).join('\n').slice(0, maxBlockCharacters);
    return { content, line: line + first, opensEntry };
  }

  function closeLeaf(): void {
    const paragraph = paragraphText();
    if (paragraph?.opensEntry) {
      blocks.push({ kind: 'entry', content: paragraph.content, line: paragraph.line, isNested: true });
    }
    leaf = undefined;
  }

  /** Closes everything inside the first `kept` containers. */
  function closeWithin(kept: number): void {
    if (kept === containers.length) return;
    closeLeaf();
    containers.length = kept;
  }

  /** Whether the next block is the first of a list entry; notes that it no longer is. */
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
    if (leaf.length >= maxBlockCharacters) return;
    const kept = line.slice(0, maxBlockCharacters);
    leaf.lines.push(kept);
    leaf.length += kept.length + 1;
  }

  /** Reads a line of which `matched` containers continue; their markers end at `from`. */
  function readBlocks(line: string, from: number, matched: number): void {
    let rest = line.slice(from);
    let kept = matched;
    /** No container was opened on this line, so an open paragraph may continue. */
    let mayGoOn = leaf?.kind === 'paragraph';
    for (;;) {
      const indent = indentOf(rest);
      const words = rest.slice(indent, indent + maxMarkerCharacters);
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
        if (kept === maxContainers) {
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
        blocks.push({
          kind: 'heading',
          content: atxText(rest.slice(indent, indent + maxBlockCharacters)),
          line: lineNumber,
          isNested: containers.length > 0,
        });
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
        if (kept === maxContainers) {
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
    // An open paragraph continues even without the markers of its containers.
    if (!mayGoOn) closeWithin(kept);
    addLine(rest.trimStart());
  }

  /** Text that is nested too deep does not belong to the containers around it either. */
  function skipTooDeep(): void {
    isTooDeep = true;
    openLeaf({ kind: 'code' });
  }

  /** Makes the open paragraph a heading; returns false if it has nothing but definitions. */
  function underlined(): boolean {
    const paragraph = paragraphText();
    leaf = undefined;
    if (paragraph === undefined) return false;
    const { content, line } = paragraph;
    blocks.push({ kind: 'heading', content: content.trim(), line, isNested: containers.length > 0 });
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
    const last = blocks.at(-1);
    if (last !== undefined && isEnough(last)) break;
    start = end + 1;
  }
  closeLeaf();
  return { blocks, labels, isTooDeep };
}
