import type { SqliteDatabase } from '@teammemory/sqlite/sqlite-database.ts';
import type { Tier } from '@teammemory/vocabulary/tier.ts';
import { type FeedRowState, leavesVersion, removalJson } from '../domain/feed/feed-row.ts';
import { droppedFrom, type FeedChange, type FeedStore, type PageRow } from '../domain/feed/feed-store.ts';
import type { MarkTeam } from '../domain/feed/team-marks.ts';
import { rowFromTable, stateFromTable, stateValues, type TableRow } from './sqlite-feed-row.ts';
import { createSqliteFeedUsage } from './sqlite-feed-usage.ts';
import { createSqliteKeyPage, endOfKeys } from './sqlite-key-page.ts';
import { type FeedNames, keptOrigin, versionFromStored, viewOfVersions } from './stored-feed.ts';

/**
 * A limit that is given with each call. For a bare parameter SQLite would prepare the statement again at each call,
 * because it takes the limit into account in its plan (`sqlite3VdbeSetVarmask`).
 */
const given = '(? + 0)';
const stateColumns =
  'row_key, seq, updated_at, tier, deleted, checksum, revision, external_at, owner, bytes, kept_bytes, removed_by, erased_from, writer_id, origin';

type VersionRow = Pick<TableRow, 'revision' | 'json' | 'origin'>;

interface ViewRow {
  row_key: string;
  at: number;
  forget: number;
  json: Uint8Array;
}

interface JoinedRow {
  rows: number;
  last: number | null;
  /** Whether a row has to be read by itself. */
  apart: number | null;
  /** Whether a row may contain another time than the one under which the reader finds it. */
  timed: number | null;
  json: Uint8Array | null;
}

/** What each tier's feed is made of: the time of a row, and which rows are to be forgotten. */
const views = {
  team: { time: 'updated_at', member: '1 = 1', live: 'deleted = 0', forget: 'deleted' },
  external: {
    time: 'external_at',
    member: 'external_at IS NOT NULL',
    live: `deleted = 0 AND tier = 'external'`,
    forget: `(deleted OR tier <> 'external')`,
  },
} as const;

