import { withoutReferences } from '../citations/citation-reference.ts';
import type { AnswerMarkup } from '../markup/answer-markup.ts';
import { createMarkupFilter } from '../markup/inert-filter.ts';
import type { Span } from '../text/sentences.ts';
import type { Quote } from './quotes.ts';
import { timeMark } from './time-mark.ts';

/** A quote and the number of its source. */
export interface NumberedQuote extends Quote {
  number: number;
}

const endsWithFence = /(?:^|\n)[ \t>]*(?:`{3,}|~{3,})[ \t]*$/;
const openingFence = /^[ \t]*(?:`{3,}|~{3,})/;

/**
 * The text of an answer in parts, a quote each: sentences of one passage go on
 * in a line, all else begins a line of its own. What quotes stand under is
 * shown once, before the first of them. Rows of one table, and lines of one
 * block of code, stay together, with one citation below them, where it is
 * neither a cell nor code. Markup in a quote never reaches behind it.
 */
export function quotedParts(quotes: readonly NumberedQuote[], markup: AnswerMarkup): string[] {
  let filter = createMarkupFilter(markup);
  const quoted = new Set(quotes.map(({ hit }) => hit.slot));
  const parts = quotes.map((quote, index) => {
    const previous = quotes[index - 1];
    const next = quotes[index + 1];
    const shown = quotes.slice(0, index).filter((other) => samePassage(other, quote));
    const isShown = (span: Span) =>
      shown.some((other) => [...other.under, other].some(({ start }) => start === span.start));
    const spans = [...quote.under.filter((span) => !isShown(span)), quote];
    const words = withoutReferences(joined(quote.hit.passage.text, spans));
    const separator = previous ? separatorOf(previous, quote, spans.length > 1) : '';
    const mark = previous && samePassage(previous, quote) ? '' : timeMark(quote.hit, quoted);
    const begin = separator + (mark === '' ? '' : `${mark}${quote.layout === 'sentence' ? ' ' : '\n\n'}`);
    const { fence, citation } = citationOf(quote);
    if (next && isOneBlock(quote, next)) return filter.push(begin + words);
    const inert = filter.push(begin + words + fence) + filter.end();
    filter = createMarkupFilter(markup, 'within line');
    // Words behind a closing fence would take its meaning away.
    return inert + (endsWithFence.test(inert) ? citation.replace(/^\s*/, '\n\n') : citation);
  });
  return parts.filter((part) => part !== '');
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

/** The citation, and before it the end of code that the quote leaves open. */
function citationOf({ layout, number, ...quote }: NumberedQuote): { fence: string; citation: string } {
  if (layout === 'sentence' || layout === 'item') return { fence: '', citation: ` [${number}]` };
  const { text } = quote.hit.passage;
  const fenced = layout === 'code' ? quote.under.at(-1) : quote;
  const fence = fenced && openingFence.exec(text.slice(fenced.start, fenced.end))?.[0];
  const isOpen =
    fence &&
    !text
      .slice(fenced.start + fence.length, quote.end)
      .trimEnd()
      .endsWith(fence.trim());
  return { fence: isOpen ? `\n${fence}` : '', citation: `\n\n[${number}]` };
}

/** Whether two quotes are rows of one table, or lines of one block of code. */
export function isOneBlock(left: Quote, right: Quote): boolean {
  const isPart = (left.layout === 'row' || left.layout === 'code') && left.layout === right.layout;
  return isPart && samePassage(left, right) && left.under.at(-1)?.start === right.under.at(-1)?.start;
}

function samePassage(left: Quote, right: Quote): boolean {
  return left.hit.slot === right.hit.slot;
}
