import { isDuplicateKey, type MongoConnection } from '@teammemory/mongo/mongo-connection.ts';
import {
  type AnyBulkWriteOperation,
  type Binary,
  type Collection,
  type Filter,
  MongoBulkWriteError,
  type Sort,
} from 'mongodb';
import type { Item } from '../domain/item.ts';
import type { FeedRow, ItemChange, ItemStore } from '../domain/item-store.ts';
import { type Usage, usageChanges } from '../domain/quota.ts';
import type { FeedNames } from './feed-names.ts';
import {
  bytesOf,
  fieldsFromItem,
  type ItemDocument,
  idOf,
  stateFromDocument,
  type VersionDocument,
} from './mongo-item-document.ts';
import { createNewestRows } from './mongo-newest-rows.ts';
import { usageFromRow } from './usage-row.ts';

/** What an owner has of a team's rows. */
interface UsageDocument extends Usage {
  /** Team and owner in one text. */
  _id: string;
  team_id: string;
  owner: string;
}

/**
 * Positions a row keeps after it has moved on, so that nobody takes them again:
 * a writer that stalled after it read the head would write behind rows that
 * followers have already read. It would have to stall for as many changes of
 * one row, which is minutes of a row that a whole team writes at its limits.
 */
const positionsKept = 1_000;

/** Rows of one bulk write. */
const runMaxRows = 100;
/** Sorts behind everything that a key can go on with. */
const lastCharacter = '\u{10ffff}';
const withoutPositions = { positions: 0 } as const;
const withoutJson = { json: 0, positions: 0 } as const;
/** Rows that external readers have ever seen. Its indexes have names: an earlier one on the same keys said it otherwise. */
const externalFeed = { external_at: { $gte: 0 } } as const;
/** What earlier versions had in the place of `external_feed`. */
const obsoleteIndexes = ['team_id_1_external_at_1'];

/** What each reader's feed is made of: the place of a row, and the rows not to be forgotten. */
const feeds = {
  team: { place: 'updated_at', live: { deleted: false } },
  external: { place: 'external_at', live: { deleted: false, tier: 'external' } },
} as const;

/**
 * Keeps one list in MongoDB, sharded by team; the domain's `ItemStore` says what
 * each method promises. No transactions: the unique index on (team, positions)
 * alone decides which of two writers takes a position.
 */
