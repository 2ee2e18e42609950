import { auditSections } from '@teammemory/audit/audit-tables.ts';
import type { BackupRow, BackupSection, BackupTable } from '@teammemory/backup/backup-store.ts';
import type { FeedRow, FeedRowState } from '../domain/feed/feed-row.ts';
import type { FeedStore } from '../domain/feed/feed-store.ts';
import { feedNames, storedOrigin, viewOfVersions } from './stored-feed.ts';
import { proposalTable } from './stored-proposal.ts';

/** The rows of a feed. */
const feedTable = (name: string): BackupTable => ({
  name,
  fields: {
    team_id: 'text',
    row_key: 'text',
    seq: 'number',
    updated_at: 'number',
    tier: 'text',
    deleted: 'flag',
    checksum: 'text',
    revision: 'number',
    external_at: 'number?',
    json: 'bytes',
    owner: 'text?',
    bytes: 'number?',
    kept_bytes: 'number?',
    writer_id: 'text?',
    removed_by: 'text?',
    erased_from: 'number?',
    origin: 'text?',
  },
  key: ['team_id', 'row_key'],
  id: ['team_id', 'row_key'],
  absent: ['external_at', 'owner', 'bytes', 'kept_bytes'],
});

/** The kept versions of a feed's rows. */
const versionTable = (name: string): BackupTable => ({
  name,
  view: viewOfVersions(name),
  fields: { team_id: 'text', row_key: 'text', revision: 'number', json: 'bytes', origin: 'text?' },
  key: ['team_id', 'row_key', 'revision'],
  id: ['team_id', 'row_key', 'revision'],
});

/** Projects that were created. */
const projectTable: BackupTable = {
  name: 'projects',
  fields: { team_id: 'text', slug: 'text', name: 'text' },
  key: ['team_id', 'slug'],
  id: ['team_id', 'slug'],
};

/** Tables and collections that no backup has, with the reason. */
export const leftOut: Readonly<Record<string, string>> = {
  item_usage: 'counted again from the rows',
  task_usage: 'counted again from the rows',
  decision_usage: 'counted again from the rows',
  item_projects: 'made again from the items',
  projection_places: 'what it tells of is made again',
  team_marks: 'made again by the next write of a team',
  skipped_texts: 'found again when the items are read for tasks',
  task_versions: 'tasks have no history',
  task_versions_origins: 'tasks have no history',
  identity: 'restored data is other data, of which other search data is made',
  content_identity: 'restored data is other data, of which other search data is made',
  schema_version: 'it tells of this data; rows that a restore brings may be older',
  schema_versions: 'it tells of this data; rows that a restore brings may be older',
  restores: 'it tells of this data, not of the backup',
};

/** The positions of the feeds that a backup shows. They are there to be read, and nothing is restored from them. */
const positionTable: BackupTable = {
  name: 'positions',
  fields: { team_id: 'text', list: 'text', seq: 'number' },
  key: ['team_id', 'list'],
};

/** Part of a team's feed, read in order. */
export interface FeedPart {
  rows: readonly FeedRow[];
  /**
   * The position at which the rows read so far are exactly the feed as it was; undefined if it goes on, or moved while it
   * was read.
   */
  position: number | undefined;
}

/** What a backup reads of a feed. */
export interface FeedSource {
  /** Returns rows behind a position, lowest first. */
  part(teamId: string, afterSeq: number): Promise<FeedPart>;
}

/** The position of a team's feed that a backup shows. */
export interface FeedPosition {
  teamId: string;
  list: string;
  seq: number;
}

/** Keys whose rows are looked up at once. */
const keysPerLookup = 500;
/** A feed may be written faster than a slow server reads it; then the backup fails, instead of never ending. */
const maxParts = 1_000_000;

/**
 * Reads every team's feed up to a position at which the rows read are exactly what it was: a row that changes meanwhile
 * moves behind all others, where it is read again.
 */
async function* readFeed(
  list: string,
  source: FeedSource & Pick<FeedStore, 'teamAfter'>,
  signal: AbortSignal,
  reached: (position: FeedPosition) => void,
): AsyncGenerator<readonly BackupRow[]> {
  for (
    let teamId = await source.teamAfter('');
    teamId !== undefined;
    teamId = await source.teamAfter(teamId)
  ) {
    let after = 0;
    for (let parts = 0; ; parts += 1) {
      signal.throwIfAborted();
      if (parts === maxParts) throw new Error(`the feed ${list} of team ${teamId} does not come to its end`);
      const { rows, position } = await source.part(teamId, after);
      const team = teamId;
      if (rows.length > 0) yield rows.map((row) => backupRow(team, row));
      if (position !== undefined) {
        reached({ teamId, list, seq: position });
        break;
      }
      after = rows.at(-1)?.seq ?? after;
    }
  }
}

