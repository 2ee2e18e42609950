import type { Tier } from '@teammemory/vocabulary/tier.ts';
import type { FeedRow, FeedRowState } from '../domain/feed/feed-row.ts';
import { type ChargeColumns, chargeFromColumns, originFromStored, storedOrigin } from './stored-feed.ts';

/** A row of a feed's table. */
export interface TableRow extends ChargeColumns {
  row_key: string;
  seq: number;
  updated_at: number;
  tier: Tier;
  deleted: number;
  checksum: string;
  revision: number;
  external_at: number | null;
  json: Uint8Array;
  writer_id: string | null;
  removed_by: string | null;
  erased_from: number | null;
  origin: string | null;
}

/** Returns the values of a row's columns, in the order in which the store writes them. */
export function stateValues(row: FeedRow) {
  const { rowKey, seq, updatedAtMs, tier, deleted, checksum, revision, externalAtMs, charge } = row;
  const { owner = null, bytes = null, keptBytes = null } = charge ?? {};
  return [
    rowKey,
    seq,
    updatedAtMs,
    tier,
    deleted ? 1 : 0,
    checksum,
    revision,
    externalAtMs,
    owner,
    bytes,
    keptBytes,
    row.removedBy ?? null,
    row.erasedFrom ?? null,
    row.writerId ?? null,
    storedOrigin(row),
  ];
}

/** Returns a row of the table as the domain has it. */
export function rowFromTable(row: TableRow): FeedRow {
  return { ...stateFromTable(row), json: row.json };
}

/** Returns what a row of the table says but for its text. */
export function stateFromTable(row: TableRow): FeedRowState {
  return {
    rowKey: row.row_key,
    seq: row.seq,
    updatedAtMs: row.updated_at,
    tier: row.tier,
    deleted: row.deleted === 1,
    checksum: row.checksum,
    revision: row.revision,
    externalAtMs: row.external_at,
    ...chargeFromColumns(row),
    ...(row.removed_by === null ? {} : { removedBy: row.removed_by }),
    ...(row.erased_from === null ? {} : { erasedFrom: row.erased_from }),
    ...(row.writer_id === null ? {} : { writerId: row.writer_id }),
    ...originFromStored(row.origin, row.seq),
  };
}
