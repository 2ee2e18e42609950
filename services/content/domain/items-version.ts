import type { ItemStore } from './item-store.ts';
import type { Tier } from './tier.ts';

/** The version of a tier's items whose newest place is given, milliseconds since the epoch. */
export function versionAt(newestMs: number): string {
  // A time, so that it does not come again when a team goes on from a restored backup, as a count would.
  return newestMs.toString(36);
}

/**
 * A text that changes with every change of what one tier sees of the team's
 * items, and only then: the newest place of its feed. A page is no older than a
 * version that was told before its rows were read.
 * @throws AppError `unavailable`.
 */
export async function itemsVersion(
  dependencies: { items: ItemStore },
  reader: { teamId: string; tier: Tier },
): Promise<string> {
  return versionAt(await dependencies.items.newestPlace(reader.teamId, reader.tier));
}