export async function createMongoItemStore(
  connection: MongoConnection,
  names: FeedNames,
): Promise<ItemStore> {
  const items = connection.db.collection<ItemDocument>(names.rows);
  const versions = connection.db.collection<VersionDocument>(names.versions);
  const usages = connection.db.collection<UsageDocument>(names.usage);
  await connection.ensureIndexes(
    names.rows,
    [
      { key: { team_id: 1, row_key: 1 }, unique: true },
      { key: { team_id: 1, positions: 1 }, unique: true },
      { key: { team_id: 1, seq: 1 }, unique: true },
      { key: { team_id: 1, updated_at: 1 } },
      { key: { team_id: 1, deleted: 1, updated_at: 1 } },
      {
        ...{ name: 'external_feed', key: { team_id: 1, external_at: 1 } },
        partialFilterExpression: externalFeed,
      },
      {
        ...{ name: 'external_live', key: { team_id: 1, deleted: 1, tier: 1, external_at: 1 } },
        partialFilterExpression: externalFeed,
      },
    ],
    obsoleteIndexes,
  );
  await connection.ensureIndexes(names.versions, [
    { key: { team_id: 1, row_key: 1, revision: -1 }, unique: true },
  ]);
  await connection.ensureIndexes(names.usage, [{ key: { team_id: 1, owner: 1 }, unique: true }]);

  /** Copies what is about to be replaced. Repeating it is harmless: a version has one place. */
  async function archive(teamId: string, changes: readonly ItemChange[], history: number): Promise<void> {
    const dropped = changes.filter(({ dropsVersions }) => dropsVersions).map(({ item }) => item.rowKey);
    if (dropped.length > 0) {
      const all = { team_id: teamId, row_key: { $in: dropped } };
      await connection.call((deadline) => versions.deleteMany(all, deadline));
    }
    const rowKeys = changes
      .filter(({ previous, dropsVersions }) => previous?.deleted === false && !dropsVersions)
      .map(({ item }) => item.rowKey);
    if (rowKeys.length === 0) return;
    const filter = { team_id: teamId, row_key: { $in: rowKeys } };
    const replaced = await connection.call((deadline) =>
      items.find(filter, { ...deadline, projection: withoutPositions }).toArray(),
    );
    const operations: AnyBulkWriteOperation<VersionDocument>[] = replaced.flatMap((document) => {
      const { row_key, revision, deleted, json } = document;
      if (deleted) return [];
      const _id = `${document._id}\n${revision}`;
      const replacement = { team_id: teamId, row_key, revision, json };
      const outdated = { team_id: teamId, row_key, revision: { $lte: revision - history } };
      const keep = { replaceOne: { filter: { _id, team_id: teamId }, replacement, upsert: true } };
      return [
        ...(history > 0 ? [keep] : []),
        ...(revision > history ? [{ deleteMany: { filter: outdated } }] : []),
      ];
    });
    // What was to be replaced has been removed meanwhile; the write itself will find that out.
    if (operations.length === 0) return;
    try {
      await connection.call((deadline) => versions.bulkWrite(operations, { ...deadline, ordered: false }));
    } catch (error) {
      // Another writer that wants to replace the same version has just put it there.
      if (!isDuplicateKey(error)) throw error;
    }
  }

  /** Counts what was written. */
  async function addUsage(teamId: string, changes: readonly ItemChange[]): Promise<void> {
    const operations = [...usageChanges(changes)].map(([owner, { rows, items: live, bytes }]) => ({
      updateOne: {
        filter: { _id: `${teamId}\n${owner}`, team_id: teamId, owner },
        update: { $inc: { rows, items: live, bytes } },
        upsert: true,
      },
    }));
    if (operations.length === 0) return;
    const add = (some: typeof operations) =>
      connection.call((deadline) => usages.bulkWrite(some, { ...deadline, ordered: false }));
    await add(operations).catch((error: unknown) => {
      // Two processes that make the same document at once: one of them finds it when it tries again.
      if (!(error instanceof MongoBulkWriteError) || !isDuplicateKey(error)) throw error;
      const failed = new Set([error.writeErrors].flat().map(({ index }) => index));
      return add(operations.filter((_, index) => failed.has(index)));
    });
  }

  async function rowsWhere(
    filter: Filter<ItemDocument>,
    sort: Sort,
    limit: number,
    maxBytes?: number,
  ): Promise<Item[]> {
    const documents = await connection.call((deadline) =>
      untilBytes(items.find(filter, { ...deadline, sort, limit, projection: withoutPositions }), maxBytes),
    );
    return documents.map((document) => ({ ...stateFromDocument(document), json: bytesOf(document.json) }));
  }

  // Feeds are read up to what was there before, pages too (`untilMs`). A server that walks an index first and fetches rows
  // after it, as SecantusDB does, can find one that has moved on meanwhile, and would not show what was written before
  // that: a hole.
  const newestBy = createNewestRows(connection, items);

  return {
    async head(teamId) {
      const newest = await newestBy('seq', teamId);
      return { seq: newest?.seq ?? 0, updatedAtMs: newest?.updated_at ?? 0 };
    },
    async find(teamId, rowKeys) {
      const filter = { team_id: teamId, row_key: { $in: [...rowKeys] } };
      const documents = await connection.call((deadline) =>
        items.find(filter, { ...deadline, projection: withoutJson }).toArray(),
      );
      return new Map(documents.map((document) => [document.row_key, stateFromDocument(document)]));
    },
    async usage(teamId, owners) {
      const filter = { team_id: teamId, owner: { $in: [...owners] } };
      const documents = await connection.call((deadline) => usages.find(filter, deadline).toArray());
      return new Map(documents.map((document) => [document.owner, usageFromRow(document)]));
    },
    async append(teamId, changes, history) {
      const runs = runsOfRows(changes);
      let written = 0;
      for (const run of runs) {
        await archive(teamId, run, history);
        const done = await writeInOrder(connection, items, teamId, run);
        await addUsage(teamId, run.slice(0, done));
        written += done;
        if (done < run.length) break;
      }
      return written;
    },
    async page(teamId, tier, { afterMs, untilMs, limit, maxBytes, includeDeleted }) {
      const { place, live } = feeds[tier];
      const filter: Filter<ItemDocument> = {
        team_id: teamId,
        [place]: { $gt: afterMs, $lte: untilMs },
        ...(includeDeleted ? {} : live),
      };
      return connection.call(async (deadline) => {
        const rows: FeedRow[] = [];
        let bytes = 0;
        const found = items.find(filter, {
          ...{ ...deadline, limit, projection: withoutPositions },
          sort: { [place]: 1 },
        });
        for await (const document of found) {
          const deleted = document.deleted || (tier === 'external' && document.tier !== 'external');
          const json = deleted ? new Uint8Array() : bytesOf(document.json);
          rows.push({ rowKey: document.row_key, atMs: document[place] ?? 0, deleted, json });
          bytes += json.length;
          if (bytes > maxBytes) break;
        }
        return rows;
      });
    },
    async newestPlace(teamId, tier) {
      const { place } = feeds[tier];
      return (await newestBy(place, teamId))?.[place] ?? 0;
    },
    async readFrom(teamId, afterSeq, { limit, maxBytes }) {
      const newest = (await newestBy('seq', teamId))?.seq ?? 0;
      const filter = { team_id: teamId, seq: { $gt: afterSeq, $lte: newest } };
      return rowsWhere(filter, { seq: 1 }, limit, maxBytes);
    },
    startingWith: (teamId, beginning, limit) =>
      rowsWhere({ ...keysFrom(teamId, beginning), deleted: false }, { row_key: 1 }, limit),
    removedStartingWith: (teamId, beginning, limit) =>
      rowsWhere({ ...keysFrom(teamId, beginning), deleted: true }, { row_key: -1 }, limit),
    async versions(teamId, rowKey, { beforeRevision, limit, maxBytes }) {
      const filter = { team_id: teamId, row_key: rowKey, revision: { $lt: beforeRevision } };
      const documents = await connection.call((deadline) =>
        untilBytes(versions.find(filter, { ...deadline, sort: { revision: -1 }, limit }), maxBytes),
      );
      return documents.map(({ revision, json }) => ({ revision, json: bytesOf(json) }));
    },
  };
}

