import { join } from 'node:path';
import type { AuditStore } from '@teammemory/audit/audit-store.ts';
import type { BackupStore } from '@teammemory/backup/backup-store.ts';
import type { Log } from '@teammemory/log/log.ts';
import {
  type Migration,
  type RunningMigrations,
  startMigrations,
} from '@teammemory/migrations/run-migrations.ts';
import type { SchemaRecords, StoreSchema } from '@teammemory/migrations/schema-version.ts';
import type { MongoConnection } from '@teammemory/mongo/mongo-connection.ts';
import type { Storage } from '@teammemory/mongo/storage.ts';
import { createSqliteAuditStore, sqliteAuditSchema } from '@teammemory/sqlite/audit-store.ts';
import { sqliteRestoreSchema } from '@teammemory/sqlite/backup-tables.ts';
import { sqliteSchemaRecords } from '@teammemory/sqlite/schema-record.ts';
import { openSqliteDatabase } from '@teammemory/sqlite/sqlite-database.ts';
import type { CursorSecret } from '../domain/feed/cursor.ts';
import type { FeedStore } from '../domain/feed/feed-store.ts';
import type { ProgressStore } from '../domain/feed/progress.ts';
import { createMarkTeam, type TeamMarkStore } from '../domain/feed/team-marks.ts';
import type { ProjectStore } from '../domain/projects/projects.ts';
import type { ProposalStore } from '../domain/proposals/proposal.ts';
import type { TaskIdStore } from '../domain/tasks/read-task.ts';
import type { SkippedTextStore } from '../domain/tasks/skipped-texts.ts';
import type { WebhookStore } from '../domain/webhooks/webhook.ts';
import { sqliteBackup } from './sqlite-backup.ts';
import { sqliteFeedColumns, sqliteFeedSchema } from './sqlite-feed-schema.ts';
import { createSqliteFeedStore } from './sqlite-feed-store.ts';
import { sqliteCursorSecret, sqliteIdentity, sqliteMadeOnceSchema } from './sqlite-made-once.ts';
import {
  createSqliteProgressStore,
  sqliteProgressColumns,
  sqliteProgressSchema,
} from './sqlite-progress-store.ts';
import { createSqliteProjectStore, sqliteProjectSchema } from './sqlite-project-store.ts';
import { createSqliteProposalStore, sqliteProposalSchema } from './sqlite-proposal-store.ts';
import { createSqliteSkippedTextStore, sqliteSkippedTextSchema } from './sqlite-skipped-text-store.ts';
import { createSqliteTaskIdStore, sqliteTaskIdSchema } from './sqlite-task-id-store.ts';
import { createSqliteTeamMarkStore } from './sqlite-team-mark-store.ts';
import { createSqliteWebhookStore, sqliteWebhookSchema } from './sqlite-webhook-store.ts';
import { feedNames } from './stored-feed.ts';

export type { Storage };

/** The form of the stored data; docs/upgrading.md says when to raise it. */
const schema: StoreSchema = { store: 'content', version: 2, readableFrom: 0 };

/** Everything that the service stores. */
export interface ContentStores {
  items: FeedStore;
  tasks: FeedStore;
  taskIds: TaskIdStore;
  decisions: FeedStore;
  projects: ProjectStore;
  /** Items that wait for a reviewer, and what became of them. */
  proposals: ProposalStore;
  /** How far tasks and named projects have followed the feeds they are made from. */
  progress: ProgressStore;
  /** Which teams' feeds are being written. */
  marks: TeamMarkStore;
  /** Texts that are not read for tasks, or not to their end. */
  skipped: SkippedTextStore;
  audit: AuditStore;
  /** Starts to bring the rows of earlier versions into the form of this one. */
  migrate(migration: Migration, options: { log: Log; clock: () => number }): RunningMigrations;
  /** What backup and restore read and write. */
  backup: BackupStore;
  /** URLs that get events, with the secrets that sign these. */
  webhooks: WebhookStore;
  /** What cursors are sealed with, the same for all processes. */
  cursorSecret: CursorSecret;
  /** A UUID that other data does not have, by which followers of the feeds know that theirs were made from these. */
  identity: string;
  /** Resolves when the database answers, else throws AppError `unavailable`. */
  ready(): Promise<void>;
  /** Closes what was opened here. A MongoDB connection belongs to its owner, who closes it. */
  close(): Promise<void>;
}

/** Opens the stores in either engine, creating what is missing. */
export function openContentStores(storage: Storage): Promise<ContentStores> {
  return storage.engine === 'mongodb' ? openMongoStores(storage.connection) : openSqliteStores(storage);
}

