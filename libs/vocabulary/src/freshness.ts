import { isCalendarDay } from './formats.ts';

const dayMs = 24 * 60 * 60 * 1_000;
/** `90d`: days since the last change. */
const daysForm = /^(\d{1,5})d$/;

/**
 * Returns the day, YYYY-MM-DD in UTC, by which a note wants to be checked again: its front matter has it as `review_by`,
 * or as `stale_after` in days since its last change; of both the earlier one counts. Undefined without a valid one.
 */
export function reviewDay(
  { review_by, stale_after }: Readonly<Record<string, unknown>>,
  updatedAt: string,
): string | undefined {
  const days: string[] = [];
  if (typeof review_by === 'string' && isCalendarDay(review_by)) days.push(review_by);
  const [, count] = typeof stale_after === 'string' ? (daysForm.exec(stale_after) ?? []) : [];
  const changedAt = Date.parse(updatedAt);
  if (count !== undefined && !Number.isNaN(changedAt)) {
    days.push(new Date(changedAt + Number(count) * dayMs).toISOString().slice(0, 10));
  }
  return days.sort()[0];
}
