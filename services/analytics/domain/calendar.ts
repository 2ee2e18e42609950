const dayMs = 24 * 60 * 60 * 1000;
/** Days are the Gregorian calendar's, YYYY-MM-DD. */
const dayForm = /^\d{4}-\d{2}-\d{2}$/;

/** Whether a text is a day that the calendar has, written YYYY-MM-DD. */
export function isDay(text: string): boolean {
  if (!dayForm.test(text)) return false;
  // Date takes February 30 for March 2; only a real day comes back as it was.
  const midnight = Date.parse(`${text}T00:00:00.000Z`);
  return !Number.isNaN(midnight) && dayOf(midnight) === text;
}

/** The UTC day of a moment in milliseconds since the epoch. */
export function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** The Monday of a day's week (ISO 8601). */
export function weekOf(day: string): string {
  const weekday = new Date(`${day}T00:00:00.000Z`).getUTCDay();
  return addDays(day, -((weekday + 6) % 7));
}

/** The day so many days later, or earlier for a negative number. */
export function addDays(day: string, days: number): string {
  return dayOf(Date.parse(`${day}T00:00:00.000Z`) + days * dayMs);
}
