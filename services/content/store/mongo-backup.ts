import type { BackupSection, BackupStore } from '@teammemory/backup/backup-store.ts';
import type { SchemaRecords } from '@teammemory/migrations/schema-version.ts';
import { mongoBackupSection, mongoRestoreRecords } from '@teammemory/mongo/backup-tables.ts';
import type { MongoConnection } from '@teammemory/mongo/mongo-connection.ts';
import { publicId } from '../domain/feed/feed-page.ts';
import { type ContentTables, contentSections, type FeedSource } from './backup-sections.ts';
import { bytesOf, type FeedDocument, rowFromDocument } from './mongo-feed-document.ts';
import { type FeedNames, feedNames } from './stored-feed.ts';
import type { StoredWebhook } from './stored-webhook.ts';
import { restoredWebhook, webhookTable } from './webhook-backup.ts';

/** Documents, and bytes of their JSON, of one part. */
const rowsPerPart = 500;
const bytesPerPart = 2 ** 22;
const webhooksPerPage = 200;

/** What backup and restore need of content's collections. */
export function mongoBackup(
  connection: MongoConnection,
  feeds: ContentTables['feeds'],
  schema: Pick<SchemaRecords, 'outdated'>,
): BackupStore {
  return {
    sections: contentSections({
      feeds,
      section: (table) => mongoBackupSection(connection, table),
      feedSection: (table) =>
        mongoBackupSection(connection, {
          ...table,
          also: ({ seq, row_key }) => ({
            positions: [seq],
            ...(String(row_key).includes('\n') ? { row_id: publicId(String(row_key)) } : {}),
          }),
        }),
      source: (list) => feedSource(connection, feedNames[list]),
      webhooks: webhookSection(connection),
      secret: secretSection(connection),
    }),
    records: mongoRestoreRecords(connection, 'content'),
    async finish() {
      // Rows of a backup may have the form of the program that made it.
      await schema.outdated();
      for (const list of ['items', 'tasks', 'decisions'] as const) {
        const { recount, teamAfter } = feeds[list];
        // What an earlier attempt counted.
        await mongoBackupSection(connection, { name: feedNames[list].usage, fields: {}, key: [] }).clear();
        for (let team = await teamAfter(''); team !== undefined; team = await teamAfter(team))
          await recount(team);
      }
    },
  };
}

function feedSource({ db, call }: MongoConnection, { rows: name }: FeedNames): FeedSource {
  const feed = db.collection<FeedDocument>(name);
  return {
    part: (teamId, afterSeq) =>
      call(async (deadline) => {
        const documents: FeedDocument[] = [];
        let bytes = 0;
        let isCut = false;
        const cursor = feed
          .find({ team_id: teamId, seq: { $gt: afterSeq } }, deadline)
          .sort({ seq: 1 })
          .limit(rowsPerPart);
        for await (const document of cursor) {
          documents.push(document);
          bytes += document.json.length();
          isCut = bytes >= bytesPerPart || documents.length === rowsPerPart;
          if (isCut) break;
        }
        const last = documents.at(-1)?.seq ?? afterSeq;
        const isWhole = !isCut && coversAll(documents, afterSeq, last);
        return { rows: documents.map(rowFromDocument), position: isWhole ? last : undefined };
      }),
  };
}

/**
 * Whether each position in a range belongs, or belonged, to one of these documents. One that does not belongs to a row
 * that moved on while they were read, and is behind them now.
 */
function coversAll(documents: readonly FeedDocument[], after: number, last: number): boolean {
  const covered = new Set(documents.flatMap(({ positions }) => positions));
  for (let seq = after + 1; seq <= last; seq += 1) if (!covered.has(seq)) return false;
  return true;
}

/** Webhooks, with the fields that their table in SQLite has. */
function webhookSection(connection: MongoConnection): BackupSection {
  const { db, call } = connection;
  const webhooks = db.collection<{ _id: string; status: string }>('webhooks');
  return {
    ...mongoBackupSection(connection, webhookTable),
    async *read(signal) {
      for (let after = ''; ; ) {
        signal.throwIfAborted();
        const page = await call((deadline) =>
          webhooks
            .find({ _id: { $gt: after } }, deadline)
            .sort({ _id: 1 })
            .limit(webhooksPerPage)
            .toArray(),
        );
        if (page.length === 0) return;
        yield page.map(({ _id, status, ...webhook }) => {
          const { team_id, revision } = webhook as unknown as StoredWebhook;
          return { team_id, webhook_id: _id, status, revision, json: JSON.stringify(webhook) };
        });
        after = page.at(-1)?._id ?? after;
      }
    },
    async restore(rows) {
      for (const row of rows.map(restoredWebhook)) {
        const webhook = { status: row.status as string, ...JSON.parse(row.json as string) };
        await call((deadline) =>
          webhooks.replaceOne({ _id: row.webhook_id as string }, webhook, { upsert: true, ...deadline }),
        );
      }
    },
  };
}

/** The secret of cursors, with the fields that its table in SQLite has. */
function secretSection(connection: MongoConnection) {
  const { db, call } = connection;
  const secrets = db.collection<{ _id: 'cursors'; key: Uint8Array; earlier_until: number }>(
    'content_secrets',
  );
  const fields = { id: 'number', key: 'bytes', earlier_until: 'number' } as const;
  return {
    ...mongoBackupSection(connection, { name: 'cursor_secret', fields, key: ['id'] }),
    async *read() {
      const stored = await call((deadline) => secrets.findOne({ _id: 'cursors' }, deadline));
      if (stored !== null)
        yield [{ id: 1, key: bytesOf(stored.key as never), earlier_until: stored.earlier_until }];
    },
    async restore([row]: readonly { key?: unknown; earlier_until?: unknown }[]) {
      if (row === undefined) return;
      const change = { $set: { key: row.key as Uint8Array, earlier_until: Number(row.earlier_until) } };
      await call((deadline) => secrets.updateOne({ _id: 'cursors' }, change, { upsert: true, ...deadline }));
    },
  };
}
