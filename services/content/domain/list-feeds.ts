import { AppError } from '@teammemory/errors/app-error.ts';
import type { ProjectionStore, TeamChanges } from './projection-store.ts';

/** Feeds of one page: some 50 KB, read from one small row each. */
const feedsMaxPage = 1_000;
/** An id of a team is shorter than this. */
const teamIdMaxLength = 64;

/**
 * Lists the feeds of all teams by how far what is made from them has
 * followed them: one row a team, while the feeds' own newest rows would be
 * three look-ups each. `nextTeamId` is empty on the last page.
 * @throws AppError `invalid_request` for a place that no page gave, `unavailable`.
 */
export async function listFeeds(
  { places }: { places: ProjectionStore },
  query: { afterTeamId: string; limit: number },
): Promise<{ feeds: TeamChanges[]; nextTeamId: string }> {
  const { afterTeamId } = query;
  if (afterTeamId.length > teamIdMaxLength)
    throw new AppError('invalid_request', 'The page token is not ours.');
  const limit = Math.min(query.limit || feedsMaxPage, feedsMaxPage);
  const found = await places.all(afterTeamId, limit + 1);
  const feeds = found.slice(0, limit);
  return { feeds, nextTeamId: found.length > limit ? (feeds.at(-1)?.teamId ?? '') : '' };
}
