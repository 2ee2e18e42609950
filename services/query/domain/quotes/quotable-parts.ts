import { type Span, sentencesOf } from '../text/sentences.ts';
import { type QuotableBlock, tableDelimiter } from './quotable-blocks.ts';

/** Something that an answer may quote. */
export interface Quotable extends Span {
  /** What it is not understood without, outermost first: a lead-in, the items it stands under, the head of its table. */
  under: readonly Span[];
  /** A sentence of running text, a list item or other line, a row of a table, lines of code, or a whole block. */
  layout: 'sentence' | 'item' | 'row' | 'code' | 'block';
}

/** What is longer has something to say, and is quoted by itself. */
export const maxLeadLength = 250;
/** Longer items, quotes and blocks of code come in parts, so that an answer stays short: about five sentences. */
const maxWholeLength = 500;
/** Marks before the words of a line: quotes, list items with their box, headings, notes. */
const lineMarks =
  /^(?:[ \t]*(?:>|#{1,6}(?=[ \t])|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t])|\[[ xX-]\](?=[ \t])|\[\^[^\]\s]+\]:))*[ \t]*/;
/** Marks looked for at the beginning of a line; longer runs of them are not marks any more. */
const maxMarksLength = 64;
const announcement = /[:：?？]["'”’)*_`」』]*$/;
/** What serves as a heading without being one: a bold word, bold words that are no sentence, HTML's own. */
const boldOrHtmlHeading = /^(?:(\*\*|__)(?:[^*_\s]+|[^*_\n]*[^*_\n.!。！])\1|<(?:summary|h[1-6]|dt)\b.*>)$/i;
const closingFence = /^[ \t]*(?:```|~~~)[`~]*\s*$/;

/** Whether words do nothing but announce what follows them. */
export function announces(words: string): boolean {
  return words.length <= maxLeadLength && (announcement.test(words) || boldOrHtmlHeading.test(words));
}

/** What of a block may be quoted, in order: the whole of a short one, else its sentences, rows or lines. */
export function quotableParts(text: string, block: QuotableBlock, under: readonly Span[]): Quotable[] {
  const { kind, start, end, indent, lines } = block;
  const isShort = end - start <= maxWholeLength;
  if (kind === 'table') return rowsOf(text, lines, under);
  if (kind === 'code' && !isShort) return rowsOfCode(text, lines, under);
  if (kind === 'code' || (kind === 'quote' && isShort)) return [{ start, end, under, layout: 'block' }];
  if (kind === 'quote') return lines.flatMap((line) => sentencesUnder(text, line, under));
  // Below others an item keeps its indentation, by which a reader sees where it belongs.
  if (kind === 'item' && isShort)
    return [{ start: under.length === 0 ? start + indent : start, end, under, layout: 'item' }];
  return sentencesUnder(text, block, under);
}

/** Sentences after the marks of their line, each question together with the sentence behind it. */
function sentencesUnder(text: string, { start, end }: Span, under: readonly Span[]): Quotable[] {
  const marks = lineMarks.exec(text.slice(start, Math.min(end, start + maxMarksLength)))?.[0].length ?? 0;
  const sentences = [...sentencesOf(text, { start: start + marks, end })];
  const asks = ({ start: from, end: to }: Span) => announces(text.slice(from, to));
  return sentences.flatMap((sentence, index): Quotable[] => {
    const before = sentences[index - 1];
    if (asks(sentence) && index < sentences.length - 1) return [];
    // Lines without any full stop are no prose: names, figures, the middle of long code.
    if (sentence.end - sentence.start > maxWholeLength) return linesUnder(text, sentence, under);
    return [{ ...sentence, under: before && asks(before) ? [...under, before] : under, layout: 'sentence' }];
  });
}

function linesUnder(text: string, { start, end }: Span, under: readonly Span[]): Quotable[] {
  const lines: Span[] = [];
  for (let from = start; from < end; from = (lines.at(-1)?.end ?? end) + 1) {
    const newline = text.indexOf('\n', from);
    lines.push({ start: from, end: newline < 0 || newline > end ? end : newline });
  }
  return lines.map((line) => ({ ...line, under, layout: lines.length === 1 ? 'sentence' : 'item' }));
}

function rowsOf(text: string, lines: readonly Span[], under: readonly Span[]): Quotable[] {
  const [first, second] = lines;
  const isHeaded = first && second && tableDelimiter.test(text.slice(second.start, second.end));
  const head = isHeaded ? [{ start: first.start, end: second.end }] : [];
  return lines
    .slice(isHeaded ? 2 : 0)
    .map((line) => ({ ...line, under: [...under, ...head], layout: 'row' }));
}

/** What stands between the blank lines of code, or its lines, under the fence that tells their language. */
function rowsOfCode(text: string, [fence, ...lines]: readonly Span[], under: readonly Span[]): Quotable[] {
  const isBlank = ({ start, end }: Span) => text.slice(start, end).trim() === '';
  const isFence = ({ start, end }: Span) => closingFence.test(text.slice(start, end));
  const groups: Span[][] = [[]];
  for (const line of lines) {
    if (isBlank(line) || isFence(line)) groups.push([]);
    else groups.at(-1)?.push(line);
  }
  const rows = groups.flatMap((group) => {
    const [first, last] = [group[0], group.at(-1)];
    if (!first || !last || last.end - first.start > maxWholeLength) return group;
    return [{ start: first.start, end: last.end }];
  });
  return rows.map((row) => ({ ...row, under: fence ? [...under, fence] : under, layout: 'code' }));
}