/**
 * Writes rows in order and stops at the first that fails. The filter holds
 * the state that the write was decided on; where that is gone, the upsert runs
 * into the document's own _id, so a lost race is always a duplicate key.
 */
async function writeInOrder(
  connection: MongoConnection,
  items: Collection<ItemDocument>,
  teamId: string,
  changes: readonly ItemChange[],
): Promise<number> {
  const operations = changes.map(({ item, previous }) => ({
    updateOne: {
      filter: { _id: idOf(teamId, item.rowKey), team_id: teamId, seq: previous?.seq ?? 0 },
      update: {
        $set: fieldsFromItem(item),
        $push: { positions: { $each: [item.seq], $slice: -positionsKept } },
        ...(item.externalAtMs === null ? { $unset: { external_at: true as const } } : {}),
      },
      upsert: true,
    },
  }));
  try {
    await connection.call((deadline) => items.bulkWrite(operations, { ...deadline, ordered: true }));
    return changes.length;
  } catch (error) {
    if (!(error instanceof MongoBulkWriteError) || !isDuplicateKey(error)) throw error;
    return error.matchedCount + error.upsertedCount;
  }
}

/** Documents up to the one that makes their JSON pass a number of bytes; of those behind it, at most a batch is read. */
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
 * Cuts changes where a row comes again, since its first change must be stored
 * before it can be archived, and where they are too many for one deadline.
 */
function runsOfRows(changes: readonly ItemChange[]): ItemChange[][] {
  const runs: ItemChange[][] = [];
  let seen = new Set<string>();
  for (const change of changes) {
    if (seen.size === 0 || seen.size === runMaxRows || seen.has(change.item.rowKey)) {
      runs.push([]);
      seen = new Set();
    }
    seen.add(change.item.rowKey);
    runs.at(-1)?.push(change);
  }
  return runs;
}

function keysFrom(teamId: string, beginning: string) {
  return { team_id: teamId, row_key: { $gte: beginning, $lt: `${beginning}${lastCharacter}` } };
}
