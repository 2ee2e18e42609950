import type { ItemPassages } from '../passages/passage.ts';
import { storedItem } from '../passages/passages-json.ts';
import type { IndexHost } from './index-host.ts';

/** Has a host take over items as a team's only changes, as the rest of the service does with rows. */
export async function applyItems(
  host: IndexHost,
  teamId: string,
  items: readonly ItemPassages[],
): Promise<void> {
  const cursor = Math.max(0, ...items.map(({ seq }) => seq));
  await host.open(teamId, { cursor, asked: true });
  await host.apply(teamId, items.map(storedItem), cursor);
}