/** Stores one feed in SQLite. `FeedStore` says what each method promises. */
export function createSqliteFeedStore(
  database: SqliteDatabase,
  names: FeedNames,
  markTeam: MarkTeam,
): FeedStore {
  const { rows: table, versions: versionTable, isDerived = false } = names;
  const usage = createSqliteFeedUsage(database, names);
  const newest = database.prepare(
    `SELECT seq, updated_at FROM ${table} WHERE team_id = ? ORDER BY seq DESC LIMIT 1`,
  );
  const newestTime = (tier: Tier) => {
    const { time, member } = views[tier];
    const rows = `FROM ${table} WHERE team_id = ? AND ${member}`;
    return database.prepare(`SELECT ${time} AS at ${rows} ORDER BY ${time} DESC LIMIT 1`);
  };
  const newestTimes = { team: newestTime('team'), external: newestTime('external') };
  // The columns of these conditions stand before the text, which a row that does not meet them leaves unread.
  const some = (condition: string) =>
    database.prepare(
      `SELECT ${stateColumns} FROM ${table}
       WHERE team_id = ? AND row_key IN (SELECT value FROM json_each(?)) AND ${condition}`,
    );
  const states = { team: some(views.team.member), external: some(views.external.member) };
  const whole = (condition: string) =>
    database.prepare(`SELECT * FROM ${table} WHERE team_id = ? AND row_key = ? AND ${condition}`);
  const wholes = { team: whole(views.team.member), external: whole(views.external.live) };
  const liveWholes = { team: whole(views.team.live), external: wholes.external };
  const keep = `INSERT INTO ${viewOfVersions(versionTable)} (team_id, row_key, revision, json, origin)`;
  const archive = database.prepare(
    `${keep} SELECT team_id, row_key, revision, json, ? FROM ${table}
     WHERE team_id = ? AND row_key = ? AND deleted = 0`,
  );
  const archiveRemoval = database.prepare(`${keep} VALUES (?, ?, ?, ?, ?)`);
  const prune = database.prepare(
    `DELETE FROM ${versionTable} WHERE team_id = ? AND row_key = ? AND revision >= ? AND revision < ?`,
  );
  const upsert = database.prepare(
    `INSERT INTO ${table} (team_id, ${stateColumns}, json)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (team_id, row_key) DO UPDATE SET seq = excluded.seq, updated_at = excluded.updated_at,
       tier = excluded.tier, deleted = excluded.deleted, checksum = excluded.checksum,
       revision = excluded.revision, external_at = excluded.external_at, json = excluded.json,
       owner = excluded.owner, bytes = excluded.bytes, kept_bytes = excluded.kept_bytes,
       removed_by = excluded.removed_by, erased_from = excluded.erased_from, writer_id = excluded.writer_id,
       origin = excluded.origin`,
  );
  const after = database.prepare(
    `SELECT * FROM ${table} WHERE team_id = ? AND seq > ? ORDER BY seq LIMIT ${given}`,
  );
  const keyRange = 'team_id = ? AND row_key >= ? AND row_key < ?';
  const beginning = `SELECT * FROM ${table} WHERE ${keyRange}`;
  const liveBeginning = database.prepare(`${beginning} AND deleted = 0 ORDER BY row_key LIMIT ${given}`);
  const liveKeys = database.prepare(
    `SELECT row_key FROM ${table} WHERE ${keyRange} AND row_key > ? AND deleted = 0 ORDER BY row_key LIMIT ${given}`,
  );
  const nextTeam = database.prepare(`SELECT min(team_id) AS id FROM ${table} WHERE team_id > ?`);
  const removedBeginning = database.prepare(
    `${beginning} AND deleted = 1 AND checksum <> '' ORDER BY row_key DESC LIMIT ${given}`,
  );
  const unerasedBeginning = database.prepare(
    `${beginning} AND checksum <> '' ORDER BY row_key LIMIT ${given}`,
  );
  const before = database.prepare(
    `SELECT revision, json, origin FROM ${viewOfVersions(versionTable)} WHERE team_id = ? AND row_key = ? AND revision < ?
     ORDER BY revision DESC LIMIT ${given}`,
  );

  const someKeys = database.prepare(
    `SELECT count(*) AS keys FROM (SELECT 1 FROM ${table} WHERE ${keyRange} LIMIT ${given})`,
  );
  const joinedPages = { team: joinedStatements('team'), external: joinedStatements('external') };

  /** The statements of `joinedPage` for one tier, with and without the rows to be forgotten. */
  function joinedStatements(tier: Tier) {
    const { time, member, live, forget } = views[tier];
    const of = (rows: string) => {
      const range = `team_id = ? AND ${time} > ? AND ${time} <= ? AND ${rows}`;
      // The outer query is given the rows in the order of the inner one.
      const page = (columns: string) =>
        `(SELECT ${columns} FROM ${table} WHERE ${range} ORDER BY ${time} LIMIT ${given})`;
      return {
        join: database.prepare(
          `SELECT count(*) AS rows, max(at) AS last, max(apart) AS apart, max(timed) AS timed,
             CAST(? || group_concat(CASE WHEN apart THEN '' ELSE json END, ',') || ? AS BLOB) AS json
           FROM ${page(
             `json, ${time} AS at, ${forget} OR length(json) > ? AS apart,
              tier = 'external' AND external_at <> ${time} AS timed`,
           )}`,
        ),
        times: database.prepare(
          `SELECT bytes, at AS atMs FROM ${page(`length(json) AS bytes, ${time} AS at`)}`,
        ),
        more: database.prepare(`SELECT 1 AS more FROM ${table} WHERE ${range} LIMIT 1`),
      };
    };
    return { all: of(member), live: of(live) };
  }

  const headOf = (teamId: string) => {
    const row = newest.get(teamId) as Pick<TableRow, 'seq' | 'updated_at'> | undefined;
    return { seq: row?.seq ?? 0, updatedAtMs: row?.updated_at ?? 0 };
  };

  /** One statement for all keys: a look-up of its own takes four times as long for each. */
  function statesOf(teamId: string, rowKeys: readonly string[], knownTo: Tier = 'team') {
    const rows = states[knownTo].all(teamId, JSON.stringify(rowKeys)) as unknown as TableRow[];
    return new Map(rows.map((row) => [row.row_key, stateFromTable(row)]));
  }

  function appendNow(teamId: string, changes: readonly FeedChange[], history: number): number {
    const written = writeRows(teamId, changes, history);
    usage.add(teamId, changes.slice(0, written));
    return written;
  }

  function writeRows(teamId: string, changes: readonly FeedChange[], history: number): number {
    let { seq } = headOf(teamId);
    const known = statesOf(
      teamId,
      changes.map(({ row }) => row.rowKey),
    );
    for (const [index, change] of changes.entries()) {
      const { row, previous } = change;
      const stored = known.get(row.rowKey);
      if (row.seq !== seq + 1 || stored?.seq !== previous?.seq) return index;
      if (stored !== undefined) {
        const from = droppedFrom(change);
        if (from === undefined) keepVersion(teamId, stored);
        prune.run(teamId, row.rowKey, from ?? 0, from === undefined ? row.revision - history : row.revision);
      }
      upsert.run(teamId, ...stateValues(row), row.json);
      known.set(row.rowKey, row);
      seq = row.seq;
    }
    return changes.length;
  }

  function keepVersion(teamId: string, state: FeedRowState): void {
    const { rowKey, revision } = state;
    const origin = keptOrigin(state);
    if (!state.deleted) archive.run(origin, teamId, rowKey);
    else if (leavesVersion(state)) archiveRemoval.run(teamId, rowKey, revision, removalJson(state), origin);
  }

  return {
    async head(teamId) {
      return headOf(teamId);
    },
    find: async (teamId, rowKeys, knownTo) => statesOf(teamId, rowKeys, knownTo),
    async read(teamId, rowKey, shownTo = 'team') {
      const row = wholes[shownTo].get(teamId, rowKey) as TableRow | undefined;
      return row === undefined ? undefined : rowFromTable(row);
    },
    usage: async (teamId, owners) => usage.usage(teamId, owners),
    recount: (teamId) => database.write(() => usage.recount(teamId)),
    async append(teamId, changes, history) {
      const append = () => appendNow(teamId, changes, history);
      const isRemoval = changes.every(({ row }) => row.deleted);
      const written = await (isDerived || isRemoval
        ? database.writeWithReserve(append, isDerived ? 'whole' : 'part')
        : database.write(append));
      await markTeam(teamId);
      return written;
    },
    async page(teamId, tier, { afterMs, untilMs, limit, maxBytes, includeDeleted }) {
      const view = views[tier];
      const found = database
        .prepare(
          `SELECT row_key, ${view.time} AS at, ${view.forget} AS forget, json FROM ${table}
           WHERE team_id = ? AND ${view.time} > ? AND ${view.time} <= ? AND ${includeDeleted ? view.member : view.live}
           ORDER BY ${view.time} LIMIT ${given}`,
        )
        .iterate(teamId, afterMs, untilMs, limit) as Iterable<ViewRow>;
      return pageRowsUntil(found, maxBytes);
    },
    async pageStartingWith(teamId, tier, beginning, range) {
      const { afterMs, untilMs, limit, maxBytes, includeDeleted, maxSorted, maxLookedThrough } = range;
      const { time, member, live, forget } = views[tier];
      const keys = [beginning, endOfKeys(beginning)] as const;
      const shown = `${time} > ? AND ${time} <= ? AND ${includeDeleted ? member : live}`;
      const { keys: count } = someKeys.get(teamId, ...keys, maxSorted + 1) as { keys: number };
      const isSorted = tier === 'team' && count <= maxSorted;
      // The last row that is looked through, if there are so many.
      const last = isSorted
        ? undefined
        : database
            .prepare(
              `SELECT ${time} AS at FROM ${table} WHERE team_id = ? AND ${shown} ORDER BY ${time} LIMIT 1 OFFSET ${given}`,
            )
            .get(teamId, afterMs, untilMs, maxLookedThrough - 1);
      const throughMs = (last as { at: number } | undefined)?.at ?? untilMs;
      // A plus keeps the planner from the index on that column. Rows are sorted without their JSON.
      const [byKey, byTime] = isSorted ? ['', '+'] : ['+', ''];
      const found = database
        .prepare(
          `SELECT row_key, ${time} AS at, ${forget} AS forget, json FROM ${table} WHERE rowid IN (
             SELECT rowid FROM ${table} WHERE team_id = ? AND ${byKey}row_key >= ? AND ${byKey}row_key < ?
               AND ${byTime}${time} > ? AND ${byTime}${time} <= ? AND ${includeDeleted ? member : live}
             ORDER BY ${byTime}${time} LIMIT ${given})
           ORDER BY +${time}`,
        )
        .iterate(teamId, ...keys, afterMs, throughMs, limit) as Iterable<ViewRow>;
      return { rows: pageRowsUntil(found, maxBytes), throughMs };
    },
    async joinedPage(teamId, tier, { afterMs, untilMs, limit, maxBytes, includeDeleted }, { head, room }) {
      const { join, times, more } = joinedPages[tier][includeDeleted ? 'all' : 'live'];
      // No row may be larger than its share of the page, so SQLite never joins more than a page.
      const maxRowBytes = Math.floor(maxBytes / limit);
      const frame = [`${head}[`, `]${' '.repeat(room)}`];
      const found = join.get(...frame, maxRowBytes, teamId, afterMs, untilMs, limit) as unknown as JoinedRow;
      const { rows, last, apart, timed, json } = found;
      if (last === null || json === null)
        return { json: Buffer.from(frame.join('')), lastAtMs: undefined, hasMore: false };
      if (apart === 1) return undefined;
      const isFull = rows === limit && last < untilMs;
      const hasMore = isFull && more.get(teamId, last, untilMs) !== undefined;
      const joined = { json, lastAtMs: last, hasMore };
      if (timed !== 1) return joined;
      const each = times.all(teamId, afterMs, untilMs, limit) as unknown as { bytes: number; atMs: number }[];
      return { ...joined, times: each };
    },
    async newestAtMs(teamId, tier) {
      const row = newestTimes[tier].get(teamId) as { at: number } | undefined;
      return row?.at ?? 0;
    },
    async readFrom(teamId, afterSeq, { limit, maxBytes }) {
      const rows = after.iterate(teamId, afterSeq, limit) as Iterable<TableRow>;
      return untilBytes(rows, maxBytes).map(rowFromTable);
    },
    async startingWith(teamId, text, limit) {
      const rows = liveBeginning.all(teamId, text, endOfKeys(text), limit);
      return (rows as unknown as TableRow[]).map(rowFromTable);
    },
    async keysStartingWith(teamId, text, afterKey, limit) {
      const rows = liveKeys.all(teamId, text, endOfKeys(text), afterKey, limit) as { row_key: string }[];
      return rows.map(({ row_key }) => row_key);
    },
    keyPage: createSqliteKeyPage(database, table),
    async readShown(teamId, tier, rowKeys, maxBytes) {
      const found = function* () {
        for (const rowKey of rowKeys) {
          const row = liveWholes[tier].get(teamId, rowKey) as TableRow | undefined;
          if (row !== undefined) yield row;
        }
      };
      return untilBytes(found(), maxBytes).map(rowFromTable);
    },
    async teamAfter(teamId) {
      return (nextTeam.get(teamId) as { id: string | null }).id ?? undefined;
    },
    async removedStartingWith(teamId, text, limit) {
      const rows = removedBeginning.all(teamId, text, endOfKeys(text), limit);
      return (rows as unknown as TableRow[]).map(rowFromTable);
    },
    async unerasedStartingWith(teamId, text, limit) {
      const rows = unerasedBeginning.all(teamId, text, endOfKeys(text), limit);
      return (rows as unknown as TableRow[]).map(rowFromTable);
    },
    async dropVersions(teamId, dropped) {
      await database.writeWithReserve(() => {
        for (const { rowKey, revision } of dropped) prune.run(teamId, rowKey, revision, revision + 1);
      });
      await database.scrub();
    },
    // A transaction has removed the versions with the row.
    scrub: () => database.scrub(),
    async versions(teamId, rowKey, { beforeRevision, limit, maxBytes }) {
      const rows = before.iterate(teamId, rowKey, beforeRevision, limit) as Iterable<VersionRow>;
      return untilBytes(rows, maxBytes).map((row) => versionFromStored(row, row.json));
    },
  };
}

/** Returns the rows of a page up to the one that makes their JSON pass a number of bytes. */
function pageRowsUntil(found: Iterable<ViewRow>, maxBytes: number): PageRow[] {
  const rows: PageRow[] = [];
  let bytes = 0;
  for (const { row_key, at, forget, json } of found) {
    const deleted = forget === 1;
    rows.push({ rowKey: row_key, atMs: at, deleted, json: deleted ? new Uint8Array() : json });
    bytes += rows.at(-1)?.json.length ?? 0;
    if (bytes > maxBytes) break;
  }
  return rows;
}

/** Returns rows up to the one that makes their JSON pass a number of bytes, and reads no others. */
function untilBytes<Row extends { json: Uint8Array }>(rows: Iterable<Row>, maxBytes = Infinity): Row[] {
  const taken: Row[] = [];
  let bytes = 0;
  for (const row of rows) {
    taken.push(row);
    bytes += row.json.length;
    if (bytes > maxBytes) break;
  }
  return taken;
}
