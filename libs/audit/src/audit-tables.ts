import type { BackupSection, BackupTable } from '@teammemory/backup/backup-store.ts';

/**
 * The tables of a service's audit log, as they are backed up: where it ends comes first, because entries may be appended
 * behind it while the entries are read.
 */
function auditTables(service: string): { bounds: BackupTable; entries: BackupTable } {
  return {
    bounds: {
      name: `${service}_audit_bounds`,
      fields: {
        id: 'text',
        first: 'number',
        first_previous_hash: 'text',
        last: 'number',
        last_hash: 'text',
        pruned_by: 'number?',
      },
      key: ['id'],
      id: 'id',
      absent: ['pruned_by'],
    },
    entries: {
      name: `${service}_audit_entries`,
      fields: {
        sequence: 'number',
        at: 'number',
        team_id: 'text?',
        actor: 'text',
        text: 'text',
        hash: 'text',
      },
      key: ['sequence'],
    },
  };
}

/**
 * The sections of a service's audit log in a backup; `section` makes one of a table. A log is no data that a restore would
 * overwrite: that of the restored service takes its place.
 */
export function auditSections(
  service: string,
  section: (table: BackupTable) => BackupSection,
): BackupSection[] {
  const { bounds, entries } = auditTables(service);
  return [bounds, entries].map((table) => ({ ...section(table), isEmpty: async () => true }));
}
