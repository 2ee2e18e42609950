import { isDuplicateKey, type MongoConnection } from '@teammemory/mongo/mongo-connection.ts';
import type { Tier } from '@teammemory/vocabulary/tier.ts';
import {
  type AnyBulkWriteOperation,
  Binary,
  type Collection,
  type Filter,
  MongoBulkWriteError,
  type Sort,
} from 'mongodb';
import {
  type FeedRow,
  type FeedRowState,
  isErased,
  leavesVersion,
  removalJson,
} from '../domain/feed/feed-row.ts';
import { droppedFrom, type FeedChange, type FeedStore, type PageRow } from '../domain/feed/feed-store.ts';
import type { MarkTeam } from '../domain/feed/team-marks.ts';
import {
  bytesOf,
  type FeedDocument,
  fieldsFromRow,
  idOf,
  rowFromDocument,
  stateFromDocument,
  type VersionDocument,
} from './mongo-feed-document.ts';
import { createMongoFeedUsage } from './mongo-feed-usage.ts';
import { createMongoKeyPage, externalKeys, keysFrom } from './mongo-key-page.ts';
import { createNewestRows } from './mongo-newest-rows.ts';
import { type FeedNames, keptOrigin, versionFromStored } from './stored-feed.ts';

/**
 * Positions that a row keeps after it has moved, so that nobody takes them again: a writer that stalled after it read the
 * head would write behind rows that followers have already read. It would have to stall for this many changes of one row,
 * which takes minutes even if a whole team writes that row at its limits.
 */
const maxKeptPositions = 1_000;

/** Rows of one bulk write. */
const maxRunRows = 100;
const withoutPositions = { positions: 0 } as const;
const withoutJson = { json: 0, positions: 0 } as const;
/** Rows that external readers have ever seen. */
const externalFeed = { external_at: { $gte: 0 } } as const;

/** What each tier's feed is made of: the time of a row, and the rows that are not to be forgotten. */
const views = {
  team: { time: 'updated_at', live: { deleted: false } },
  external: { time: 'external_at', live: { deleted: false, tier: 'external' } },
} as const;

/**
 * Stores one feed in MongoDB, sharded by team. `FeedStore` says what each method promises. No transactions: the unique
 * index on (team, positions) alone decides which of two writers takes a position.
 */
