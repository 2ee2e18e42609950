import { type FeedPositions, noPositions } from '../passages/feeds.ts';
import type { ItemPassages } from '../passages/passage.ts';
import { storedItem } from '../passages/passage-store.ts';
import type { IndexHost } from './index-host.ts';

/** Has a host take over items as a team's only changes, as the rest of the service does with rows. */
export async function applyItems(
  host: IndexHost,
  teamId: string,
  items: readonly ItemPassages[],
): Promise<void> {
  const positions = itemsAt(Math.max(0, ...items.map(({ seq }) => seq)));
  await host.open(teamId, { heads: positions, asked: true });
  await host.apply(teamId, { documents: items.map(storedItem), positions });
}

/** Where items go so far, and other lists have nothing. */
export function itemsAt(items: number): FeedPositions {
  return { ...noPositions, items };
}
