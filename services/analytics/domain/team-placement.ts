import { setImmediate } from 'node:timers/promises';
import {
  type Contributions,
  type FigureName,
  figureNames,
  groupedMedian,
  minGroupMembers,
  type Release,
  shownContributions,
  spreadOverLevels,
} from './disclosure.ts';
import type { Axes } from './placement.ts';
import { axisNames } from './rubric.ts';
import { type Level, levels } from './scored-rows.ts';

/** How the members of a team are placed. */
export interface TeamPlacement {
  /** Members with a snapshot that counts. */
  members: number;
  /** Undefined if withheld: there are too few members. */
  figures:
    | {
        /** Members at each level, in groups of at least three. */
        spines: Record<Level, number>;
        /** In steps of half a point. */
        medianAxes: Axes;
      }
    | undefined;
}

/**
 * Sums up what members add, as far as it may be shown beside what was released
 * before; `release` is what is shown now for the first time. Whoever else has
 * work gets a turn between two figures: comparing a team of a thousand with all
 * that was released takes some milliseconds for each.
 */
export async function teamPlacement(
  released: readonly Release[],
  contributions: Contributions,
): Promise<{ placement: TeamPlacement; release: Release | undefined }> {
  const members = contributions.size;
  if (members < minGroupMembers) return { placement: { members, figures: undefined }, release: undefined };
  const news: FigureName[] = [];
  const values = {} as Record<FigureName, number[]>;
  for (const [index, figure] of figureNames.entries()) {
    const shown = shownContributions(released, figure, contributions);
    if (shown.isNews) news.push(figure);
    values[figure] = Array.from(shown.contributions.values(), (added) => added[index] ?? 0);
    await setImmediate();
  }
  const counts = spreadOverLevels(values.spine);
  const spines = levels.map((level, index) => [level, counts[index]]);
  const medianAxes = axisNames.map((axis) => [axis, groupedMedian(values[axis])]);
  return {
    placement: {
      members,
      figures: { spines: Object.fromEntries(spines), medianAxes: Object.fromEntries(medianAxes) },
    },
    release: news.length === 0 ? undefined : { figures: news, contributions },
  };
}
