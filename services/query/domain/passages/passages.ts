import { type Block, headingText, markdownBlocks } from '@teammemory/markdown/blocks.ts';
import { type Span, sentencesOf, trimmed } from '../text/sentences.ts';
import type { FeedItem } from './feeds.ts';
import { withTextFields } from './item-fields.ts';
import type { Passage } from './passage.ts';
import { passagesToJson, type StoredItem } from './passage-store.ts';

/** About 200 English words, the size that ranks best; what is cited stays readable. */
export const maxPassageLength = 1_400;
/** Enough to recognise a heading by; six of them stay small beside the passage. */
const maxHeadingLength = 120;
/**
 * Sections of an item, twice what 1 MiB of ordinary notes has. What follows
 * them is cut by size alone, so that an item of nothing but headings cannot
 * grow to hundreds of thousands of passages: with every heading repeated and
 * every character escaped, its row stays below MongoDB's 16 MB.
 */
const maxSections = 2_000;
const fence = /^[ \t]*(?:```|~~~)/;
const rowOrItem = /^[ \t]*(?:\||(?:[-*+]|\d{1,9}[.)])[ \t])/;
/** A number that may begin a line of a wrapped paragraph, such as the year that ends a sentence. */
const laterNumber = /^[ \t]*(?!1[.)])\d{1,9}[.)][ \t]/;
/** Deep indentation included; a longer one is no list any more. */
const maxMarkerLength = 64;

interface Section {
  headings: readonly string[];
  blocks: readonly Span[];
}

/**
 * Cuts the Markdown of an item into passages of at most 1,400 characters: at
 * headings, then between paragraphs, then between list items, rows of tables
 * and lines of code, then between sentences, and where there is none of these,
 * anywhere. Texts are verbatim and in order. A heading with nothing below it is
 * a passage itself. Blank content has no passages.
 */
export function cutIntoPassages(content: string): Passage[] {
  const passages: Passage[] = [];
  for (const { headings, blocks } of sectionsOf(content)) {
    const spans: Span[] = [];
    for (const block of blocks) {
      for (const piece of piecesOf(content, block)) pack(piece, spans);
    }
    for (const { start, end } of spans)
      passages.push({ ordinal: passages.length, headings, text: content.slice(start, end) });
  }
  return passages;
}

function sectionsOf(content: string): Section[] {
  const blocks = markdownBlocks(content);
  const sections: Section[] = [];
  const path: { level: number; text: string }[] = [];
  let current: Span[] = [];
  const close = () => {
    if (current.length > 0) sections.push({ headings: path.map(({ text }) => text), blocks: current });
    current = [];
  };
  for (const [index, block] of blocks.entries()) {
    if (block.level === 0 || sections.length >= maxSections) {
      current.push(block);
      continue;
    }
    close();
    while ((path.at(-1)?.level ?? 0) >= block.level) path.pop();
    if (isLeaf(block, blocks[index + 1])) current.push(block);
    else path.push({ level: block.level, text: headingText(content, block, maxHeadingLength) });
  }
  close();
  return sections;
}

/** Nothing stands below the heading: the next one is of its own level or a higher one. */
function isLeaf(heading: Block, next: Block | undefined): boolean {
  return next === undefined || (next.level > 0 && next.level <= heading.level);
}

/** Yields the block itself if it fits, else its lines or sentences, cut again if they do not fit. */
function* piecesOf(content: string, block: Span): Generator<Span> {
  if (block.end - block.start <= maxPassageLength) yield block;
  else for (const part of linesThatStandAlone(content, block)) yield* sentencePiecesOf(content, part);
}

/** Lines of code, rows of tables and list items, each with the lines of text behind it. */
function* linesThatStandAlone(content: string, { start, end }: Span): Generator<Span> {
  const first = content.slice(start, start + maxMarkerLength);
  const begins = fence.test(first) ? /^/ : rowOrItem;
  let inList = rowOrItem.test(first);
  let from = start;
  for (let line = nextLine(content, from); line < end; line = nextLine(content, line)) {
    const beginning = content.slice(line, line + maxMarkerLength);
    if (!begins.test(beginning) || (begins === rowOrItem && !inList && laterNumber.test(beginning))) continue;
    inList = true;
    yield { start: from, end: line - 1 };
    from = line;
  }
  yield { start: from, end };
}

function nextLine(content: string, from: number): number {
  const newline = content.indexOf('\n', from);
  return newline < 0 ? content.length : newline + 1;
}

function* sentencePiecesOf(content: string, part: Span): Generator<Span> {
  if (part.end - part.start <= maxPassageLength) yield* trimmed(content, part);
  else for (const sentence of sentencesOf(content, part)) yield* slicesOf(content, sentence);
}

function slicesOf(content: string, { start, end }: Span): Span[] {
  const slices: Span[] = [];
  for (let from = start; from < end; ) {
    const to = end - from <= maxPassageLength ? end : cutPosition(content, from);
    slices.push({ start: from, end: to });
    from = to;
  }
  return slices;
}

/** After the last blank of the slice, if its second half has one; never inside a surrogate pair. */
function cutPosition(content: string, from: number): number {
  const limit = from + maxPassageLength;
  const blank = content.slice(from, limit).lastIndexOf(' ');
  if (blank > maxPassageLength / 2) return from + blank + 1;
  const code = content.charCodeAt(limit);
  return code >= 0xdc00 && code <= 0xdfff ? limit - 1 : limit;
}

/** Joins a piece to its neighbour as long as they fit into one passage. */
function pack(piece: Span, spans: Span[]): void {
  const last = spans.at(-1);
  if (last && piece.end - last.start <= maxPassageLength) last.end = piece.end;
  else spans.push({ ...piece });
}

/** Cuts items into their rows. 1 MiB can take half a second: to be called beside the event loop. */
export function cutItems(items: readonly FeedItem[]): StoredItem[] {
  return items.map(({ seq, rowKey, kind, tier, title, content, fields, writerId, isErased }) => {
    const passages = cutIntoPassages(content);
    return {
      seq,
      rowKey,
      ...(kind && { kind }),
      tier,
      writerId,
      json: passagesToJson({
        title,
        passages,
        ...(fields && passages.length > 0 && { fields: withTextFields(fields, title, content) }),
        isErased,
      }),
    };
  });
}
