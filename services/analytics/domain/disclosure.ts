import type { Placement } from './placement.ts';
import { type AxisName, axisNames } from './rubric.ts';
import { levels, roundHalfUp } from './scored-rows.ts';

/**
 * The smallest group of members that a figure may rest on, and the smallest
 * number of members by which two published groups may differ (docs/contract.md, "Metrics",
 * docs/adr/0019-rollups.md).
 */
export const minGroupMembers = 3;
/** Medians are published in steps of this, on an axis from 0 to 4. */
const axisStep = 0.5;

/** What is published of a group: the levels, or one axis. */
export type FigureName = 'spine' | AxisName;
export const figureNames: readonly FigureName[] = ['spine', ...axisNames];

/** What each member adds to every figure, in the order of `figureNames`, by member id. A spine counts as its number. */
export type Contributions = ReadonlyMap<string, readonly number[]>;

/** Contributions that were published, and for which figures. */
export interface Release {
  figures: readonly FigureName[];
  contributions: Contributions;
}

/** What a member adds to the figures of a group. */
export function contributionOf({ spine, axes }: Placement): number[] {
  return [levels.indexOf(spine), ...axisNames.map((axis) => axes[axis])];
}

/**
 * The contributions that may be shown for a figure, and whether showing them is
 * news. A group is published only where it differs from every group published
 * before in no member or in at least `minGroupMembers`, who joined, left or
 * changed; otherwise the published group that it differs least from stands for
 * it, the newest of several. `released` has the oldest first.
 */
export function shownContributions(
  released: readonly Release[],
  figure: FigureName,
  present: Contributions,
): { contributions: Contributions; isNews: boolean } {
  const index = figureNames.indexOf(figure);
  let closest: Contributions | undefined;
  let least = minGroupMembers;
  for (const { figures, contributions } of released.toReversed()) {
    if (!figures.includes(figure)) continue;
    const members = membersThatDiffer(contributions, present, index);
    if (members === 0) return { contributions: present, isNews: false };
    if (members < least) [closest, least] = [contributions, members];
  }
  if (closest !== undefined) return { contributions: closest, isNews: false };
  return { contributions: present, isNews: true };
}

/** Members whose contribution to a figure is not the same in both groups; counting ends where there are enough. */
function membersThatDiffer(one: Contributions, other: Contributions, index: number): number {
  let members = 0;
  for (const [memberId, values] of one) {
    if (values[index] !== other.get(memberId)?.[index]) members += 1;
    if (members >= minGroupMembers) return members;
  }
  for (const memberId of other.keys()) {
    if (!one.has(memberId)) members += 1;
    if (members >= minGroupMembers) return members;
  }
  return members;
}

/**
 * Values in groups of neighbours, at least `minGroupMembers` in each, every
 * group with its mean in the place of its values (microaggregation). The mean
 * and not the median, which is always somebody's own value.
 */
function groupsOfNeighbours(values: readonly number[]): { mean: number; size: number }[] {
  const sorted = values.toSorted((a, b) => a - b);
  const count = Math.floor(sorted.length / minGroupMembers);
  return Array.from({ length: count }, (_, index) => {
    // The last group takes those that are left over.
    const end = index === count - 1 ? sorted.length : (index + 1) * minGroupMembers;
    const group = sorted.slice(index * minGroupMembers, end);
    return { mean: group.reduce((sum, value) => sum + value, 0) / group.length, size: group.length };
  });
}

/** Members at each level, every group of neighbours at the level of its mean. */
export function spreadOverLevels(spines: readonly number[]): number[] {
  const counts = levels.map(() => 0);
  for (const { mean, size } of groupsOfNeighbours(spines)) {
    const level = roundHalfUp(mean, 0);
    counts[level] = (counts[level] ?? 0) + size;
  }
  return counts;
}

/** The middle of the means of the groups of neighbours, in steps of half a point. */
export function groupedMedian(values: readonly number[]): number {
  const means = groupsOfNeighbours(values).map(({ mean }) => mean);
  const upper = means[Math.floor(means.length / 2)] ?? 0;
  const lower = means[Math.ceil(means.length / 2) - 1] ?? 0;
  return roundHalfUp((lower + upper) / 2 / axisStep, 0) * axisStep;
}

/**
 * Releases of a team that are kept, the newest: a year of weeks that are looked
 * at, with several releases each. What a member remembers of an older one is
 * compared with nothing any more.
 */
export const maxReleases = 256;

/** Stores what rollups have published. Every method may also throw AppError `unavailable`. */
export interface ReleaseStore {
  /** Kept releases, oldest first, and the number of the newest there ever was; 0 where there is none. */
  all(teamId: string): Promise<{ releases: Release[]; newest: number }>;
  /**
   * Adds a release after the newest that the caller knows, durably, and forgets
   * the oldest past `maxReleases`. False if there is a newer one: then
   * nothing was added.
   */
  add(teamId: string, newest: number, release: Release): Promise<boolean>;
}
