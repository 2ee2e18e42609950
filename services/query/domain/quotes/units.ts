import { type Span, sentencesOf } from '../text/sentences.ts';
import { type Block, type LeafBlock, type ListBlock, markdownTree } from './markdown-tree.ts';

/**
 * Units that belong together: sentences of a paragraph, items of a list, rows of a table, parts of code, or lines
 * behind `>`.
 */
export interface Series extends Span {
  kind: 'prose' | 'list' | 'steps' | 'table' | 'code' | 'quote';
  /** Its parts, in order; one unit or more stand in each. */
  parts: Span[];
  /** The context needed to understand it, outermost first: list items above it, a lead-in, the head of a table. */
  under: readonly Span[];
}

/** The smallest that an answer may quote. */
export interface Unit extends Span {
  /** The context needed to understand it, outermost first. */
  under: readonly Span[];
  /** A sentence of running text, an item or other line, a row of a table, lines of code, or a whole block. */
  layout: 'sentence' | 'item' | 'row' | 'code' | 'block';
  series: Series;
  /** Which of the parts of its series it stands in. */
  part: number;
}

/** Longer text has something to say, and is quoted by itself. */
const maxLeadLength = 250;
/** Longer items and blocks are quoted in parts: about five sentences. */
const maxUnitLength = 500;
/** An item with others below it is quoted by these where it is longer. */
const maxNestLength = 300;
/** A line of a paragraph, so short and without an end, is a label of what follows it. */
const maxLabelLength = 100;
/** Characters at the beginning of a line in which marks are looked for. */
const maxMarksLength = 64;
const headingMarks = /^[ \t]*(?:#{1,6}(?=[ \t])|\[\^[^\]\s]+\]:)[ \t]*/;
const announcement = /[:：?？]["'”’)*_`」』]*$/;
/** How words end that have something to say by themselves. */
const concluding = /[.!…。！;]["'”’)*_`」』]*$/;
/** Text that serves as a heading without being one: a bold word, bold words that are no sentence, HTML headings. */
const boldOrHtmlHeading = /^(?:(\*\*|__)(?:[^*_\s]+|[^*_\n]*[^*_\n.!。！])\1|<(?:summary|h[1-6]|dt)\b.*>)$/i;
/** Bold words that a paragraph begins with, and that name what it is about. */
const runInHeading = /^(\*\*|__)[^*_\n]{1,80}[^*_\n?？]\1[.:]?$/;
/** `Owner: Ada`: a line that is one of a record. */
const labelled = /^[ \t]*(?:\*\*|__)?[\p{L}\p{N}][^:：\n.?!|]{0,40}(?:\*\*|__)?[:：](?:\*\*|__)?[ \t]+\S/u;
const fenceLine = /^[ \t]*(?:```|~~~)[`~]*\s*$/;

/**
 * Returns the units of a passage that an answer can quote, in order. Text that only announces what follows (a question,
 * "For example:", an item with others below it, the head of a table) is quoted only together with that.
 */
export function unitsOf(text: string): Unit[] {
  return unitsOfBlocks(text, markdownTree(text), []);
}

function unitsOfBlocks(text: string, blocks: readonly Block[], under: readonly Span[]): Unit[] {
  const units: Unit[] = [];
  let leads: readonly Span[] = [];
  for (const [index, block] of blocks.entries()) {
    const next = blocks[index + 1];
    const found = unitsOfBlock(text, block, [...under, ...leads]);
    const last = found.at(-1);
    const isLead = last && next && last.layout === 'sentence' && leadsTo(text, last, block, next);
    for (const unit of isLead ? found.slice(0, -1) : found) units.push(unit);
    leads = isLead
      ? [...(found.length === 1 ? leads : []), { start: last.start, end: last.end }].slice(-2)
      : [];
  }
  return units;
}

/** Whether the last words of a block are of use only together with the next block. */
function leadsTo(text: string, { start, end }: Span, block: Block, next: Block): boolean {
  if (block.kind === 'heading') return true;
  if (block.kind !== 'paragraph') return false;
  const words = text.slice(start, end);
  const isLabel = next.kind !== 'paragraph' && words.length <= maxLabelLength && !concluding.test(words);
  return announces(words) || (isLabel && block.lines.length === 1 && start === block.start);
}

/** Whether words do nothing but announce what follows them. */
function announces(words: string): boolean {
  return words.length <= maxLeadLength && (announcement.test(words) || boldOrHtmlHeading.test(words));
}

function unitsOfBlock(text: string, block: Block, under: readonly Span[]): Unit[] {
  if (block.kind === 'list') return unitsOfList(text, block, under);
  if (block.kind === 'table') return rowsOf(block, under);
  if (block.kind === 'code') return unitsOfCode(text, block, under);
  if (block.kind === 'quote') return unitsOfQuote(text, block, under);
  if (block.kind === 'paragraph' && isRecord(text, block)) {
    const series: Series = { ...spanOf(block), kind: 'list', parts: block.lines, under };
    return block.lines.map((line, part) => ({ ...line, under, layout: 'item', series, part }));
  }
  return sentencesUnder(text, block, under);
}

function isRecord(text: string, { lines }: LeafBlock): boolean {
  const isEntry = ({ start, end }: Span) =>
    labelled.test(text.slice(start, Math.min(end, start + maxLabelLength))) &&
    !announces(text.slice(start, end));
  return lines.length > 1 && lines.every(isEntry);
}

function unitsOfList(text: string, { items, isOrdered, ...list }: ListBlock, under: readonly Span[]): Unit[] {
  const parts = items.map(spanOf);
  const series: Series = { ...spanOf(list), kind: isOrdered ? 'steps' : 'list', parts, under };
  return items.flatMap(({ start, end, mark, blocks }, part): Unit[] => {
    const isNest = blocks.some(({ kind }) => kind === 'list');
    const [first, ...others] = blocks;
    if (end - start <= (isNest ? maxNestLength : maxUnitLength) || !first)
      // Below others an item keeps its indentation, by which a reader sees where it belongs.
      return [{ start: under.length === 0 ? mark : start, end, under, layout: 'item', series, part }];
    const head = { start: under.length === 0 ? mark : start, end: first.end };
    const words = text.slice(head.start, head.end);
    const isWhole = first.kind === 'paragraph' && words.length <= maxUnitLength;
    const isLead = isWhole && others.length > 0 && words.length <= maxLeadLength;
    const own: Unit[] = isWhole
      ? [{ ...head, under, layout: 'item', series, part }]
      : unitsOfBlock(text, first, under).map((unit) => ({ ...unit, series, part }));
    const below = unitsOfBlocks(text, others, isLead ? [...under, head] : under);
    return isLead && (announces(words) || !concluding.test(words)) ? below : [...own, ...below];
  });
}

/** Sentences after the marks of their line, each question together with the sentence behind it. */
function sentencesUnder(text: string, { start, end }: Span, under: readonly Span[]): Unit[] {
  const marks = headingMarks.exec(text.slice(start, Math.min(end, start + maxMarksLength)))?.[0].length ?? 0;
  const from = marks > 0 ? start + marks : start + (/^[ \t]*/.exec(text.slice(start, end))?.[0].length ?? 0);
  const sentences = [...sentencesOf(text, { start: from, end })];
  const series: Series = { start: from, end, kind: 'prose', parts: sentences, under };
  const asks = ({ start: first, end: last }: Span) => announces(text.slice(first, last));
  const [first] = sentences;
  const isLabelled =
    first !== undefined && sentences.length > 1 && runInHeading.test(text.slice(first.start, first.end));
  const aboveAll = isLabelled ? [...under, { start: first.start, end: first.end }] : under;
  return sentences.flatMap((sentence, part): Unit[] => {
    const before = sentences[part - 1];
    if ((asks(sentence) && part < sentences.length - 1) || (isLabelled && part === 0)) return [];
    // Lines without any full stop are no prose: names, figures, the middle of long code.
    if (sentence.end - sentence.start > maxUnitLength) return linesUnder(text, sentence, aboveAll);
    const isAsked = before && asks(before) && !(isLabelled && part === 1);
    const above = isAsked ? [...aboveAll, before] : aboveAll;
    return [{ ...sentence, under: above, layout: 'sentence', series, part }];
  });
}

function linesUnder(text: string, { start, end }: Span, under: readonly Span[]): Unit[] {
  const lines: Span[] = [];
  for (let from = start; from < end; from = (lines.at(-1)?.end ?? end) + 1) {
    const newline = text.indexOf('\n', from);
    lines.push({ start: from, end: newline < 0 || newline > end ? end : newline });
  }
  const series: Series = { start, end, kind: lines.length === 1 ? 'prose' : 'list', parts: lines, under };
  const layout = lines.length === 1 ? 'sentence' : 'item';
  return lines.map((line, part) => ({ ...line, under, layout, series, part }));
}

function rowsOf({ lines, isHeaded, ...table }: LeafBlock, above: readonly Span[]): Unit[] {
  const [first, second] = lines;
  const under = isHeaded && first && second ? [...above, { start: first.start, end: second.end }] : above;
  const parts = isHeaded ? lines.slice(2) : lines;
  const series: Series = {
    start: parts[0]?.start ?? table.start,
    end: table.end,
    kind: 'table',
    parts,
    under,
  };
  return parts.map((line, part) => ({ ...line, under, layout: 'row', series, part }));
}

/** Short code whole, else what stands between its blank lines, or its lines, under the fence that tells their language. */
function unitsOfCode(text: string, block: LeafBlock, above: readonly Span[]): Unit[] {
  const whole = spanOf(block);
  if (block.end - block.start <= maxUnitLength) {
    const series: Series = { ...whole, kind: 'code', parts: [whole], under: above };
    return [{ ...whole, under: above, layout: 'block', series, part: 0 }];
  }
  const [fence, ...lines] = block.lines;
  const under = fence ? [...above, fence] : above;
  const groups: Span[][] = [[]];
  for (const line of lines) {
    const words = text.slice(line.start, line.end);
    if (words.trim() === '' || fenceLine.test(words)) groups.push([]);
    else groups.at(-1)?.push(line);
  }
  const parts = groups.flatMap((group) => {
    const [first, last] = [group[0], group.at(-1)];
    if (!first || !last || last.end - first.start > maxUnitLength) return group;
    return [{ start: first.start, end: last.end }];
  });
  const start = parts[0]?.start ?? whole.start;
  const series: Series = { start, end: parts.at(-1)?.end ?? whole.end, kind: 'code', parts, under };
  return parts.map((span, part) => ({ ...span, under, layout: 'code', series, part }));
}

/** A short block behind `>` whole, else its paragraphs, or its lines where one of these is too long. */
function unitsOfQuote(text: string, { lines, ...block }: LeafBlock, under: readonly Span[]): Unit[] {
  const groups: Span[][] = [[]];
  for (const line of lines) {
    if (/^[ \t>]*$/.test(text.slice(line.start, line.end))) groups.push([]);
    else groups.at(-1)?.push(line);
  }
  const isShort = block.end - block.start <= maxUnitLength;
  const parts = isShort
    ? [spanOf(block)]
    : groups.flatMap((group) => {
        const [first, last] = [group[0], group.at(-1)];
        if (!first || !last || last.end - first.start > maxUnitLength) return group;
        return [{ start: first.start, end: last.end }];
      });
  const series: Series = { ...spanOf(block), kind: 'quote', parts, under };
  return parts.map((span, part) => ({ ...span, under, layout: 'block', series, part }));
}

function spanOf({ start, end }: Span): Span {
  return { start, end };
}
