import type { Span } from '../text/sentences.ts';
import { type QuotableBlock, quotableBlocks } from './quotable-blocks.ts';
import { announces, maxLeadLength, type Quotable, quotableParts } from './quotable-parts.ts';

/** How an item ends that has something to say by itself. */
const concluding = /[.!…。！;]["'”’)*_`」』]*$/;

interface Item extends Span {
  indent: number;
}

/**
 * What of a passage can stand in an answer, in order: sentences of its
 * paragraphs, list items, table rows, blocks of code and of quotes. What only
 * announces the next (a question, "For example:", an item with others below
 * it, the head of a table) comes not by itself but together with that.
 */
export function quotableSentences(text: string): Quotable[] {
  const found: Quotable[] = [];
  /** Items that a block stands under, outermost first. */
  let items: readonly Item[] = [];
  /** What announced a block, or the list that it belongs to. */
  let lead: Span | undefined;
  const blocks = quotableBlocks(text);
  for (const [index, block] of blocks.entries()) {
    const next = blocks[index + 1];
    items = items.filter((item) => isBelow(block, item));
    const under = [...items, ...(lead ? [lead] : [])]
      .filter(({ start, end }) => end - start <= maxLeadLength)
      .sort((left, right) => left.start - right.start);
    const parts = quotableParts(text, block, under);
    const last = parts.at(-1);
    const isLead = last && next && leadsTo(next, block, text.slice(last.start, last.end));
    found.push(...(isLead ? parts.slice(0, -1) : parts));
    if (block.kind === 'item') items = [...items, { ...block, start: parts[0]?.start ?? block.start }];
    if (isLead && !(block.kind === 'item' && isBelow(next, block))) lead = last;
    else if (!next || !isInList(next, items)) lead = undefined;
  }
  return found;
}

/** Whether the last words of a block are of use only together with the next block. */
function leadsTo(next: QuotableBlock, block: QuotableBlock, words: string): boolean {
  if (block.kind === 'text') return announces(words);
  if (block.kind !== 'item' || (next.kind === 'item' && !isBelow(next, block))) return false;
  const isLabel = next.kind === 'item' && words.length <= maxLeadLength && !concluding.test(words);
  return isLabel || announces(words);
}

function isInList(block: QuotableBlock, items: readonly Item[]): boolean {
  return items.length > 0 && (block.kind === 'item' || items.some((item) => isBelow(block, item)));
}

function isBelow(block: QuotableBlock, { indent }: Item): boolean {
  return block.indent > indent;
}
