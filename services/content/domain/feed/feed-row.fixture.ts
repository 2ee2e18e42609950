import type { FeedRow } from './feed-row.ts';

/** Returns a stored row at a position, written `seq` milliseconds after the epoch. External feeds have it if its tier is external. */
export function storedRow(rowKey: string, seq: number, changed: Partial<FeedRow> = {}): FeedRow {
  const tier = changed.tier ?? 'team';
  return {
    rowKey,
    seq,
    updatedAtMs: seq,
    tier,
    deleted: false,
    checksum: `sha256:${'a'.repeat(64)}`,
    revision: 1,
    externalAtMs: tier === 'external' ? seq : null,
    json: Buffer.from(JSON.stringify({ row_key: rowKey, seq })),
    ...changed,
  };
}
