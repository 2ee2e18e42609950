/** What stays where two edits differ. */
export type Choice = 'theirs' | 'mine' | 'both';

/** A part of a text: the same in both edits, or different. */
export type Segment = { kind: 'same'; text: string } | { kind: 'different'; theirs: string; mine: string };

/** A run of lines, as the package `diff` compares two texts. */
interface Change {
  value: string;
  added: boolean;
  removed: boolean;
}

/** Makes segments of the changes that lead from their text to mine. */
export function segmentsOf(changes: readonly Change[]): Segment[] {
  const segments: Segment[] = [];
  for (const { value, added, removed } of changes) {
    if (!added && !removed) {
      segments.push({ kind: 'same', text: value });
      continue;
    }
    const last = segments.at(-1);
    const open = last?.kind === 'different' ? last : { kind: 'different' as const, theirs: '', mine: '' };
    if (open !== last) segments.push(open);
    if (added) open.mine += value;
    else open.theirs += value;
  }
  return segments;
}

/**
 * Suggests what to keep of a difference, by the text that both edits were made from: what one of them left as it was gives
 * way to what the other one changed. Where both changed something, both stay, so that nothing is lost unasked.
 */
export function suggestedChoice({ theirs, mine }: { theirs: string; mine: string }, base: string): Choice {
  const isOld = (text: string) => text !== '' && base.includes(text);
  if (theirs === '') return isOld(mine) ? 'theirs' : 'mine';
  if (mine === '') return isOld(theirs) ? 'mine' : 'theirs';
  if (isOld(theirs) && !isOld(mine)) return 'mine';
  if (isOld(mine) && !isOld(theirs)) return 'theirs';
  return 'both';
}

/** The text that the choices make, one for each segment that differs. */
export function mergedText(segments: readonly Segment[], choices: readonly Choice[]): string {
  let next = 0;
  let text = '';
  for (const segment of segments) {
    if (segment.kind === 'same') {
      text += segment.text;
      continue;
    }
    const choice = choices[next];
    next += 1;
    if (choice !== 'mine') text += segment.theirs;
    if (choice !== 'theirs') text += segment.mine;
  }
  return text;
}

/** Ends a text with a line end, so that its last line equals the same line in the middle of another text. */
export function withLineEnd(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}
