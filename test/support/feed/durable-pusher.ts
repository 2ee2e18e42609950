import type { SeededRandom } from '@teammemory/testkit/seeded-random.ts';
import { api, item } from '../http/api.ts';
import type { StartedService, Team } from '../service/running-service.ts';

/** Rows of one pusher that are written again and again, beside those written once. */
const repeatedRows = 10;
const maxBatchItems = 8;
/** Enough that a content spans several pages of any store: half of it written would show. */
const contentRepeats = 200;

/** What became of the versions of one row that were sent, oldest first. */
export interface SentRow {
  checksums: string[];
  /** Index of the newest version that was acknowledged; -1 for none. */
  acknowledged: number;
}

/** Everything sent, by row_key; filled while the pushers run. */
export type Sent = Map<string, SentRow>;

/**
 * Pushes batches, one after the other, until the program is gone. Each row has
 * one pusher only, so its versions have an order.
 */
export async function pushUntilGone(options: {
  service: StartedService;
  team: Team;
  name: string;
  random: SeededRandom;
  sent: Sent;
}): Promise<void> {
  const { service, team, name, random, sent } = options;
  for (;;) {
    const keys = Array.from({ length: 1 + random.integerBelow(maxBatchItems) }, () =>
      random.chance(0.5)
        ? `${name}/${random.bits().toString(36)}.md`
        : `${name}/again-${random.integerBelow(repeatedRows)}.md`,
    );
    const items = [...new Set(keys)].map((rowKey) =>
      item(rowKey, `${wordOf(rowKey)} ${random.bits()}\n`.repeat(contentRepeats)),
    );
    const rows = items.map(({ row_key, checksum }) => {
      const row = sent.getOrInsert(row_key, { checksums: [], acknowledged: -1 });
      return { row, version: row.checksums.push(checksum) - 1 };
    });
    try {
      const { status, body } = await api(service, team, team.teamKey, '/api/v1/items', { body: { items } });
      if (status !== 200) throw new Error(`push: ${JSON.stringify(body)}`);
    } catch (error) {
      // After kill -9 every connection breaks; before it none may.
      if (service.process.killed) return;
      throw error;
    }
    for (const { row, version } of rows) row.acknowledged = Math.max(row.acknowledged, version);
  }
}

/** A word that only this item has, for a question. */
export function wordOf(rowKey: string): string {
  return rowKey.replaceAll(/[^a-z0-9]/g, '');
}
