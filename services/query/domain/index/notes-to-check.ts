import type { NoteToCheck } from './index-host.ts';
import type { TeamIndexes, Viewer } from './team-indexes.ts';

/** Notes that are listed at once. */
const maxNotesToCheck = 50;

/**
 * Lists notes that the viewer sees whose day to be checked has passed, the oldest day first, after bringing the index up
 * to date; with `writerId` only those that this member wrote last.
 * @throws AppError `unavailable`, and the signal's reason when it aborts.
 */
export async function listNotesToCheck(
  { indexes, clock }: { indexes: TeamIndexes; clock: () => number },
  { writerId }: { writerId: string | undefined },
  { viewer, signal }: { viewer: Viewer; signal: AbortSignal },
): Promise<{ notes: NoteToCheck[]; hasMore: boolean }> {
  const { teamId, tier } = viewer;
  const today = new Date(clock()).toISOString().slice(0, 10);
  const found = await indexes.use(viewer, signal, (host) =>
    host.notesToCheck(teamId, { tier, today, writerId, limit: maxNotesToCheck + 1 }),
  );
  return { notes: found.slice(0, maxNotesToCheck), hasMore: found.length > maxNotesToCheck };
}
