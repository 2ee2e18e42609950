import type { Tier } from '@teammemory/vocabulary/tier.ts';
import { Binary } from 'mongodb';
import { publicId } from '../domain/feed/feed-page.ts';
import type { FeedRow, FeedRowState } from '../domain/feed/feed-row.ts';
import { type ChargeColumns, chargeFromColumns, originFromStored, storedOrigin } from './stored-feed.ts';

/** A row of a feed. */
export interface FeedDocument extends ChargeColumns {
  /** Team and row_key in one text, so that a row cannot have two documents. */
  _id: string;
  team_id: string;
  row_key: string;
  /** Of tasks: their public id. Absent in other feeds. */
  row_id?: string;
  seq: number;
  /** `seq` and earlier positions of the row; unique in the team over all rows. */
  positions: number[];
  updated_at: number;
  tier: Tier;
  deleted: boolean;
  checksum: string;
  revision: number;
  /** Absent, not null, while external keys could never see the row, so that the partial index leaves it out. */
  external_at?: number;
  json: Binary;
  writer_id: string | null;
  removed_by: string | null;
  /** Absent in rows of 0.1. */
  erased_from?: number | null;
  /** JSON; absent in rows of earlier versions. */
  origin?: string | null;
}

/** An earlier version of a row. */
export interface VersionDocument {
  _id: string;
  team_id: string;
  row_key: string;
  revision: number;
  json: Binary;
  origin?: string | null;
}

/** Returns the _id of a row. */
export function idOf(teamId: string, rowKey: string): string {
  return `${teamId}\n${rowKey}`;
}

/** Returns the JSON of a document, without a copy. */
export function bytesOf(json: Binary): Uint8Array {
  return json.buffer.subarray(0, json.position);
}

/** Returns the fields that a write of a row sets. */
export function fieldsFromRow(row: FeedRow): Omit<FeedDocument, '_id' | 'team_id' | 'positions'> {
  return {
    row_key: row.rowKey,
    ...(row.rowKey.includes('\n') ? { row_id: publicId(row.rowKey) } : {}),
    seq: row.seq,
    updated_at: row.updatedAtMs,
    tier: row.tier,
    deleted: row.deleted,
    checksum: row.checksum,
    revision: row.revision,
    ...(row.externalAtMs === null ? {} : { external_at: row.externalAtMs }),
    json: new Binary(row.json),
    writer_id: row.writerId ?? null,
    removed_by: row.removedBy ?? null,
    erased_from: row.erasedFrom ?? null,
    origin: storedOrigin(row),
    ...(row.charge === undefined
      ? {}
      : { owner: row.charge.owner, bytes: row.charge.bytes, kept_bytes: row.charge.keptBytes }),
  };
}

/** Returns the state of a row. */
export function stateFromDocument(document: FeedDocument): FeedRowState {
  return {
    rowKey: document.row_key,
    seq: document.seq,
    updatedAtMs: document.updated_at,
    tier: document.tier,
    deleted: document.deleted,
    checksum: document.checksum,
    revision: document.revision,
    externalAtMs: document.external_at ?? null,
    ...chargeFromColumns(document),
    ...(typeof document.removed_by === 'string' ? { removedBy: document.removed_by } : {}),
    ...(typeof document.erased_from === 'number' ? { erasedFrom: document.erased_from } : {}),
    ...(typeof document.writer_id === 'string' ? { writerId: document.writer_id } : {}),
    ...originFromStored(document.origin, document.seq),
  };
}

/** Returns the whole row. */
export function rowFromDocument(document: FeedDocument): FeedRow {
  return { ...stateFromDocument(document), json: bytesOf(document.json) };
}