async function openSqliteStores({
  directory,
  room,
  metrics,
}: Extract<Storage, { engine: 'sqlite' }>): Promise<ContentStores> {
  const feeds = Object.values(feedNames);
  const database = openSqliteDatabase({
    file: join(directory, 'content.sqlite'),
    version: schema,
    schema: [
      ...feeds.map(sqliteFeedSchema),
      sqliteTaskIdSchema,
      sqliteProjectSchema,
      sqliteProposalSchema,
      sqliteProgressSchema,
      sqliteSkippedTextSchema,
      sqliteWebhookSchema,
      sqliteMadeOnceSchema,
      sqliteAuditSchema('content'),
      sqliteRestoreSchema,
    ].join(''),
    addedColumns: {
      ...Object.assign({}, ...feeds.map(sqliteFeedColumns)),
      projection_places: sqliteProgressColumns,
    },
    room,
    metrics,
  });
  const marks = createSqliteTeamMarkStore();
  const byList = {
    items: createSqliteFeedStore(database, feedNames.items, marks.mark),
    tasks: createSqliteFeedStore(database, feedNames.tasks, marks.mark),
    decisions: createSqliteFeedStore(database, feedNames.decisions, marks.mark),
  };
  const records = sqliteSchemaRecords(database, schema);
  return {
    ...byList,
    migrate: migrateBy(records),
    taskIds: createSqliteTaskIdStore(database),
    audit: createSqliteAuditStore(database, 'content'),
    backup: sqliteBackup(database, byList, records),
    projects: createSqliteProjectStore(database),
    proposals: createSqliteProposalStore(database),
    progress: createSqliteProgressStore(database),
    marks,
    skipped: createSqliteSkippedTextStore(database),
    webhooks: createSqliteWebhookStore(database),
    cursorSecret: await sqliteCursorSecret(database),
    identity: await sqliteIdentity(database),
    ready: async () => void database.prepare('SELECT 1').get(),
    close: database.close,
  };
}

async function openMongoStores(connection: MongoConnection): Promise<ContentStores> {
  const { openMongoSchema } = await import('@teammemory/mongo/schema-record.ts');
  const records = await openMongoSchema(connection, schema);
  // Imported here because the driver takes a good part of a start, and is not needed without a server.
  const { createMongoFeedStore } = await import('./mongo-feed-store.ts');
  const { createMongoProgressStore } = await import('./mongo-progress-store.ts');
  const { createMongoProjectStore } = await import('./mongo-project-store.ts');
  const { createMongoProposalStore } = await import('./mongo-proposal-store.ts');
  const { createMongoSkippedTextStore } = await import('./mongo-skipped-text-store.ts');
  const { createMongoTeamMarkStore } = await import('./mongo-team-mark-store.ts');
  const { createMongoTaskIdStore } = await import('./mongo-task-id-store.ts');
  const { mongoCursorSecret, mongoIdentity } = await import('./mongo-made-once.ts');
  const { createMongoWebhookStore } = await import('./mongo-webhook-store.ts');
  const { createMongoAuditStore } = await import('@teammemory/mongo/audit-store.ts');
  const { mongoBackup } = await import('./mongo-backup.ts');
  const marks = await createMongoTeamMarkStore(connection);
  const markTeam = createMarkTeam(marks, () => performance.now());
  const feeds = {
    items: await createMongoFeedStore(connection, feedNames.items, markTeam),
    tasks: await createMongoFeedStore(connection, feedNames.tasks, markTeam),
    decisions: await createMongoFeedStore(connection, feedNames.decisions, markTeam),
  };
  return {
    ...feeds,
    migrate: migrateBy(records),
    taskIds: await createMongoTaskIdStore(connection),
    audit: await createMongoAuditStore(connection, 'content'),
    backup: mongoBackup(connection, feeds, records),
    projects: await createMongoProjectStore(connection),
    proposals: await createMongoProposalStore(connection),
    progress: createMongoProgressStore(connection),
    marks,
    skipped: await createMongoSkippedTextStore(connection),
    webhooks: await createMongoWebhookStore(connection),
    cursorSecret: await mongoCursorSecret(connection),
    identity: await mongoIdentity(connection),
    ready: connection.ping,
    close: async () => undefined,
  };
}

function migrateBy(records: SchemaRecords): ContentStores['migrate'] {
  return (migration, { log, clock }) =>
    startMigrations({ schema, records, migrations: [migration], log, clock });
}
