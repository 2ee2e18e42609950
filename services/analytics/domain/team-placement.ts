import { type Level, levels } from './level.ts';
import type { Axes, Placement } from './placement.ts';
import { roundHalfUp } from './round-half-up.ts';
import { axisNames } from './rubric.ts';

/** Of fewer members each could be told from the figures (decisions §9). */
const membersMin = 3;

/** How the members of a team are placed. */
export interface TeamPlacement {
  members: number;
  /** Undefined where withheld: there are too few members. */
  figures:
    | {
        /** Members at each level. */
        spines: Record<Level, number>;
        medianAxes: Axes;
      }
    | undefined;
}

/** Sums up one placement for each member. */
export function teamPlacement(placements: readonly Placement[]): TeamPlacement {
  const members = placements.length;
  if (members < membersMin) return { members, figures: undefined };
  const spines = levels.map((level) => [level, placements.filter(({ spine }) => spine === level).length]);
  const medianAxes = axisNames.map((axis) => [axis, median(placements.map(({ axes }) => axes[axis]))]);
  return {
    members,
    figures: { spines: Object.fromEntries(spines), medianAxes: Object.fromEntries(medianAxes) },
  };
}

/** The middle value, or the mean of the two in the middle, rounded to two decimals. */
function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)] ?? 0;
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? 0;
  return roundHalfUp((lower + upper) / 2, 2);
}
