const millisecondsPerDay = 86_400_000;

/** The UTC day of a moment, YYYY-MM-DD. */
export function dayOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 10);
}

/** The moment at which the UTC day of another moment ends, in milliseconds since the epoch. */
export function endOfDay(milliseconds: number): number {
  return (Math.floor(milliseconds / millisecondsPerDay) + 1) * millisecondsPerDay;
}

/** Whether a text is a day of the calendar, written YYYY-MM-DD. */
export function isDay(text: string): boolean {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  // Date.parse takes the 30th of February for the 2nd of March.
  return !Number.isNaN(time) && dayOf(time) === text;
}

/** The day so many days before another one. */
export function daysBefore(day: string, days: number): string {
  return dayOf(Date.parse(`${day}T00:00:00Z`) - days * millisecondsPerDay);
}
