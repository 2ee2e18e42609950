/** The form of a day: YYYY-MM-DD. */
export const dayPattern = /^\d{4}-\d{2}-\d{2}$/;

/** Whether a text is a day that exists in the calendar, in the form YYYY-MM-DD. */
export function isCalendarDay(text: string): boolean {
  if (!dayPattern.test(text)) return false;
  const midnight = new Date(`${text}T00:00:00.000Z`);
  // Date takes February 30 for March 2 instead of failing.
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(text);
}
