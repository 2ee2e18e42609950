import { setImmediate } from 'node:timers/promises';
import { AppError } from '@teammemory/errors/app-error.ts';
import { addDays, dayOf, weekOf } from './calendar.ts';
import type { Placement } from './placement.ts';
import { currentRubric } from './rubric.ts';
import { individualMetric } from './snapshot.ts';
import type { DayPlacement, DayRange, SnapshotStore } from './snapshot-store.ts';
import { type TeamPlacement, teamPlacement } from './team-placement.ts';

/** A quarter unless the request says, and at most a year. */
const weeksDefault = 12;
const weeksMax = 53;
/** Rows of one read: a millisecond of a synchronous engine. */
const rowsPerRead = 500;

/** A team over some weeks. */
export interface Rollup {
  /** The Monday of the first week and the Sunday of the present one. */
  from: string;
  to: string;
  /** Of this process. Snapshots placed by an older one count as they are until they are scored again. */
  rubricVersion: number;
  /** Each member by the newest snapshot of all weeks. */
  current: TeamPlacement;
  /** Every week, oldest first; each member by the newest snapshot of the week. */
  trend: { week: string; placement: TeamPlacement }[];
}

export interface RollupDependencies {
  snapshots: SnapshotStore;
  /** Milliseconds since the epoch. */
  clock: () => number;
}

/** Placements by member. */
type ByMember = Map<string, Placement>;

/**
 * Sums up a team's snapshots of the present week and those before it; `weeks`
 * in all, 0 for the default. What clients claim of themselves plays no part.
 * @throws AppError `invalid_request`, `unavailable`.
 */
export async function rollup(
  { snapshots, clock }: RollupDependencies,
  teamId: string,
  weeks: number,
): Promise<Rollup> {
  if (!Number.isInteger(weeks) || weeks < 0 || weeks > weeksMax) {
    const detail = `must be a whole number from 1 to ${weeksMax}`;
    throw new AppError('invalid_request', `weeks: ${detail}`, {
      violations: [{ pointer: '/weeks', detail }],
    });
  }
  const count = weeks || weeksDefault;
  const presentWeek = weekOf(dayOf(clock()));
  const mondays = Array.from({ length: count }, (_, index) => addDays(presentWeek, 7 * (index + 1 - count)));
  const from = mondays[0] ?? presentWeek;
  const to = addDays(presentWeek, 6);

  const current: ByMember = new Map();
  const byWeek = new Map(mondays.map((monday): [string, ByMember] => [monday, new Map()]));
  for await (const { memberId, date, canonical } of placementsOf(snapshots, teamId, from, to)) {
    // Days come in order, so the last that is set is the newest.
    current.set(memberId, canonical);
    byWeek.get(weekOf(date))?.set(memberId, canonical);
  }
  const summedUp = (members: ByMember) => teamPlacement([...members.values()]);
  const trend = [...byWeek].map(([week, members]) => ({ week, placement: summedUp(members) }));
  return { from, to, rubricVersion: currentRubric.version, current: summedUp(current), trend };
}

/** Every placement of a range of days, in order, page by page. */
async function* placementsOf(
  snapshots: SnapshotStore,
  teamId: string,
  from: string,
  to: string,
): AsyncGenerator<DayPlacement> {
  let after: Pick<DayPlacement, 'date' | 'id'> | undefined = { date: from, id: '' };
  while (after !== undefined) {
    const range: DayRange = { metric: individualMetric, to, after, limit: rowsPerRead };
    const page = await snapshots.placements(teamId, range);
    yield* page;
    after = page.length === rowsPerRead ? page.at(-1) : undefined;
    // A synchronous engine answers within the turn; others of the process get theirs here.
    await setImmediate();
  }
}
