import type { Span } from '../text/sentences.ts';
import { type PassageBlock, passageBlocks } from './passage-blocks.ts';

/** What is shown of a passage. */
export interface Thought {
  /** As it stands in the passage, but for what is left out. */
  text: string;
  /** The sentence, item, row or line that matches best, verbatim. */
  quote: string;
  /** How much of the question that has. */
  match: number;
  /** Whether it ends with a table or code, so that a citation stands below it. */
  endsInBlock: boolean;
}

/** Tells how much of a question a text has. */
export type Match = (text: string) => number;

/** Of a table that is cut, rows are shown that match half as well as the best. */
const minPartOfBestRow = 0.5;
/** A sentence to be marked is at most as long as this. */
const maxQuote = 400;
const leftOut = '\n\n…\n\n';

/**
 * Returns a passage whole where it has at most `limit` characters, else its blocks that match best; a longer block is cut
 * between its sentences, items, rows or lines, under its head.
 */
export function thoughtIn(text: string, match: Match, limit: number): Thought {
  const blocks = passageBlocks(text).map((block) => {
    const parts = block.parts.map((part) => ({ part, worth: match(text.slice(part.start, part.end)) }));
    const best = parts.reduce((left, right) => (right.worth > left.worth ? right : left));
    return { block, best: best.part, worth: best.worth };
  });
  const [first = { block: undefined, best: { start: 0, end: text.length }, worth: 0 }, ...others] = blocks;
  const best = others.reduce((left, right) => (right.worth > left.worth ? right : left), first);
  const quote = text.slice(best.best.start, best.best.end).trim().slice(0, maxQuote).toWellFormed();
  const { block, worth: matched } = best;
  const found = { quote, match: matched };
  if (text.length <= limit || block === undefined)
    return { ...found, text, endsInBlock: isBlock(blocks.at(-1)?.block) };
  if (block.end - block.start > limit)
    return {
      ...found,
      text: cut(text, block, { best: best.best, match, limit }),
      endsInBlock: isBlock(block),
    };
  const chosen = new Set([block]);
  let room = limit - (block.end - block.start);
  for (const { block: each, worth } of blocks.toSorted((left, right) => right.worth - left.worth)) {
    const length = each.end - each.start + leftOut.length;
    if (worth === 0 || chosen.has(each) || length > room) continue;
    chosen.add(each);
    room -= length;
  }
  const shown = blocks.map((each) => each.block).filter((each) => chosen.has(each));
  const texts = shown.map((each, place) => {
    const before = shown[place - 1];
    const isNext = before && text.slice(before.end, each.start).trim() === '';
    const separator = before === undefined ? '' : isNext ? '\n\n' : leftOut;
    return separator + text.slice(each.start, each.end).trimEnd();
  });
  return { ...found, text: texts.join(''), endsInBlock: isBlock(shown.at(-1)) };
}

function isBlock(block: PassageBlock | undefined): boolean {
  return block?.kind === 'table' || block?.kind === 'code';
}

/** Returns the head of a block and the best of its parts, with those beside it; of a table the rows that match. */
function cut(
  text: string,
  { kind, head, parts }: PassageBlock,
  { best, match, limit }: { best: Span; match: Match; limit: number },
): string {
  const words = ({ start, end }: Span) => text.slice(start, end);
  const place = parts.indexOf(best);
  const chosen = new Set([place]);
  let room = limit - (head.end - head.start) - (best.end - best.start);
  const take = (at: number) => {
    const part = parts[at];
    if (part === undefined || chosen.has(at) || part.end - part.start >= room) return false;
    room -= part.end - part.start + 1;
    chosen.add(at);
    return true;
  };
  if (kind === 'table') {
    const rows = parts.map((part, at) => ({ at, worth: match(words(part)) }));
    const least = minPartOfBestRow * match(words(best));
    for (const { at, worth } of rows.toSorted((left, right) => right.worth - left.worth))
      if (worth >= least) take(at);
  } else {
    let [first, last] = [place, place];
    for (;;) {
      if (take(last + 1)) last += 1;
      else if (take(first - 1)) first -= 1;
      else break;
    }
  }
  const inOrder = [...chosen].sort((left, right) => left - right);
  const body = inOrder.map((at, index) => {
    const [part, before] = [parts[at] as Span, parts[inOrder[index - 1] ?? -1]];
    if (before === undefined) return words(part);
    // What stands side by side keeps what is between it.
    return at === (inOrder[index - 1] ?? -1) + 1 ? text.slice(before.end, part.end) : `\n${words(part)}`;
  });
  const isCut = { before: !chosen.has(0), behind: !chosen.has(parts.length - 1) };
  return underHead(kind, words(head).trimEnd(), body.join(''), isCut);
}

function underHead(
  kind: PassageBlock['kind'],
  head: string,
  body: string,
  isCut: { before: boolean; behind: boolean },
): string {
  const lead = head === '' ? '' : `${head}\n`;
  if (kind === 'table') return lead + body;
  if (kind === 'code') return `${lead}${body}\n${/`{3,}|~{3,}/.exec(head)?.[0] ?? ''}`;
  if (kind === 'list') return `${lead}${body}${isCut.behind ? '\n\n…' : ''}`;
  return `${isCut.before ? '… ' : ''}${body}${isCut.behind ? ' …' : ''}`;
}
