import { diff3Merge } from 'node-diff3';

/** Pairs of equal lines that are compared at most. Beyond, a merge would take minutes. */
const maxPairs = 2_000_000;
const line = /[^\n]*\n|[^\n]+$/g;

/**
 * Merges two texts that were edited from the same base, by lines with their ends. Returns undefined where both changed the
 * same lines in different ways, and for texts that are too large and too alike to compare.
 */
export function mergeLines(base: string, mine: string, theirs: string): string | undefined {
  if (mine === base || mine === theirs) return theirs;
  if (theirs === base) return mine;
  const before = linesOf(base);
  const ours = linesOf(mine);
  const others = linesOf(theirs);
  if (pairs(before, ours) > maxPairs || pairs(before, others) > maxPairs) return undefined;
  const merged: string[] = [];
  for (const { ok, conflict } of diff3Merge(ours, before, others, { excludeFalseConflicts: true })) {
    if (ok === undefined || conflict !== undefined) return undefined;
    merged.push(...ok);
  }
  // Somebody's last line without an end must not run into the next one.
  return merged.some((text, index) => index < merged.length - 1 && !text.endsWith('\n'))
    ? undefined
    : merged.join('');
}

function linesOf(text: string): string[] {
  return text.match(line) ?? [];
}

/** The comparison is quadratic in lines that are equal, such as blank ones. */
function pairs(before: readonly string[], after: readonly string[]): number {
  const counts = new Map<string, number>();
  for (const text of before) counts.set(text, (counts.get(text) ?? 0) + 1);
  return after.reduce((sum, text) => sum + (counts.get(text) ?? 0), 0);
}

/** Merges the bytes of three files. Returns undefined where `mergeLines` does, and for what is not UTF-8. */
export function mergeFiles(base: Uint8Array, mine: Uint8Array, theirs: Uint8Array): Buffer | undefined {
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    const [before = '', ours = '', others = ''] = [base, mine, theirs].map((bytes) => decoder.decode(bytes));
    const merged = mergeLines(before, ours, others);
    return merged === undefined ? undefined : Buffer.from(merged);
  } catch {
    return undefined;
  }
}
