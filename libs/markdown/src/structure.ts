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
  const reader = new StructureReader();
  for (let start = 0; start < text.length; reader.lineNumber += 1) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    reader.readLine(withColumns(text.slice(start, end)));
    const last = reader.blocks.at(-1);
    if (last !== undefined && isEnough(last)) break;
    start = end + 1;
  }
  reader.closeLeaf();
  return reader;
}

/** Reads lines one after the other. */
class StructureReader implements MarkdownStructure {
  readonly blocks: MarkdownBlock[] = [];
  readonly labels: string[] = [];
  isTooDeep = false;
  /** Of the line that is read, from 0. */
  lineNumber = 0;
  /** Open quotes and list entries, outermost first. */
  readonly #containers: Container[] = [];
  /** The open block inside all of them. */
  #leaf: Leaf | undefined;

  /** Returns the open paragraph without the definitions at its beginning; undefined if nothing is left. */
  #paragraphText(): { content: string; line: number; opensEntry: boolean } | undefined {
    if (this.#leaf?.kind !== 'paragraph') return undefined;
    const { lines, line, opensEntry } = this.#leaf;
    let first = 0;
    for (; first < lines.length; first += 1) {
      const label = definition.exec(lines[first] ?? '')?.[1];
      if (label === undefined) break;
      this.labels.push(label);
    }
    if (first === lines.length) return undefined;
    const content = lines.slice(first).join('\n').slice(0, maxBlockCharacters);
    return { content, line: line + first, opensEntry };
  }

  closeLeaf(): void {
    const paragraph = this.#paragraphText();
    if (paragraph?.opensEntry) {
      this.blocks.push({ kind: 'entry', content: paragraph.content, line: paragraph.line, isNested: true });
    }
    this.#leaf = undefined;
  }

  /** Closes everything inside the first `kept` containers. */
  #closeWithin(kept: number): void {
    if (kept === this.#containers.length) return;
    this.closeLeaf();
    this.#containers.length = kept;
  }

