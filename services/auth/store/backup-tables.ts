import type { BackupTable, Fields } from '@teammemory/backup/backup-store.ts';

const name = 'text';
const credential: Fields = {
  secret_hash: 'text',
  created_at: 'number',
  expires_at: 'number?',
  revoked_at: 'number?',
};

/** The tables of auth that are backed up. What others name comes after them, so that it is there if they are. */
export const backupTables: readonly BackupTable[] = [
  {
    name: 'keys',
    fields: {
      ...{ key_id: 'text', team_id: 'text', team_slug: 'text', member_id: 'text', member_handle: 'text' },
      ...{ tier: 'text', ...credential, last_used_at: 'number?', access: 'text' },
      ...{ item_writes_per_minute: 'number?', for_sign_in: 'flag' },
    },
    key: ['key_id'],
    id: 'key_id',
    absent: ['for_sign_in'],
    defaults: { access: 'write' },
  },
  {
    name: 'sign_in_addresses',
    fields: {
      team_id: 'text',
      address: 'text',
      member_id: 'text',
      member_handle: 'text',
      created_at: 'number',
    },
    key: ['team_id', 'address'],
  },
  {
    name: 'refusals',
    fields: {
      ...{ refusal_id: 'text', team_id: 'text', member_id: 'text', member_handle: 'text', key_id: 'text' },
      ...{ request: 'text', code: 'text', detail: 'text', row_key: 'text', at: 'number' },
    },
    key: ['refusal_id'],
    id: 'refusal_id',
  },
  {
    name: 'service_credentials',
    fields: { credential_id: 'text', name, scopes: 'words', ...credential },
    key: ['credential_id'],
    id: 'credential_id',
  },
  {
    name: 'members',
    fields: { member_id: 'text', team_id: 'text', handle: 'text', role: 'text', created_at: 'number' },
    key: ['member_id'],
    id: 'member_id',
  },
  {
    name: 'teams',
    fields: { team_id: 'text', slug: 'text', name, created_at: 'number' },
    key: ['team_id'],
    id: 'team_id',
  },
];

/** Tables and collections that no backup has, with the reason. */
export const leftOut: Readonly<Record<string, string>> = {
  sessions: 'people sign in again',
  sign_in_links: 'they are valid for two minutes',
  schema_version: 'rows of a backup are in the form of the program that restores them',
  schema_versions: 'rows of a backup are in the form of the program that restores them',
  restores: 'it tells of this data, not of the backup',
};