export async function createMongoFeedStore(
  connection: MongoConnection,
  names: FeedNames,
  markTeam: MarkTeam,
): Promise<FeedStore> {
  const rows = connection.db.collection<FeedDocument>(names.rows);
  const versions = connection.db.collection<VersionDocument>(names.versions);
  await connection.ensureIndexes(names.rows, [
    { key: { team_id: 1, row_key: 1 }, unique: true },
    { key: { team_id: 1, positions: 1 }, unique: true },
    { key: { team_id: 1, seq: 1 }, unique: true },
    { key: { team_id: 1, updated_at: 1 } },
    { key: { team_id: 1, deleted: 1, updated_at: 1 } },
    {
      name: 'external_feed',
      key: { team_id: 1, external_at: 1 },
      partialFilterExpression: externalFeed,
    },
    externalKeys,
    {
      name: 'external_live',
      key: { team_id: 1, deleted: 1, tier: 1, external_at: 1 },
      partialFilterExpression: externalFeed,
    },
  ]);
  await connection.ensureIndexes(names.versions, [
    { key: { team_id: 1, row_key: 1, revision: -1 }, unique: true },
  ]);

  /**
   * Removes the versions of erased rows. They go after the row, so that an erasure is either not begun or, by its row,
   * known: `scrub` ends one that was interrupted.
   */
  async function removeErased(teamId: string, states: readonly FeedRowState[]): Promise<void> {
    const operations = states.filter(isErased).map(({ rowKey, erasedFrom, revision }) => ({
      deleteMany: {
        filter: { team_id: teamId, row_key: rowKey, revision: { $gte: erasedFrom, $lt: revision } },
      },
    }));
    if (operations.length === 0) return;
    await connection.call((deadline) => versions.bulkWrite(operations, { ...deadline, ordered: false }));
  }

  async function find(
    teamId: string,
    rowKeys: readonly string[],
    knownTo: Tier = 'team',
  ): Promise<Map<string, FeedRowState>> {
    const known = knownTo === 'external' ? externalFeed : {};
    const filter = { team_id: teamId, row_key: { $in: [...rowKeys] }, ...known };
    const documents = await connection.call((deadline) =>
      rows.find(filter, { ...deadline, projection: withoutJson }).toArray(),
    );
    return new Map(documents.map((document) => [document.row_key, stateFromDocument(document)]));
  }

  /** Copies rows that are about to be replaced. Repeating it is harmless, because a version has one _id. */
  async function archive(teamId: string, changes: readonly FeedChange[], history: number): Promise<void> {
    await removeErased(
      teamId,
      changes.flatMap(({ previous }) => previous ?? []),
    );
    const dropped = changes.filter(({ dropsVersions }) => dropsVersions).map(({ row }) => row.rowKey);
    if (dropped.length > 0) {
      const all = { team_id: teamId, row_key: { $in: dropped } };
      await connection.call((deadline) => versions.deleteMany(all, deadline));
    }
    const rowKeys = changes
      .filter((change) => change.previous && leavesVersion(change.previous))
      .filter((change) => droppedFrom(change) === undefined)
      .map(({ row }) => row.rowKey);
    if (rowKeys.length === 0) return;
    const filter = { team_id: teamId, row_key: { $in: rowKeys } };
    const replaced = await connection.call((deadline) =>
      rows.find(filter, { ...deadline, projection: withoutPositions }).toArray(),
    );
    const operations: AnyBulkWriteOperation<VersionDocument>[] = replaced.flatMap((document) => {
      const { row_key, revision, deleted } = document;
      const state = stateFromDocument(document);
      if (!leavesVersion(state)) return [];
      const json = deleted ? new Binary(removalJson(state)) : document.json;
      const _id = `${document._id}\n${revision}`;
      const replacement = { team_id: teamId, row_key, revision, json, origin: keptOrigin(state) };
      const outdated = { team_id: teamId, row_key, revision: { $lte: revision - history } };
      const keep = { replaceOne: { filter: { _id, team_id: teamId }, replacement, upsert: true } };
      return [
        ...(history > 0 ? [keep] : []),
        ...(revision > history ? [{ deleteMany: { filter: outdated } }] : []),
      ];
    });
    // The rows were removed in the meantime; the write itself will find that out.
    if (operations.length === 0) return;
    try {
      await connection.call((deadline) => versions.bulkWrite(operations, { ...deadline, ordered: false }));
    } catch (error) {
      // Another writer that wants to replace the same version has just put it there.
      if (!isDuplicateKey(error)) throw error;
    }
  }

  async function rowsWhere(
    filter: Filter<FeedDocument>,
    sort: Sort,
    limit: number,
    maxBytes?: number,
  ): Promise<FeedRow[]> {
    const documents = await connection.call((deadline) =>
      untilBytes(rows.find(filter, { ...deadline, sort, limit, projection: withoutPositions }), maxBytes),
    );
    return documents.map(rowFromDocument);
  }

  /** Returns the rows that a filter finds in one tier's feed, oldest first. */
  function pageWhere(
    tier: Tier,
    filter: Filter<FeedDocument>,
    limit: number,
    maxBytes: number,
  ): Promise<PageRow[]> {
    const { time } = views[tier];
    return connection.call(async (deadline) => {
      const found: PageRow[] = [];
      let bytes = 0;
      const documents = rows.find(filter, {
        ...deadline,
        limit,
        projection: withoutPositions,
        sort: { [time]: 1 },
      });
      for await (const document of documents) {
        const deleted = document.deleted || (tier === 'external' && document.tier !== 'external');
        const json = deleted ? new Uint8Array() : bytesOf(document.json);
        found.push({ rowKey: document.row_key, atMs: document[time] ?? 0, deleted, json });
        bytes += json.length;
        if (bytes > maxBytes) break;
      }
      return found;
    });
  }

  // Feeds and pages are read up to a row that was the newest before. A server that walks an index first and fetches rows
  // afterwards, as SecantusDB does, can find a row that has moved in between, and would skip what was written before it:
  // a hole.
  const newestBy = createNewestRows(connection, rows);
  const headSeq = async (teamId: string) => (await newestBy('seq', teamId))?.seq ?? 0;
  const usage = await createMongoFeedUsage(connection, names, headSeq);

  return {
    async head(teamId) {
      const newest = await newestBy('seq', teamId);
      return { seq: newest?.seq ?? 0, updatedAtMs: newest?.updated_at ?? 0 };
    },
    find,
    async read(teamId, rowKey, shownTo = 'team') {
      const shown = shownTo === 'external' ? views.external.live : {};
      const filter = { _id: idOf(teamId, rowKey), team_id: teamId, ...shown };
      const document = await connection.call((deadline) =>
        rows.findOne(filter, { ...deadline, projection: withoutPositions }),
      );
      return document === null ? undefined : rowFromDocument(document);
    },
    usage: usage.usage,
    recount: usage.recount,
    async append(teamId, changes, history) {
      const runs = runsOfRows(changes);
      let total = 0;
      for (const run of runs) {
        await archive(teamId, run, history);
        await markTeam(teamId);
        const done = await writeInOrder(connection, rows, teamId, run);
        // Not made twice unless the write took longer than a mark is kept.
        await markTeam(teamId);
        await usage.add(teamId, run.slice(0, done));
        await removeErased(
          teamId,
          run.slice(0, done).map(({ row }) => row),
        );
        const overtaken = run.slice(done).flatMap(({ previous }) => previous?.rowKey ?? []);
        // What `archive` has just kept of a row that somebody erased in the meantime.
        if (overtaken.length > 0) await removeErased(teamId, [...(await find(teamId, overtaken)).values()]);
        total += done;
        if (done < run.length) break;
      }
      return total;
    },
    async page(teamId, tier, { afterMs, untilMs, limit, maxBytes, includeDeleted }) {
      const { time, live } = views[tier];
      const filter: Filter<FeedDocument> = {
        team_id: teamId,
        [time]: { $gt: afterMs, $lte: untilMs },
        ...(includeDeleted ? {} : live),
      };
      return pageWhere(tier, filter, limit, maxBytes);
    },
    async pageStartingWith(teamId, tier, beginning, range) {
      const { afterMs, untilMs, limit, maxBytes, includeDeleted, maxSorted, maxLookedThrough } = range;
      const { time, live } = views[tier];
      const keys = keysFrom(teamId, beginning);
      const count = await connection.call((deadline) =>
        rows.countDocuments(keys, { ...deadline, limit: maxSorted + 1 }),
      );
      const shown = (throughMs: number): Filter<FeedDocument> => ({
        team_id: teamId,
        [time]: { $gt: afterMs, $lte: throughMs },
        ...(includeDeleted ? {} : live),
      });
      // The last row that is looked through, if there are so many.
      const [last] =
        tier === 'team' && count <= maxSorted
          ? []
          : await connection.call((deadline) =>
              rows
                .find(shown(untilMs), { ...deadline, projection: withoutJson })
                .sort({ [time]: 1 })
                .skip(maxLookedThrough - 1)
                .limit(1)
                .toArray(),
            );
      const throughMs = last?.[time] ?? untilMs;
      const filter = { ...shown(throughMs), ...keys };
      return { rows: await pageWhere(tier, filter, limit, maxBytes), throughMs };
    },
    // MongoDB joins no binary values.
    joinedPage: async () => undefined,
    async newestAtMs(teamId, tier) {
      const { time } = views[tier];
      return (await newestBy(time, teamId))?.[time] ?? 0;
    },
    async readFrom(teamId, afterSeq, { limit, maxBytes }) {
      const newest = await headSeq(teamId);
      const filter = { team_id: teamId, seq: { $gt: afterSeq, $lte: newest } };
      return rowsWhere(filter, { seq: 1 }, limit, maxBytes);
    },
    startingWith: (teamId, beginning, limit) =>
      rowsWhere({ ...keysFrom(teamId, beginning), deleted: false }, { row_key: 1 }, limit),
    async keysStartingWith(teamId, beginning, afterKey, limit) {
      const { row_key } = keysFrom(teamId, beginning);
      const filter = { team_id: teamId, row_key: { ...row_key, $gt: afterKey }, deleted: false };
      const projection = { _id: 0, row_key: 1 };
      const found = await connection.call((deadline) =>
        rows.find(filter, { ...deadline, projection, sort: { row_key: 1 }, limit }).toArray(),
      );
      return found.map(({ row_key }) => row_key);
    },
    keyPage: createMongoKeyPage(connection, rows),
    async readShown(teamId, tier, rowKeys, maxBytes) {
      const filter = { team_id: teamId, row_key: { $in: [...rowKeys] }, ...views[tier].live };
      return rowKeys.length === 0 ? [] : rowsWhere(filter, { row_key: 1 }, rowKeys.length, maxBytes);
    },
    async teamAfter(teamId) {
      const projection = { _id: 0, team_id: 1 };
      const found = await connection.call((deadline) =>
        rows.findOne({ team_id: { $gt: teamId } }, { ...deadline, projection, sort: { team_id: 1 } }),
      );
      return found?.team_id;
    },
    removedStartingWith: (teamId, beginning, limit) =>
      rowsWhere(
        { ...keysFrom(teamId, beginning), deleted: true, checksum: { $ne: '' } },
        { row_key: -1 },
        limit,
      ),
    unerasedStartingWith: (teamId, beginning, limit) =>
      rowsWhere({ ...keysFrom(teamId, beginning), checksum: { $ne: '' } }, { row_key: 1 }, limit),
    async dropVersions(teamId, dropped) {
      const operations = dropped.map(({ rowKey, revision }) => ({
        deleteOne: { filter: { team_id: teamId, row_key: rowKey, revision } },
      }));
      await connection.call((deadline) => versions.bulkWrite(operations, { ...deadline, ordered: false }));
    },
    scrub: removeErased,
    async versions(teamId, rowKey, { beforeRevision, limit, maxBytes }) {
      const filter = { team_id: teamId, row_key: rowKey, revision: { $lt: beforeRevision } };
      const documents = await connection.call((deadline) =>
        untilBytes(versions.find(filter, { ...deadline, sort: { revision: -1 }, limit }), maxBytes),
      );
      return documents.map((version) => versionFromStored(version, bytesOf(version.json)));
    },
  };
}

