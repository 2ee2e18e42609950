import { session } from '../../service/session.ts';

/** Whoever stays away for longer begins another visit. */
const awayMs = 30 * 60_000;
/** What changed earlier than this is told by the page What's new. */
const longestMs = 7 * 24 * 60 * 60_000;

/** What this browser knows of a member's visits to the page. */
export interface Visits {
  /** The newest change that was seen before this visit, ISO 8601. */
  since: string;
  /** The newest change that has been seen, ISO 8601. */
  seen: string;
  /** When the page was open last, in milliseconds by the browser's clock. */
  hereAt: number;
}

/** Returns the visits with one that goes on, or begins, now. A member who was not here yet has seen what is a week old. */
export function visitsAt(now: number, before: Visits | undefined): Visits {
  const seen = before?.seen ?? new Date(now - longestMs).toISOString();
  const since = before === undefined || now - before.hereAt > awayMs ? seen : before.since;
  return { since, seen, hereAt: now };
}

/** Begins a visit, or goes on with one. Returns since when to tell what changed, and whether that is the last visit. */
export function beginVisit(): { since: Date; isLastVisit: boolean } {
  const before = readVisits();
  const now = Date.now();
  const visits = visitsAt(now, before);
  keepVisits(visits);
  const earliest = now - longestMs;
  const since = Math.max(Date.parse(visits.since), earliest);
  return { since: new Date(since), isLastVisit: before !== undefined && since > earliest };
}

/** Takes note that the page is open, and of the newest change that it has shown. */
export function goOnVisiting(newest = ''): void {
  const visits = readVisits();
  if (visits === undefined) return;
  const seen = newest > visits.seen ? newest : visits.seen;
  keepVisits({ since: visits.since, seen, hereAt: Date.now() });
}

function readVisits(): Visits | undefined {
  try {
    const stored = JSON.parse(localStorage.getItem(storageName()) ?? 'null');
    return Number.isNaN(Date.parse(stored?.since)) || Number.isNaN(Date.parse(stored.seen))
      ? undefined
      : stored;
  } catch {
    return undefined;
  }
}

function keepVisits(visits: Visits): void {
  try {
    localStorage.setItem(storageName(), JSON.stringify(visits));
  } catch {
    // Without storage every visit is the first one.
  }
}

function storageName(): string {
  const { team, member, tier } = session.value ?? {};
  return `visits ${JSON.stringify([team, member, tier])}`;
}
