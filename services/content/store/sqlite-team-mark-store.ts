import { maxPageMarks, type TeamMarkStore } from '../domain/feed/team-marks.ts';

/**
 * Keeps marks beside SQLite, in memory: one process writes to the database, and those who follow it begin anew with it.
 * Times are counted.
 */
export function createSqliteTeamMarkStore(): TeamMarkStore {
  /** In the order of their marks. */
  const marks = new Map<string, number>();
  let newest = 0;
  return {
    async mark(teamId) {
      newest += 1;
      marks.delete(teamId);
      marks.set(teamId, newest);
    },
    async after(at) {
      const found = [];
      for (const [teamId, markedAt] of marks) {
        if (markedAt > at) found.push({ teamId, at: markedAt });
        if (found.length === maxPageMarks) break;
      }
      return found;
    },
    newestAt: async () => newest,
  };
}
