const millisecondsPerDay = 86_400_000;

/** The UTC day of a moment, YYYY-MM-DD. */
export function dayOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 10);
}

/** The moment at which the UTC day of another moment ends, in milliseconds since the epoch. */
export function endOfDay(milliseconds: number): number {
  return (Math.floor(milliseconds / millisecondsPerDay) + 1) * millisecondsPerDay;
}

/** The day so many days before another one. */
export function daysBefore(day: string, days: number): string {
  return dayOf(Date.parse(`${day}T00:00:00Z`) - days * millisecondsPerDay);
}
