import { markdownBlocks } from '@teammemory/markdown/blocks.ts';
import { type Span, sentencesOf } from '../text/sentences.ts';

/** A paragraph, list, table or block of code of a passage. */
export interface PassageBlock extends Span {
  kind: 'prose' | 'list' | 'table' | 'code';
  /** What its parts are not understood without: the words that announce it, the header of a table, an opening fence. */
  head: Span;
  /** Its sentences, items, rows or lines of code, in order; at least one. */
  parts: Span[];
}

/** Characters of a line in which marks are looked for. */
const maxMarksLength = 64;
const item = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]/;
const indented = /^(?: {2,}|\t)\S/;
const delimiter = /^[ \t|:-]*-[ \t|:-]*$/;
const fence = /^[ \t]*(?:```|~~~)/;
/** Words that announce what follows: they end with a colon, or are a label in bold. */
const announcement = /[:：][*_]*$|^\*\*[^*\n]+\*\*$/;
const maxAnnouncement = 250;
/** Sentences without a full stop, as records and logs have them, are told apart by their lines. */
const maxSentence = 250;

/** Returns the blocks of the text of a passage, in order. What announces a block is its head. */
export function passageBlocks(text: string): PassageBlock[] {
  const blocks: PassageBlock[] = [];
  for (const { start, end } of markdownBlocks(text)) {
    const block = blockOf(text, { start, end });
    const last = blocks.at(-1);
    if (last?.kind === 'list' && goesOn(text, block)) {
      last.end = block.end;
      last.parts.push(...(block.kind === 'list' ? block.parts : [{ start, end }]));
    } else if (last && announces(text, last) && block.kind !== 'prose')
      blocks.splice(-1, 1, { ...block, start: last.start, head: { start: last.start, end: block.head.end } });
    else blocks.push(block);
  }
  return blocks;
}

function goesOn(text: string, { start, kind }: PassageBlock): boolean {
  const beginning = text.slice(start, start + maxMarksLength);
  return kind === 'list' ? item.test(beginning) : indented.test(beginning);
}

function announces(text: string, { start, end, kind }: PassageBlock): boolean {
  return (
    kind === 'prose' && end - start <= maxAnnouncement && announcement.test(text.slice(start, end).trimEnd())
  );
}

function blockOf(text: string, block: Span): PassageBlock {
  const lines = linesOf(text, block);
  const beginsAs = (form: RegExp) => (line: Span) =>
    form.test(text.slice(line.start, Math.min(line.end, line.start + maxMarksLength)));
  const [first = block] = lines;
  const whole = { ...block, head: { start: block.start, end: block.start } };
  if (beginsAs(fence)(first)) {
    const isClosed = lines.length > 2 && beginsAs(fence)(lines.at(-1) ?? first);
    return {
      ...whole,
      kind: 'code',
      head: first,
      parts: partsOr(block, lines.slice(1, isClosed ? -1 : undefined)),
    };
  }
  const under = lines.findIndex(
    (line, at) => at > 0 && hasBar(text, line) && delimiter.test(text.slice(line.start, line.end)),
  );
  if (under > 0) {
    const head = { start: block.start, end: (lines[under] as Span).end };
    return { ...whole, kind: 'table', head, parts: partsOr(block, lines.slice(under + 1)) };
  }
  if (lines.every((line) => hasBar(text, line)) && text.startsWith('|', first.start))
    return { ...whole, kind: 'table', parts: lines };
  const place = lines.findIndex(beginsAs(item));
  if (place >= 0) {
    const parts: Span[] = [];
    for (const line of lines.slice(place)) {
      const last = parts.at(-1);
      if (last && !beginsAs(item)(line)) last.end = line.end;
      else parts.push({ ...line });
    }
    return {
      ...whole,
      kind: 'list',
      head: { start: block.start, end: parts[0]?.start ?? block.start },
      parts,
    };
  }
  const sentences = [...sentencesOf(text, block)];
  const parts = sentences.flatMap((each) =>
    each.end - each.start > maxSentence ? linesOf(text, each) : [each],
  );
  return { ...whole, kind: 'prose', parts: partsOr(block, parts) };
}

function partsOr(block: Span, parts: readonly Span[]): Span[] {
  return parts.length > 0 ? [...parts] : [{ start: block.start, end: block.end }];
}

function hasBar(text: string, { start, end }: Span): boolean {
  return text.slice(start, end).includes('|');
}

/** The lines of a span that are not blank. */
function linesOf(text: string, { start, end }: Span): Span[] {
  const lines: Span[] = [];
  for (let from = start; from < end; ) {
    const newline = text.indexOf('\n', from);
    const to = newline < 0 || newline > end ? end : newline;
    if (text.slice(from, to).trim() !== '') lines.push({ start: from, end: to });
    from = to + 1;
  }
  return lines;
}