/**
 * Writes rows in order and stops at the first that fails. The filter contains the state that the verdict was given on. If
 * that is gone, the upsert collides with the document's own _id, so a lost race is always a duplicate key.
 */
async function writeInOrder(
  connection: MongoConnection,
  rows: Collection<FeedDocument>,
  teamId: string,
  changes: readonly FeedChange[],
): Promise<number> {
  const operations = changes.map(({ row, previous }) => ({
    updateOne: {
      filter: { _id: idOf(teamId, row.rowKey), team_id: teamId, seq: previous?.seq ?? 0 },
      update: {
        $set: fieldsFromRow(row),
        $push: { positions: { $each: [row.seq], $slice: -maxKeptPositions } },
        ...(row.externalAtMs === null ? { $unset: { external_at: true as const } } : {}),
      },
      upsert: true,
    },
  }));
  try {
    await connection.call((deadline) => rows.bulkWrite(operations, { ...deadline, ordered: true }));
    return changes.length;
  } catch (error) {
    if (!(error instanceof MongoBulkWriteError) || !isDuplicateKey(error)) throw error;
    return error.matchedCount + error.upsertedCount;
  }
}

/** Returns documents up to the one that makes their JSON pass a number of bytes, and reads at most a batch more. */
async function untilBytes<Document extends { json: Binary }>(
  documents: AsyncIterable<Document>,
  maxBytes = Infinity,
): Promise<Document[]> {
  const taken: Document[] = [];
  let bytes = 0;
  for await (const document of documents) {
    taken.push(document);
    bytes += document.json.position;
    if (bytes > maxBytes) break;
  }
  return taken;
}

/**
 * Splits changes where a row comes again, because its first change must be stored before it can be archived, and where
 * they are too many for one deadline.
 */
function runsOfRows(changes: readonly FeedChange[]): FeedChange[][] {
  const runs: FeedChange[][] = [];
  let seen = new Set<string>();
  for (const change of changes) {
    if (seen.size === 0 || seen.size === maxRunRows || seen.has(change.row.rowKey)) {
      runs.push([]);
      seen = new Set();
    }
    seen.add(change.row.rowKey);
    runs.at(-1)?.push(change);
  }
  return runs;
}
