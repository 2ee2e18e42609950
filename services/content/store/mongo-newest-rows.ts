import type { MongoConnection } from '@teammemory/mongo/mongo-connection.ts';
import type { Collection } from 'mongodb';
import type { ItemDocument } from './mongo-item-document.ts';

/** Feeds whose newest place is remembered: some megabytes. */
const knownFeedsMax = 20_000;

type Place = 'seq' | 'updated_at' | 'external_at';
type NewestRow = Pick<ItemDocument, Place>;

/**
 * Makes a function that answers the places of a team's newest row by one of
 * them. It looks from where the newest was last seen: an index answers that at
 * once, and a server that sorts what it finds has little to sort.
 */
export function createNewestRows(
  connection: MongoConnection,
  items: Collection<ItemDocument>,
): (place: Place, teamId: string) => Promise<NewestRow | null> {
  const known = new Map<string, number>();

  function look(place: Place, teamId: string, from: number): Promise<NewestRow | null> {
    const filter = { team_id: teamId, [place]: { $gte: from } };
    const projection = { _id: 0, seq: 1, updated_at: 1, external_at: 1 };
    return connection.call((deadline) =>
      items.findOne(filter, { ...deadline, sort: { [place]: -1 }, projection }),
    );
  }

  return async (place, teamId) => {
    const feed = `${place} ${teamId}`;
    const last = known.get(feed) ?? 0;
    // A feed can be shorter than it was when a backup has been restored.
    const newest = (await look(place, teamId, last)) ?? (last > 0 ? await look(place, teamId, 0) : null);
    if (known.size >= knownFeedsMax) known.clear();
    known.set(feed, newest?.[place] ?? 0);
    return newest;
  };
}
