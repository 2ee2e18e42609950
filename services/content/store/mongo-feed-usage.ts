import { setTimeout as delay } from 'node:timers/promises';
import { isDuplicateKey, type MongoConnection } from '@teammemory/mongo/mongo-connection.ts';
import { type AnyBulkWriteOperation, type Filter, MongoBulkWriteError } from 'mongodb';
import type { FeedChange, FeedStore, Recount } from '../domain/feed/feed-store.ts';
import { usageChanges, wholeTeam } from '../domain/feed/quota.ts';
import type { FeedDocument } from './mongo-feed-document.ts';
import {
  type ChargeColumns,
  type FeedNames,
  isSameUsage,
  type UsageColumns,
  usageFromColumns,
} from './stored-feed.ts';

/** Rows of one step of a recount: some hundred kilobytes. */
const rowsPerStep = 5_000;
/** Counts read or written at once. */
const countsPerStep = 500;
/** How often a recount is tried while others write, and the pause in between. */
const maxRecounts = 8;
const recountPauseMs = 250;
/** How often a count is written again: once where two processes make it at once, and once where it was recounted. */
const maxAdds = 4;

/** What an owner has of a team's rows. */
interface UsageDocument extends UsageColumns {
  /** Team and owner in one text. */
  _id: string;
  team_id: string;
  owner: string;
  /** A recount has counted rows up to this position. Absent before the first that found something wrong. */
  counted_seq?: number;
}

/** The counts of one feed. */
export interface MongoFeedUsage extends Pick<FeedStore, 'usage' | 'recount'> {
  /** Counts rows that were written. Not within their write, because there are no transactions. */
  add(teamId: string, changes: readonly FeedChange[]): Promise<void>;
}

