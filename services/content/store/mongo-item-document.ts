import { Binary } from 'mongodb';
import type { Item, ItemState } from '../domain/item.ts';
import type { Tier } from '../domain/tier.ts';
import { type ChargeRow, chargeFromRow } from './usage-row.ts';

/** A row of a list. */
export interface ItemDocument extends ChargeRow {
  /** Team and row_key in one text, so that one item is one document whatever else happens. */
  _id: string;
  team_id: string;
  row_key: string;
  seq: number;
  /** `seq` and those before it; unique in the team over all rows. */
  positions: number[];
  updated_at: number;
  tier: Tier;
  deleted: boolean;
  checksum: string;
  revision: number;
  /** Absent, not null, while external keys could never see it: the partial index leaves it out then. */
  external_at?: number;
  json: Binary;
  /** Absent in rows of earlier versions. */
  writer_id?: string | null;
}

/** What a row held before it was replaced. */
export interface VersionDocument {
  _id: string;
  team_id: string;
  row_key: string;
  revision: number;
  json: Binary;
}

/** The one _id of a row. */
export function idOf(teamId: string, rowKey: string): string {
  return `${teamId}\n${rowKey}`;
}

/** The JSON of a document, without a copy. */
export function bytesOf(json: Binary): Uint8Array {
  return json.buffer.subarray(0, json.position);
}

/** The fields of a row that a write sets. */
export function fieldsFromItem(item: Item): Omit<ItemDocument, '_id' | 'team_id' | 'positions'> {
  return {
    row_key: item.rowKey,
    seq: item.seq,
    updated_at: item.updatedAtMs,
    tier: item.tier,
    deleted: item.deleted,
    checksum: item.checksum,
    revision: item.revision,
    ...(item.externalAtMs === null ? {} : { external_at: item.externalAtMs }),
    json: new Binary(item.json),
    writer_id: item.writerId ?? null,
    ...(item.charge === undefined
      ? {}
      : { owner: item.charge.owner, bytes: item.charge.bytes, kept_bytes: item.charge.keptBytes }),
  };
}

/** What the domain knows of a row without its JSON. */
export function stateFromDocument(document: ItemDocument): ItemState {
  return {
    rowKey: document.row_key,
    seq: document.seq,
    updatedAtMs: document.updated_at,
    tier: document.tier,
    deleted: document.deleted,
    checksum: document.checksum,
    revision: document.revision,
    externalAtMs: document.external_at ?? null,
    ...chargeFromRow(document),
  };
}

/** The whole row, as the domain knows it. */
export function itemFromDocument(document: ItemDocument): Item {
  const { json, writer_id: writerId } = document;
  const writer = typeof writerId === 'string' ? { writerId } : {};
  return { ...stateFromDocument(document), json: bytesOf(json), ...writer };
}
