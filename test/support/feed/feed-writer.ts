import type { SeededRandom } from '@teammemory/testkit/seeded-random.ts';
import { apiWhenAvailable, item } from '../http/api.ts';
import type { RunningService, Team } from '../service/running-service.ts';

/** Rows that every writer writes, and rows of each writer alone. */
const sharedRows = 40;
const ownRows = 12;
const maxBatchItems = 12;

/** The last that a writer was told about a row of its own. */
export interface OwnRow {
  checksum: string;
  tier: string;
  deleted: boolean;
}

/** What a writer did. */
export interface Written {
  /** Upserts that were acknowledged. */
  upserts: number;
  /** The state its own rows must be in, by row_key. */
  own: Map<string, OwnRow>;
  /** Checksums acknowledged for shared rows, whose last writer nobody can know. */
  shared: Map<string, Set<string>>;
}

/**
 * Pushes batches until `upserts` items are acknowledged: new rows, new contents
 * of old ones, and the same contents in another tier; and removes a row now and then.
 *
 * @throws Error when anything is not answered as it should be.
 */
export async function writeItems(options: {
  service: Pick<RunningService, 'url'>;
  team: Pick<Team, 'slug'>;
  key: string;
  name: string;
  upserts: number;
  random: SeededRandom;
}): Promise<Written> {
  const { service, team, key, name, random } = options;
  const written: Written = { upserts: 0, own: new Map(), shared: new Map() };

  function anyRow(): string {
    // A row that is written once shows a hole that a later version would cover up.
    if (random.chance(0.1)) return `once/${name}/${written.upserts}-${random.bits().toString(36)}.md`;
    if (random.chance(0.5)) return `shared/${random.integerBelow(sharedRows)}.md`;
    return `own/${name}/${random.integerBelow(ownRows)}.md`;
  }

  function anyItem() {
    const rowKey = anyRow();
    const tier = random.pick(['team', 'external']);
    const fresh = item(rowKey, `${rowKey} ${random.bits()}\n`, { tier });
    const old = written.own.get(rowKey);
    // The checksum alone says that a content is the same: then at most the tier changes.
    return old?.deleted === false && random.chance(0.3) ? { ...fresh, checksum: old.checksum } : fresh;
  }

  async function push() {
    const size = 1 + random.integerBelow(maxBatchItems);
    const batch = [
      ...new Map(Array.from({ length: size }, anyItem).map((one) => [one.row_key, one])).values(),
    ];
    const { status, body } = await apiWhenAvailable(service, team, key, '/api/v1/items', {
      body: { items: batch },
    });
    if (status !== 200 || body.accepted !== batch.length) throw new Error(`push: ${JSON.stringify(body)}`);
    written.upserts += batch.length;
    for (const { row_key, checksum, tier } of batch) {
      if (row_key.startsWith('shared/')) written.shared.getOrInsert(row_key, new Set()).add(checksum);
      else written.own.set(row_key, { checksum, tier, deleted: false });
    }
  }

  async function remove() {
    const rowKey = random.chance(0.5) ? `shared/${random.integerBelow(sharedRows)}.md` : anyRow();
    const { status } = await apiWhenAvailable(
      service,
      team,
      key,
      `/api/v1/items/${encodeURIComponent(rowKey)}`,
      {
        method: 'DELETE',
      },
    );
    const own = written.own.get(rowKey);
    const expected = own === undefined ? [204, 404] : [204];
    if (!expected.includes(status)) throw new Error(`removing ${rowKey} was answered ${status}`);
    if (own !== undefined) own.deleted = true;
  }

  while (written.upserts < options.upserts) await (random.chance(0.2) ? remove() : push());
  return written;
}