  /** Whether the next block is the first of a list entry; notes that it no longer is. */
  #isFirstOfEntry(): boolean {
    const parent = this.#containers.at(-1);
    const isFirst = parent?.kind === 'entry' && parent.isEmpty;
    if (parent?.kind === 'entry') parent.isEmpty = false;
    return isFirst;
  }

  #openLeaf(opened: Leaf): void {
    this.closeLeaf();
    this.#isFirstOfEntry();
    this.#leaf = opened;
  }

  #addLine(line: string): void {
    if (this.#leaf?.kind !== 'paragraph') {
      this.closeLeaf();
      this.#leaf = {
        kind: 'paragraph',
        lines: [],
        length: 0,
        line: this.lineNumber,
        opensEntry: this.#isFirstOfEntry(),
      };
    }
    if (this.#leaf.length >= maxBlockCharacters) return;
    const kept = line.slice(0, maxBlockCharacters);
    this.#leaf.lines.push(kept);
    this.#leaf.length += kept.length + 1;
  }

  /** Reads a line of which `matched` containers continue; their markers end at `from`. */
  #readBlocks(line: string, from: number, matched: number): void {
    let rest = line.slice(from);
    let kept = matched;
    /** No container was opened on this line, so an open paragraph may continue. */
    let mayGoOn = this.#leaf?.kind === 'paragraph';
    for (;;) {
      const indent = indentOf(rest);
      const words = rest.slice(indent, indent + maxMarkerCharacters);
      const isMatched = kept === this.#containers.length;
      const inParagraph = mayGoOn && isMatched;
      if (indent >= codeIndent) {
        if (mayGoOn) break;
        this.#closeWithin(kept);
        this.#openLeaf({ kind: 'code' });
        return;
      }
      const fence = fenceOf(words);
      const html = htmlOf(words, mayGoOn);
      if (words.startsWith('>')) {
        if (kept === maxContainers) {
          this.#skipTooDeep();
          return;
        }
        this.#closeWithin(kept);
        this.closeLeaf();
        this.#isFirstOfEntry();
        this.#containers.push({ kind: 'quote' });
        rest = rest.slice(indent + (rest[indent + 1] === ' ' ? 2 : 1));
      } else if (atxOpening.test(words)) {
        this.#closeWithin(kept);
        this.closeLeaf();
        this.#isFirstOfEntry();
        this.blocks.push({
          kind: 'heading',
          content: atxText(rest.slice(indent, indent + maxBlockCharacters)),
          line: this.lineNumber,
          isNested: this.#containers.length > 0,
        });
        return;
      } else if (fence !== undefined) {
        this.#closeWithin(kept);
        this.#openLeaf({ kind: 'fence', marker: fence });
        return;
      } else if (html !== undefined) {
        this.#closeWithin(kept);
        this.#openLeaf({ kind: 'html', end: html.end });
        this.#endHtml(rest);
        return;
      } else if (inParagraph && underline.test(words) && this.#underlined()) {
        return;
      } else if (thematicBreak.test(words)) {
        this.#closeWithin(kept);
        this.closeLeaf();
        this.#isFirstOfEntry();
        return;
      } else {
        const marker = listMarker(words, inParagraph);
        if (marker === undefined) break;
        if (kept === maxContainers) {
          this.#skipTooDeep();
          return;
        }
        this.#closeWithin(kept);
        this.closeLeaf();
        this.#isFirstOfEntry();
        const behind = rest.slice(indent + marker.length);
        const blanks = indentOf(behind);
        const isBlank = blanks === behind.length;
        const padding = isBlank || blanks > codeIndent ? 1 : blanks;
        this.#containers.push({ kind: 'entry', columns: indent + marker.length + padding, isEmpty: true });
        rest = behind.slice(padding);
      }
      kept = this.#containers.length;
      mayGoOn = false;
      if (rest.trim() === '') return;
    }
    // An open paragraph continues even without the markers of its containers.
    if (!mayGoOn) this.#closeWithin(kept);
    this.#addLine(rest.trimStart());
  }

  /** Text that is nested too deep does not belong to the containers around it either. */
  #skipTooDeep(): void {
    this.isTooDeep = true;
    this.#openLeaf({ kind: 'code' });
  }

  /** Makes the open paragraph a heading; returns false if it has nothing but definitions. */
  #underlined(): boolean {
    const paragraph = this.#paragraphText();
    this.#leaf = undefined;
    if (paragraph === undefined) return false;
    const { content, line } = paragraph;
    this.blocks.push({
      kind: 'heading',
      content: content.trim(),
      line,
      isNested: this.#containers.length > 0,
    });
    return true;
  }

  #endHtml(line: string): void {
    if (this.#leaf?.kind === 'html' && this.#leaf.end?.test(line)) this.#leaf = undefined;
  }

  readLine(line: string): void {
    const isBlank = line.trim() === '';
    let from = 0;
    let matched = 0;
    for (const container of this.#containers) {
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
    const isMatched = matched === this.#containers.length;
    const isBlankHere = isBlank || isBlankFrom(line, from);
    if (isMatched && this.#leaf?.kind === 'fence') {
      if (closesFence(line.slice(from), this.#leaf.marker)) this.#leaf = undefined;
    } else if (isMatched && this.#leaf?.kind === 'html' && !(isBlankHere && this.#leaf.end === undefined)) {
      this.#endHtml(line.slice(from));
    } else if (isBlankHere) {
      this.#closeWithin(matched);
      if (this.#leaf?.kind !== 'code') this.closeLeaf();
    } else if (!(isMatched && this.#leaf?.kind === 'code' && indentOf(line, from) >= codeIndent)) {
      if (this.#leaf?.kind !== 'paragraph') this.#leaf = undefined;
      this.#readBlocks(line, from, matched);
    }
  }
}
