import type { BackupTable } from '@teammemory/backup/backup-store.ts';

/** Vectors, which were paid for. */
export const embeddingTable: BackupTable = {
  name: 'embeddings',
  fields: {
    team_id: 'text',
    row_key: 'text',
    digest: 'text',
    model: 'text',
    dimension: 'number',
    vector: 'bytes',
  },
  key: ['team_id', 'row_key', 'digest'],
};

/** What was spent on each day: amounts in micro-dollars, without reservations, which end with the process that made them. */
export const usageDayTable: BackupTable = {
  name: 'usage_days',
  fields: { team_id: 'text', day: 'text', scope: 'text', member_id: 'text', spent: 'number', open: 'number' },
  key: ['team_id', 'day', 'scope', 'member_id'],
};

/** What each member used of each model on each day. */
export const usageTotalTable: BackupTable = {
  name: 'usage_totals',
  fields: {
    team_id: 'text',
    day: 'text',
    member_id: 'text',
    model: 'text',
    calls: 'number',
    input_tokens: 'number',
    output_tokens: 'number',
    cost: 'number',
  },
  key: ['team_id', 'day', 'member_id', 'model'],
};

/** What members said of answers. */
export const ratingTable: BackupTable = {
  name: 'ratings',
  fields: {
    rating_id: 'text',
    team_id: 'text',
    member_id: 'text',
    member_handle: 'text',
    tier: 'text',
    question: 'text',
    verdict: 'text',
    note: 'text',
    at: 'number',
  },
  key: ['team_id', 'rating_id'],
  id: 'rating_id',
};

/** Tables and collections that no backup has, with the reason. */
export const leftOut: Readonly<Record<string, string>> = {
  passages: 'made again from the items',
  cursors: 'made again from the items',
  usage_reservations: 'they end with the calls that were in progress',
  schema_version: 'it tells of this data; rows that a restore brings may be older',
  schema_versions: 'it tells of this data; rows that a restore brings may be older',
  restores: 'it tells of this data, not of the backup',
};
