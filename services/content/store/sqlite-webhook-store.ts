import type { SqliteDatabase } from '@teammemory/sqlite/sqlite-database.ts';
import type { WebhookStore } from '../domain/webhooks/webhook.ts';
import { statusOf, storedWebhook, webhookFromStored } from './stored-webhook.ts';

/** The table of webhooks. Runs on every start. */
export const sqliteWebhookSchema = `
  CREATE TABLE IF NOT EXISTS webhooks (
    team_id TEXT NOT NULL,
    webhook_id TEXT NOT NULL,
    status TEXT NOT NULL,
    revision INTEGER NOT NULL,
    json TEXT NOT NULL,
    PRIMARY KEY (team_id, webhook_id)
  ) STRICT;
  CREATE INDEX IF NOT EXISTS webhooks_status ON webhooks (status, webhook_id);
`;

/** Stores webhooks in SQLite. `WebhookStore` says what each method promises. */
export function createSqliteWebhookStore(database: SqliteDatabase): WebhookStore {
  const count = database.prepare('SELECT count(*) AS webhooks FROM webhooks WHERE team_id = ?');
  const insert = database.prepare(
    'INSERT INTO webhooks (team_id, webhook_id, status, revision, json) VALUES (?, ?, ?, ?, ?)',
  );
  const one = database.prepare('SELECT json FROM webhooks WHERE team_id = ? AND webhook_id = ?');
  const ofTeam = database.prepare('SELECT json FROM webhooks WHERE team_id = ? ORDER BY webhook_id LIMIT ?');
  const replace = database.prepare(
    `UPDATE webhooks SET status = ?, revision = ?, json = ?
     WHERE team_id = ? AND webhook_id = ? AND revision = ?`,
  );
  const remove = database.prepare('DELETE FROM webhooks WHERE team_id = ? AND webhook_id = ?');
  const on = database.prepare(
    `SELECT json FROM webhooks WHERE status = 'on' AND webhook_id > ? ORDER BY webhook_id LIMIT ?`,
  );
  const failed = database.prepare(`SELECT count(*) AS webhooks FROM webhooks WHERE status = 'failed'`);
  const fromRow = (row: Record<string, unknown>) => webhookFromStored(JSON.parse(row.json as string));
  return {
    create: (teamId, webhook, max) =>
      database.write(() => {
        if ((count.get(teamId)?.webhooks as number) >= max) return 'full';
        const json = JSON.stringify(storedWebhook(webhook));
        insert.run(teamId, webhook.webhookId, statusOf(webhook), webhook.revision, json);
        return 'created';
      }),
    async find(teamId, webhookId) {
      const row = one.get(teamId, webhookId);
      return row === undefined ? undefined : fromRow(row);
    },
    async list(teamId, limit) {
      return ofTeam.all(teamId, limit).map(fromRow);
    },
    // Deliveries move on with it, also those of what was pushed just before the disk was full.
    replace: (teamId, webhook) =>
      database.writeWithReserve(() => {
        const { webhookId, revision } = webhook;
        const json = JSON.stringify(storedWebhook(webhook));
        return replace.run(statusOf(webhook), revision, json, teamId, webhookId, revision - 1).changes === 1;
      }),
    remove: (teamId, webhookId) =>
      database.writeWithReserve(() => remove.run(teamId, webhookId).changes === 1),
    async allOn(afterWebhookId, limit) {
      return on.all(afterWebhookId, limit).map(fromRow);
    },
    async countFailed() {
      return failed.get()?.webhooks as number;
    },
  };
}
