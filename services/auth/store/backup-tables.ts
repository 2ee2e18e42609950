import type { BackupTable, Fields } from '@teammemory/backup/backup-store.ts';

const name = 'text';
const credential: Fields = {
  secret_hash: 'text',
  created_at: 'number',
  expires_at: 'number?',
  revoked_at: 'number?',
};

/** Credentials that belong to no team. */
function credentialTable(table: string): BackupTable {
  return {
    name: table,
    fields: { credential_id: 'text', name, scopes: 'words', ...credential },
    key: ['credential_id'],
    unique: [['name']],
    id: 'credential_id',
  };
}

/** The tables of auth that are backed up. What others name comes after them, so that it is there if they are. */
export const backupTables: readonly BackupTable[] = [
  {
    name: 'keys',
    fields: {
      key_id: 'text',
      team_id: 'text',
      team_slug: 'text',
      member_id: 'text',
      member_handle: 'text',
      tier: 'text',
      ...credential,
      last_used_at: 'number?',
      access: 'text',
      item_writes_per_minute: 'number?',
      for_sign_in: 'flag',
      app_client_id: 'text?',
      app_maker_key_id: 'text?',
      proposes: 'number?',
    },
    key: ['key_id'],
    id: 'key_id',
    absent: ['for_sign_in', 'app_client_id', 'app_maker_key_id', 'proposes'],
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
      refusal_id: 'text',
      team_id: 'text',
      member_id: 'text',
      member_handle: 'text',
      key_id: 'text',
      request: 'text',
      code: 'text',
      detail: 'text',
      row_key: 'text',
      at: 'number',
    },
    key: ['refusal_id'],
    id: 'refusal_id',
  },
  credentialTable('service_credentials'),
  credentialTable('operators'),
  {
    name: 'members',
    fields: { member_id: 'text', team_id: 'text', handle: 'text', role: 'text', created_at: 'number' },
    key: ['member_id'],
    unique: [['team_id', 'handle']],
    id: 'member_id',
  },
  {
    name: 'teams',
    fields: { team_id: 'text', slug: 'text', name, created_at: 'number' },
    key: ['team_id'],
    unique: [['slug']],
    id: 'team_id',
  },
];

/** Tables and collections that no backup has, with the reason. */
export const leftOut: Readonly<Record<string, string>> = {
  sessions: 'people sign in again',
  sign_in_links: 'they are valid for two minutes',
  app_tokens: 'an app that a restore brings back is connected again',
  registered_apps: 'an app registers again when it is connected again',
  invitations: 'one that was taken or revoked meanwhile would open the team again',
  schema_version: 'it tells of this data; rows that a restore brings may be older',
  schema_versions: 'it tells of this data; rows that a restore brings may be older',
  restores: 'it tells of this data, not of the backup',
};
