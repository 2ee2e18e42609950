import { AppError } from '@teammemory/errors/app-error.ts';
import { isCalendarDay } from '@teammemory/vocabulary/formats.ts';
import type { Sweep } from './spending.ts';
import {
  type Caps,
  type DayStanding,
  dayOf,
  daysBefore,
  endOfDay,
  type UsagePosition,
  type UsageStore,
  type UsageTotal,
} from './usage-store.ts';

/** Rows wanted unless the request says, and at most. */
export const pageSizes = { default: 50, maximum: 200 };
/** Days up to the last one that a report covers unless the request says. */
const daysByDefault = 30;

/** Which part of a team's usage is wanted. */
export interface UsageQuery {
  /** YYYY-MM-DD, included; empty: 30 days up to `to`. */
  from: string;
  /** YYYY-MM-DD, included; empty: today. */
  to: string;
  /** At most the maximum; 0 for the default. */
  pageSize: number;
  after: UsagePosition | undefined;
  /** Only this member's; undefined: everybody's. */
  memberId?: string | undefined;
}

/** One page of a team's usage, ordered by day, member and model. */
export interface UsagePage {
  from: string;
  to: string;
  totals: UsageTotal[];
  /** The position of the next page; undefined on the last page. */
  next: UsagePosition | undefined;
}

/**
 * Reports what a team's members used, calls whose process died included: these
 * are charged first.
 * @throws AppError `invalid_request` for days that are none or the wrong way
 * round, `unavailable`.
 */
export async function usageReport(
  { usage, sweep, clock }: { usage: UsageStore; sweep: Sweep; clock: () => number },
  teamId: string,
  query: UsageQuery,
): Promise<UsagePage> {
  const { from, to } = daysOf(query, clock());
  await sweep(teamId, clock());
  const limit = query.pageSize || pageSizes.default;
  const { memberId, after } = query;
  const found = await usage.totals(teamId, { from, to, memberId, after, limit: limit + 1 });
  const totals = found.slice(0, limit);
  return { from, to, totals, next: found.length > limit ? totals.at(-1) : undefined };
}

function daysOf(query: UsageQuery, now: number): { from: string; to: string } {
  const to = query.to === '' ? dayOf(now) : day('/to', query.to);
  const from = query.from === '' ? daysBefore(to, daysByDefault - 1) : day('/from', query.from);
  if (from <= to) return { from, to };
  throw refused('/from', 'must not be after to');
}

function day(pointer: string, text: string): string {
  if (isCalendarDay(text)) return text;
  throw refused(pointer, 'must be a day of the calendar, as in 2026-11-23');
}

function refused(pointer: string, detail: string): AppError {
  return new AppError('invalid_request', `The day ${pointer.slice(1)} ${detail}.`, {
    violations: [{ pointer, detail }],
  });
}

/** A day against its cap. */
export interface CappedDay extends DayStanding {
  /** Whole micro-dollars. */
  cap: number;
}

/** What a member and the member's team spent on one day. */
export interface DaySpending {
  /** UTC, YYYY-MM-DD. */
  day: string;
  team: CappedDay;
  member: CappedDay;
  /** When the day ends, milliseconds since the epoch. */
  resetAt: number;
}

/**
 * Returns today's spending of a member and of the team, calls whose process died included: these are charged first.
 * @throws AppError `unavailable`.
 */
export async function daySpending(
  { usage, sweep, caps, clock }: { usage: UsageStore; sweep: Sweep; caps: Caps; clock: () => number },
  { teamId, memberId }: { teamId: string; memberId: string },
): Promise<DaySpending> {
  const now = clock();
  const day = dayOf(now);
  await sweep(teamId, now);
  const [team, member] = await Promise.all([
    usage.standing(teamId, day, undefined),
    usage.standing(teamId, day, memberId),
  ]);
  return {
    day,
    team: { ...team, cap: caps.team },
    member: { ...member, cap: caps.member },
    resetAt: endOfDay(now),
  };
}