function backupRow(team_id: string, row: FeedRow): BackupRow {
  return {
    team_id,
    row_key: row.rowKey,
    seq: row.seq,
    updated_at: row.updatedAtMs,
    tier: row.tier,
    deleted: row.deleted,
    checksum: row.checksum,
    revision: row.revision,
    external_at: row.externalAtMs,
    json: row.json,
    owner: row.charge?.owner ?? null,
    bytes: row.charge?.bytes ?? null,
    kept_bytes: row.charge?.keptBytes ?? null,
    writer_id: row.writerId ?? null,
    removed_by: row.removedBy ?? null,
    erased_from: row.erasedFrom ?? null,
    origin: storedOrigin(row),
  };
}

/** What the sections are made of, by the engine. */
export interface ContentTables {
  feeds: Readonly<Record<keyof typeof feedNames, FeedStore>>;
  section(table: BackupTable): BackupSection;
  feedSection(table: BackupTable): BackupSection;
  source(list: keyof typeof feedNames): FeedSource;
  /** Webhooks; they are switched off when they are restored. */
  webhooks: BackupSection;
  /** The secret that seals cursors, so that clients can go on with theirs. */
  secret: BackupSection;
}

/**
 * Returns the sections of content's data. Tasks come before what they are made from: after a restore a task may be made
 * again from an item, but there is none whose item is missing.
 */
export function contentSections(tables: ContentTables): BackupSection[] {
  const { feeds } = tables;
  /** Of each backup that is being read, by its signal. */
  const positions = new WeakMap<AbortSignal, FeedPosition[]>();
  const feed = (list: keyof typeof feedNames): BackupSection => ({
    ...tables.feedSection(feedTable(feedNames[list].rows)),
    read: (signal) =>
      readFeed(list, { ...tables.source(list), teamAfter: feeds[list].teamAfter }, signal, (position) =>
        positions.get(signal)?.push(position),
      ),
  });
  const versions = (list: 'items' | 'decisions') =>
    versionSection(feeds[list], tables.section(versionTable(feedNames[list].versions)));
  const tasks = feed('tasks');
  return [
    {
      ...tasks,
      read(signal) {
        positions.set(signal, []);
        return tasks.read(signal);
      },
    },
    feed('items'),
    feed('decisions'),
    versions('items'),
    versions('decisions'),
    tables.section(projectTable),
    tables.section(proposalTable),
    tables.webhooks,
    ...auditSections('content', tables.section),
    // Every service has one, so it does not count as data, and it is replaced.
    { ...tables.secret, isEmpty: async () => true, clear: async () => undefined },
    {
      name: positionTable.name,
      fields: positionTable.fields,
      async *read(signal) {
        yield (positions.get(signal) ?? []).map(({ teamId, list, seq }) => ({ team_id: teamId, list, seq }));
      },
      restore: async () => undefined,
      isEmpty: async () => true,
      clear: async () => undefined,
    },
  ];
}

/**
 * The section of a feed's versions. They are read after the rows, so of a row that has changed since there may be versions
 * that are not older than the row as it was read: these are left out.
 */
function versionSection(feed: Pick<FeedStore, 'find'>, stored: BackupSection): BackupSection {
  return {
    ...stored,
    async restore(rows) {
      const teams = Map.groupBy(rows, ({ team_id }) => team_id as string);
      for (const [teamId, ofTeam] of teams) {
        const keys = [...new Set(ofTeam.map(({ row_key }) => row_key as string))];
        const present: Map<string, FeedRowState> = new Map();
        for (let start = 0; start < keys.length; start += keysPerLookup)
          for (const [key, row] of await feed.find(teamId, keys.slice(start, start + keysPerLookup)))
            present.set(key, row);
        const older = ofTeam.filter(
          ({ row_key, revision }) => Number(revision) < (present.get(row_key as string)?.revision ?? 0),
        );
        if (older.length > 0) await stored.restore(older);
      }
    },
  };
}
