import { withoutReferences } from '../citations/citation-reference.ts';
import type { Span } from '../text/sentences.ts';
import type { Quote } from './quotes.ts';

/** A quote and the number of its source. */
export interface NumberedQuote extends Quote {
  number: number;
}

const openingFence = /^[ \t]*(?:`{3,}|~{3,})/;

/**
 * The text of an answer in parts, a quote each: sentences of one passage go on
 * in a line, all else begins a line of its own. What quotes stand under is
 * shown once, before the first of them. Rows of one table, and lines of one
 * block of code, stay together, with one citation below them, where it is
 * neither a cell nor code.
 */
export function quotedParts(quotes: readonly NumberedQuote[]): string[] {
  return quotes.map((quote, index) => {
    const previous = quotes[index - 1];
    const next = quotes[index + 1];
    const shown = quotes.slice(0, index).filter((other) => samePassage(other, quote));
    const isShown = (span: Span) =>
      shown.some((other) => [...other.under, other].some(({ start }) => start === span.start));
    const spans = [...quote.under.filter((span) => !isShown(span)), quote];
    const words = withoutReferences(joined(quote.hit.passage.text, spans));
    const separator = previous ? separatorOf(previous, quote, spans.length > 1) : '';
    return separator + words + (next && isOneBlock(quote, next) ? '' : citationOf(quote));
  });
}

/** The spans as they stand apart in the text, or each on its own line. */
function joined(text: string, spans: readonly Span[]): string {
  return spans
    .map(({ start, end }, index) => {
      const gap = text.slice(spans[index - 1]?.end ?? start, start);
      const lineEnds = gap.slice(0, gap.lastIndexOf('\n') + 1);
      return (gap.trim() === '' ? lineEnds || gap : '\n') + text.slice(start, end);
    })
    .join('');
}

function separatorOf(previous: Quote, quote: Quote, beginsAnew: boolean): string {
  if (!samePassage(previous, quote)) return '\n\n';
  if (isOneBlock(previous, quote)) return '\n';
  if (beginsAnew || previous.layout !== quote.layout) return '\n\n';
  return quote.layout === 'sentence' ? ' ' : quote.layout === 'item' ? '\n' : '\n\n';
}

function citationOf({ layout, number, ...quote }: NumberedQuote): string {
  if (layout === 'sentence' || layout === 'item') return ` [${number}]`;
  const { text } = quote.hit.passage;
  const fenced = layout === 'code' ? quote.under.at(-1) : quote;
  const fence = fenced && openingFence.exec(text.slice(fenced.start, fenced.end))?.[0];
  const isOpen =
    fence &&
    !text
      .slice(fenced.start + fence.length, quote.end)
      .trimEnd()
      .endsWith(fence.trim());
  return `${isOpen ? `\n${fence}` : ''}\n\n[${number}]`;
}

/** Whether two quotes are rows of one table, or lines of one block of code. */
export function isOneBlock(left: Quote, right: Quote): boolean {
  const isPart = (left.layout === 'row' || left.layout === 'code') && left.layout === right.layout;
  return isPart && samePassage(left, right) && left.under.at(-1)?.start === right.under.at(-1)?.start;
}

function samePassage(left: Quote, right: Quote): boolean {
  return left.hit.slot === right.hit.slot;
}