/** Keeps the counts of a feed. `headSeq` returns a team's newest position. */
export async function createMongoFeedUsage(
  connection: MongoConnection,
  names: FeedNames,
  headSeq: (teamId: string) => Promise<number>,
): Promise<MongoFeedUsage> {
  const usages = connection.db.collection<UsageDocument>(names.usage);
  const rows = connection.db.collection<FeedDocument & ChargeColumns>(names.rows);
  await connection.ensureIndexes(names.usage, [{ key: { team_id: 1, owner: 1 }, unique: true }]);
  const keyOf = (teamId: string, owner: string) => ({ _id: `${teamId}\n${owner}`, team_id: teamId, owner });

  const find = (filter: Filter<UsageDocument>, limit = 0) =>
    connection.call((deadline) => usages.find(filter, { ...deadline, sort: { owner: 1 }, limit }).toArray());

  /** Writes some; returns the positions of those that collided with a document. */
  async function write(operations: AnyBulkWriteOperation<UsageDocument>[]): Promise<Set<number>> {
    try {
      await connection.call((deadline) => usages.bulkWrite(operations, { ...deadline, ordered: false }));
      return new Set();
    } catch (error) {
      if (!(error instanceof MongoBulkWriteError) || !isDuplicateKey(error)) throw error;
      return new Set([error.writeErrors].flat().map(({ index }) => index));
    }
  }

  /** All counts of a team. */
  async function storedCounts(teamId: string): Promise<Map<string, UsageDocument>> {
    const found = new Map<string, UsageDocument>();
    for (let after: string | undefined; ; ) {
      const page = await find(
        { team_id: teamId, ...(after === undefined ? {} : { owner: { $gt: after } }) },
        countsPerStep,
      );
      for (const document of page) found.set(document.owner, document);
      if (page.length < countsPerStep) return found;
      after = page.at(-1)?.owner;
    }
  }

  /** Counts the rows of a team as they are. */
  async function countRows(teamId: string): Promise<Map<string, UsageColumns>> {
    const counts = new Map<string, UsageColumns>([[wholeTeam, { rows: 0, items: 0, bytes: 0 }]]);
    for (let after = ''; ; ) {
      const page = await connection.call((deadline) =>
        rows
          .find(
            { team_id: teamId, row_key: { $gt: after } },
            {
              ...deadline,
              sort: { row_key: 1 },
              limit: rowsPerStep,
              projection: { row_key: 1, owner: 1, bytes: 1, kept_bytes: 1 },
            },
          )
          .toArray(),
      );
      for (const { owner, bytes, kept_bytes } of page) {
        // A row of an earlier version counts from its first change on.
        if (typeof owner !== 'string') continue;
        for (const name of new Set([wholeTeam, owner])) {
          const count = counts.get(name) ?? { rows: 0, items: 0, bytes: 0 };
          count.rows += 1;
          count.items += (bytes ?? 0) > 0 ? 1 : 0;
          count.bytes += (bytes ?? 0) + (kept_bytes ?? 0);
          counts.set(name, count);
        }
      }
      if (page.length < rowsPerStep) return counts;
      after = page.at(-1)?.row_key ?? after;
    }
  }

  /** Puts counts as of a position in place of the stored ones; returns whether all were still as they were read. */
  async function correct(
    teamId: string,
    wrong: ReadonlyMap<string, { stored: UsageDocument | undefined; counted: UsageColumns }>,
    seq: number,
  ): Promise<boolean> {
    const operations = [...wrong].map(([owner, { stored, counted }]) => {
      const counts = { ...counted, counted_seq: seq };
      const key = keyOf(teamId, owner);
      if (stored === undefined) return { insertOne: { document: { ...key, ...counts } } };
      const filter = { ...key, rows: stored.rows, items: stored.items, bytes: stored.bytes };
      return { updateOne: { filter, update: { $set: counts } } };
    });
    let done = 0;
    for (let start = 0; start < operations.length; start += countsPerStep) {
      const some = operations.slice(start, start + countsPerStep);
      try {
        const result = await connection.call((deadline) =>
          usages.bulkWrite(some, { ...deadline, ordered: false }),
        );
        done += result.matchedCount + result.insertedCount;
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
    }
    return done === operations.length;
  }

  return {
    async usage(teamId, owners) {
      const documents = await find({ team_id: teamId, owner: { $in: [...owners] } });
      return new Map(documents.map((document) => [document.owner, usageFromColumns(document)]));
    },
    async add(teamId, changes) {
      const [first] = changes;
      if (first === undefined) return;
      let left = [...usageChanges(changes)].map(([owner, added]) => ({ owner, added, seq: first.row.seq }));
      for (let attempt = 0; left.length > 0 && attempt < maxAdds; attempt += 1) {
        const collided = await write(
          left.map(({ owner, added: { rows: count, texts, bytes }, seq }) => ({
            updateOne: {
              // One that a recount has counted already is not found, and then collides.
              filter: { ...keyOf(teamId, owner), counted_seq: { $not: { $gte: seq } } },
              update: { $inc: { rows: count, items: texts, bytes } },
              upsert: true,
            },
          })),
        );
        const owners = left.filter((_, index) => collided.has(index)).map(({ owner }) => owner);
        const stored = owners.length === 0 ? [] : await find({ team_id: teamId, owner: { $in: owners } });
        left = stored.flatMap(({ owner, counted_seq = 0 }) => {
          const uncounted = changes.filter(({ row }) => row.seq > counted_seq);
          const added = usageChanges(uncounted).get(owner);
          return added === undefined ? [] : [{ owner, added, seq: counted_seq + 1 }];
        });
      }
    },
    async recount(teamId): Promise<Recount> {
      let before = '';
      for (let attempt = 0; attempt < maxRecounts; attempt += 1) {
        if (attempt > 0) await delay(recountPauseMs);
        const seq = await headSeq(teamId);
        const stored = await storedCounts(teamId);
        const counts = await countRows(teamId);
        // Rows that were written meanwhile may be counted or not.
        if ((await headSeq(teamId)) !== seq) continue;
        for (const owner of stored.keys())
          if (!counts.has(owner)) counts.set(owner, { rows: 0, items: 0, bytes: 0 });
        const wrong = new Map(
          [...counts]
            .map(([owner, counted]) => [owner, { stored: stored.get(owner), counted }] as const)
            .filter(([, { stored: known, counted }]) => !isSameUsage(known, counted)),
        );
        if (wrong.size === 0) return 'right';
        // The count of rows that were just written may be on its way. That is no fault, and is not told as one.
        const found = `${seq} ${JSON.stringify([...wrong])}`;
        const isKnown = found === before || stored.size === 0;
        if (isKnown && (await correct(teamId, wrong, seq))) return 'repaired';
        before = found;
      }
      return 'busy';
    },
  };
}
