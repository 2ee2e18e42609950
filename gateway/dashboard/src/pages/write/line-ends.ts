import { diffArrays } from 'diff';

/** Comparing two quite different long texts takes long. */
const compareTimeoutMs = 1_500;
const lineWithEnd = /([^\r\n]*)(\r\n?|\n|$)/g;

/** Returns a text as it is edited, with one kind of line ends. */
export function withPlainLineEnds(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}

/**
 * Gives an edited text, whose lines end with `\n`, the line ends of the text that it was made from. Where those differ from
 * line to line, lines that stayed keep theirs, and new ones get the most frequent one.
 */
export function withLineEndsOf(original: string, edited: string): string {
  const before = [...original.matchAll(lineWithEnd)].map(([, line = '', end = '']) => ({ line, end }));
  const usual = mostFrequent(before.map(({ end }) => end).filter((end) => end !== ''));
  const lines = edited.split('\n');
  if (before.every(({ end }) => end === '' || end === usual)) return lines.join(usual);
  const changes = diffArrays(
    before.map(({ line }) => line),
    lines,
    { timeout: compareTimeoutMs },
  );
  const ends: string[] = [];
  let place = 0;
  for (const { value, added, removed } of changes ?? []) {
    if (!added && !removed) ends.push(...before.slice(place, place + value.length).map(({ end }) => end));
    else if (added) ends.push(...value.map(() => usual));
    if (!added) place += value.length;
  }
  const last = lines.length - 1;
  return lines.map((line, index) => line + (index === last ? '' : ends[index] || usual)).join('');
}

function mostFrequent(ends: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const end of ends) counts.set(end, (counts.get(end) ?? 0) + 1);
  const [first] = [...counts].sort(([, one], [, other]) => other - one);
  return first?.[0] ?? '\n';
}
