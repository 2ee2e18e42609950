/** Whether a text is a day that exists, as YYYY-MM-DD. */
export function isCalendarDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const midnight = new Date(`${text}T00:00:00.000Z`);
  // The last days of short months roll over instead of failing.
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(text);
}
