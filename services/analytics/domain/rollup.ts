import { setImmediate } from 'node:timers/promises';
import { AppError } from '@teammemory/errors/app-error.ts';
import { addDays, dayOf, weekOf } from './calendar.ts';
import type { ReleaseStore } from './disclosure.ts';
import { contributionOf, type Release } from './disclosure.ts';
import { explainedPlacement } from './placement.ts';
import { currentRubric } from './rubric.ts';
import type { CountedDay, DayRange, SnapshotStore } from './snapshots.ts';
import { individualMetric } from './snapshots.ts';
import { type TeamPlacement, teamPlacement } from './team-placement.ts';

/** A quarter unless the request says, and at most a year. */
const defaultWeeks = 12;
const maxWeeks = 53;
/** Rows of one read: a millisecond of a synchronous engine. */
const maxRowsPerRead = 500;
/** How often a rollup starts anew because another one of the team was shown at the same time. */
const maxAttempts = 20;

/** A team over some weeks. */
export interface Rollup {
  /** The Monday of the first week and the Sunday of the present one. */
  from: string;
  to: string;
  /** Of this process; every figure is made by it from what was measured. */
  rubricVersion: number;
  /** Each member by the newest snapshot of all weeks. */
  current: TeamPlacement;
  /** Every week, oldest first; each member by the newest snapshot of the week. */
  trend: { week: string; placement: TeamPlacement }[];
}

export interface RollupDependencies {
  snapshots: Pick<SnapshotStore, 'counted'>;
  releases: ReleaseStore;
  /** Milliseconds since the epoch. */
  clock: () => number;
}

/** What each member adds to the figures of a period. */
type ByMember = Map<string, number[]>;

/**
 * Sums up a team's snapshots of the present week and those before it; `weeks`
 * in all, 0 for the default. What clients claim of themselves plays no part,
 * nor does what others than its member or an administrator pushed. What is shown
 * is kept, for what may be shown later depends on it.
 * @throws AppError `invalid_request`, `unavailable`.
 */
export async function rollup(
  dependencies: RollupDependencies,
  teamId: string,
  weeks: number,
): Promise<Rollup> {
  if (!Number.isInteger(weeks) || weeks < 0 || weeks > maxWeeks) {
    const detail = `must be a whole number from 1 to ${maxWeeks}`;
    throw new AppError('invalid_request', `weeks: ${detail}`, {
      violations: [{ pointer: '/weeks', detail }],
    });
  }
  const count = weeks || defaultWeeks;
  const presentWeek = weekOf(dayOf(dependencies.clock()));
  const mondays = Array.from({ length: count }, (_, index) => addDays(presentWeek, 7 * (index + 1 - count)));
  const from = mondays[0] ?? presentWeek;
  const to = addDays(presentWeek, 6);

  const current: ByMember = new Map();
  const byWeek = new Map(mondays.map((monday): [string, ByMember] => [monday, new Map()]));
  for await (const { memberId, date, measured } of countedDays(dependencies.snapshots, teamId, from, to)) {
    const contribution = contributionOf(explainedPlacement(currentRubric, measured).placement);
    // Days come in order, so the last that is set is the newest.
    current.set(memberId, contribution);
    byWeek.get(weekOf(date))?.set(memberId, contribution);
  }
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const shown = await showAll(dependencies.releases, teamId, [...byWeek.values(), current]);
    if (shown === undefined) continue;
    const trend = mondays.map((week, index) => ({ week, placement: shown[index] as TeamPlacement }));
    return { from, to, rubricVersion: currentRubric.version, current: shown.at(-1) as TeamPlacement, trend };
  }
  throw new AppError('unavailable', 'Too many rollups of the team at once; try again shortly.');
}

/** Sums up each period and keeps what is news; undefined if somebody else was shown something meanwhile. */
async function showAll(
  releases: ReleaseStore,
  teamId: string,
  periods: readonly ByMember[],
): Promise<TeamPlacement[] | undefined> {
  const { releases: released, newest } = await releases.all(teamId);
  const news: Release[] = [];
  const placements: TeamPlacement[] = [];
  for (const members of periods) {
    const { placement, release } = await teamPlacement([...released, ...news], members);
    if (release !== undefined) news.push(release);
    placements.push(placement);
  }
  // Each is kept before anything is shown.
  for (const [index, release] of news.entries()) {
    if (!(await releases.add(teamId, newest + index, release))) return undefined;
  }
  return placements;
}

/** What counts in a range of days, in order, page by page. */
async function* countedDays(
  snapshots: RollupDependencies['snapshots'],
  teamId: string,
  from: string,
  to: string,
): AsyncGenerator<CountedDay> {
  let after: Pick<CountedDay, 'date' | 'id'> | undefined = { date: from, id: '' };
  while (after !== undefined) {
    const range: DayRange = { metric: individualMetric, to, after, limit: maxRowsPerRead };
    const page = await snapshots.counted(teamId, range);
    yield* page;
    after = page.length === maxRowsPerRead ? page.at(-1) : undefined;
    // A synchronous engine answers within the turn; others of the process get theirs here.
    await setImmediate();
  }
}
