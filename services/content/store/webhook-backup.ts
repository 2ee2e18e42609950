import type { BackupRow, BackupTable } from '@teammemory/backup/backup-store.ts';
import type { StoredWebhook } from './stored-webhook.ts';

/** Webhooks, each as one JSON text. */
export const webhookTable: BackupTable = {
  name: 'webhooks',
  fields: { team_id: 'text', webhook_id: 'text', status: 'text', revision: 'number', json: 'text' },
  key: ['team_id', 'webhook_id'],
};

/**
 * A webhook as it is restored: off, so that a copy of the data, as of a restore drill, sends nothing to receivers. Nobody
 * delivers for it.
 */
export function restoredWebhook(row: BackupRow): BackupRow {
  const { lease: _, ...stored } = JSON.parse(row.json as string) as StoredWebhook;
  const off = stored.off ?? { reason: 'administrator' as const, at: Date.now() };
  const status = off.reason === 'administrator' ? 'off' : 'failed';
  return { ...row, status, json: JSON.stringify({ ...stored, off }) };
}
