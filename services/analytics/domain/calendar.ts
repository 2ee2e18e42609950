const dayMs = 24 * 60 * 60 * 1000;

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
