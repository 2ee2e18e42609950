import { genesisHash, type StoredAuditEntry } from '@teammemory/audit/audit-entry.ts';
import type { AuditStore } from '@teammemory/audit/audit-store.ts';
import { type Filter, MongoBulkWriteError } from 'mongodb';
import type { MongoConnection } from './mongo-connection.ts';

interface EntryDocument {
  /** Unique: the server lets only one process take each. */
  sequence: number;
  at: number;
  team_id: string | null;
  actor: string;
  text: string;
  hash: string;
}

interface BoundsDocument {
  _id: string;
  first: number;
  first_previous_hash: string;
  last: number;
  last_hash: string;
  /** Absent before the first removal that an entry tells of. */
  pruned_by?: number;
}

const duplicateKey = 11_000;
/** Entries that are read, or removed as too old, at a time. */
const entriesAtOnce = 1_000;

/** Creates the audit store of a service and ensures its indexes. */
export async function createMongoAuditStore(
  { db, call, ensureIndexes }: MongoConnection,
  service: string,
): Promise<AuditStore> {
  const entries = db.collection<EntryDocument>(`${service}_audit_entries`);
  const bounds = db.collection<BoundsDocument>(`${service}_audit_bounds`);
  await ensureIndexes(`${service}_audit_entries`, [
    { key: { sequence: 1 }, name: 'sequence', unique: true },
    { key: { at: 1, sequence: 1 }, name: 'at' },
    { key: { team_id: 1, sequence: 1 }, name: 'team' },
    { key: { team_id: 1, at: 1, sequence: 1 }, name: 'team_at' },
  ]);

  /** Moves the end forward, or leaves it where another process has moved it further. */
  async function moveEnd({ sequence, hash }: StoredAuditEntry): Promise<void> {
    const set = { last: sequence, last_hash: hash };
    const moved = await call((deadline) =>
      bounds.updateOne({ _id: 'log', last: { $lt: sequence } }, { $set: set }, deadline),
    );
    if (moved.matchedCount > 0) return;
    // The first entry of all makes the document; nothing is changed if it is there.
    const made = { first: 1, first_previous_hash: genesisHash, ...set };
    await call((deadline) =>
      bounds.updateOne({ _id: 'log' }, { $setOnInsert: made }, { upsert: true, ...deadline }),
    );
  }

  return {
    async bounds() {
      const found = await call((deadline) => bounds.findOne({ _id: 'log' }, deadline));
      if (found === null) return undefined;
      const { first, first_previous_hash: firstPreviousHash, last, last_hash: lastHash } = found;
      return { first, firstPreviousHash, last, lastHash, prunedBy: found.pruned_by };
    },

    async newest() {
      // Behind the end that is noted there are few, or none; a search from the end would read all on some servers.
      const { last = 0 } = (await call((deadline) => bounds.findOne({ _id: 'log' }, deadline))) ?? {};
      let newest = await call((deadline) => entries.findOne({ sequence: last }, deadline));
      for (;;) {
        const after = newest?.sequence ?? last;
        const beyond = await call((deadline) =>
          entries
            .find({ sequence: { $gt: after } }, deadline)
            .sort({ sequence: 1 })
            .limit(entriesAtOnce)
            .toArray(),
        );
        newest = beyond.at(-1) ?? newest;
        if (beyond.length < entriesAtOnce) return newest === null ? undefined : entryFrom(newest);
      }
    },

    async append(appended) {
      const documents = appended.map(
        ({ sequence, at, teamId, actor, text, hash }): EntryDocument => ({
          sequence,
          at,
          team_id: teamId,
          actor,
          text,
          hash,
        }),
      );
      const count = await call(async (deadline) => {
        try {
          // In order: behind the first one that another process has taken, none is written.
          return (await entries.insertMany(documents, { ordered: true, ...deadline })).insertedCount;
        } catch (error) {
          if (!(error instanceof MongoBulkWriteError) || error.code !== duplicateKey) throw error;
          return error.insertedCount;
        }
      });
      const last = appended[count - 1];
      if (last !== undefined) await moveEnd(last);
      return count;
    },

    async list(after, limit, { teamId, actor, since } = {}) {
      const filter: Filter<EntryDocument> = {
        sequence: { $gt: after },
        ...(teamId !== undefined && { team_id: teamId }),
        ...(actor !== undefined && { actor }),
        ...(since !== undefined && { at: { $gte: since } }),
      };
      const found = await call((deadline) =>
        entries.find(filter, deadline).sort({ sequence: 1 }).limit(limit).toArray(),
      );
      return found.map(entryFrom);
    },

    async listOfTeam(teamId, limit, { actor, shownTo }) {
      const filter: Filter<EntryDocument> = {
        team_id: teamId,
        // Times are whole; with `$lte` SecantusDB loses what is just at the bound of an index of several fields.
        ...(shownTo !== undefined && { at: { $lt: shownTo.at + 1 } }),
        ...(actor !== undefined && { actor }),
      };
      const found = await call((deadline) =>
        entries
          .find(filter, deadline)
          .sort({ at: -1, sequence: -1 })
          .skip(shownTo?.count ?? 0)
          .limit(limit)
          .toArray(),
      );
      return found.map(entryFrom);
    },

    async firstSince(at) {
      const found = await call((deadline) =>
        entries.findOne({ at: { $gte: at } }, { sort: { sequence: 1 }, ...deadline }),
      );
      return found === null ? undefined : entryFrom(found);
    },

    async removeBefore({ first, firstPreviousHash, prunedBy }) {
      const beginning = { first, first_previous_hash: firstPreviousHash, pruned_by: prunedBy };
      await call((deadline) =>
        bounds.updateOne({ _id: 'log', first: { $lt: first } }, { $set: beginning }, deadline),
      );
      for (;;) {
        const old = await call((deadline) =>
          entries
            .find({ sequence: { $lt: first } }, { projection: { sequence: 1 }, ...deadline })
            .sort({ sequence: 1 })
            .limit(entriesAtOnce)
            .toArray(),
        );
        const last = old.at(-1);
        if (last === undefined) return;
        await call((deadline) => entries.deleteMany({ sequence: { $lte: last.sequence } }, deadline));
      }
    },
  };
}

function entryFrom({ sequence, at, team_id: teamId, actor, text, hash }: EntryDocument): StoredAuditEntry {
  return { sequence, at, teamId, actor, text, hash };
}
