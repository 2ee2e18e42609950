import type { BackupTable, Fields } from '@teammemory/backup/backup-store.ts';

const times: Fields = { created_at: 'number', updated_at: 'number' };

/** The tables of analytics that are backed up. What others name comes after them, so that it is there if they are. */
export const backupTables: readonly BackupTable[] = [
  {
    name: 'scans',
    fields: {
      id: 'text',
      team_id: 'text',
      codebase_id: 'text',
      head_sha: 'text',
      version: 'number',
      revision: 'number',
      agentic_score: 'number',
      metrics_json: 'text',
      contributions_json: 'text',
      issues_json: 'text',
      bytes: 'number?',
      ...times,
    },
    key: ['id'],
    unique: [['team_id', 'codebase_id', 'head_sha']],
    id: 'id',
  },
  {
    name: 'codebases',
    fields: {
      codebase_id: 'text',
      team_id: 'text',
      slug: 'text',
      full_name: 'text',
      provider: 'text',
      ...times,
    },
    key: ['codebase_id'],
    unique: [['team_id', 'slug']],
    id: 'codebase_id',
  },
  {
    name: 'snapshots',
    fields: {
      id: 'text',
      team_id: 'text',
      member_id: 'text',
      date: 'text',
      metric: 'text',
      window_days: 'number',
      sessions: 'number',
      tasks: 'number',
      signals_json: 'text',
      provisional_json: 'text?',
      version: 'number',
      revision: 'number',
      spine: 'text',
      axes_json: 'text',
      counted_json: 'text?',
      ...times,
    },
    key: ['id'],
    unique: [['team_id', 'member_id', 'date', 'metric']],
    id: 'id',
    absent: ['counted_json'],
  },
  {
    name: 'rollup_releases',
    fields: { team_id: 'text', number: 'number', json: 'text' },
    key: ['team_id', 'number'],
    id: ['team_id', 'number'],
  },
];

/** Tables and collections that no backup has, with the reason. */
export const leftOut: Readonly<Record<string, string>> = {
  schema_version: 'it tells of this data; rows that a restore brings may be older',
  schema_versions: 'it tells of this data; rows that a restore brings may be older',
  restores: 'it tells of this data, not of the backup',
};
