import { isOutdatedStatus } from '../passages/outdated.ts';
import { dayOfPassage } from '../ranking/currency.ts';
import type { ScoredPassage } from '../ranking/scored-passage.ts';

const plainWords = /^[\p{L}\p{M}\p{N} ,.-]+$/u;

/**
 * The passages that may be quoted beside each other: what no longer holds is left
 * out where there is something that took its place.
 */
export function quotedForTheirTime(hits: readonly ScoredPassage[]): ScoredPassage[] {
  const slots = new Set(hits.map(({ slot }) => slot));
  return hits.filter(({ newer, passage }) => {
    return !(passage.fields.isOutdated && newer !== undefined && slots.has(newer));
  });
}

/**
 * What stands before the quotes of a passage, so that nobody takes them for what
 * holds now: that it is outdated, or its day where something newer is quoted. ''
 * where nothing has to be said.
 */
export function timeMark({ passage, newer }: ScoredPassage, quoted: ReadonlySet<number>): string {
  const day = dayOfPassage(passage);
  const { isOutdated, status, isDatedByChange } = passage.fields;
  if (!isOutdated) return newer !== undefined && quoted.has(newer) && day !== '' ? `As of ${day}:` : '';
  // Of what its author wrote, only words that are none but that, so that no markup and no citation comes in here.
  const why = isOutdatedStatus(status) && plainWords.test(status) ? status : 'outdated';
  return isDatedByChange || day === '' ? `Not current (${why}):` : `Not current (${why}, ${day}):`;
}
