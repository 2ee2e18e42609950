import { isDuplicateKey, type MongoConnection } from '@teammemory/mongo/mongo-connection.ts';
import { removeFound } from '@teammemory/mongo/remove-found.ts';
import type { Tier } from '@teammemory/vocabulary/tier.ts';
import type { Filter } from 'mongodb';
import type { Rating, RatingStore, Verdict } from '../domain/ratings/ratings.ts';

interface RatingDocument {
  /** The rating's id. */
  _id: string;
  team_id: string;
  member_id: string;
  member_handle: string;
  tier: Tier;
  question: string;
  verdict: Verdict;
  note: string;
  at: number;
}

/** Opens the store of ratings in MongoDB, ensuring its index. */
export async function createMongoRatingStore(connection: MongoConnection): Promise<RatingStore> {
  const { db, call, ensureIndexes } = connection;
  const ratings = db.collection<RatingDocument>('ratings');
  await ensureIndexes('ratings', [{ key: { team_id: 1, at: 1, _id: 1 }, name: 'age' }]);

  async function upsert(document: RatingDocument): Promise<void> {
    const { _id, ...values } = document;
    const named = { _id, team_id: document.team_id };
    await call((deadline) => ratings.replaceOne(named, values, { upsert: true, ...deadline }));
  }

  return {
    async put(teamId, rating, { maxOfMember, maxOfTeam, since }) {
      const document = documentFrom(teamId, rating);
      // Two that insert the same rating at once: the one that came second finds it now.
      await upsert(document).catch((error: unknown) => {
        if (!isDuplicateKey(error)) throw error;
        return upsert(document);
      });
      await call((deadline) => ratings.deleteMany({ team_id: teamId, at: { $lt: since } }, deadline));
      const beyond = (skip: number) => ({ sort: { at: -1, _id: -1 }, skip }) as const;
      const ofMember = { team_id: teamId, member_id: rating.memberId };
      await removeFound(connection, ratings, ofMember, beyond(maxOfMember));
      await removeFound(connection, ratings, { team_id: teamId }, beyond(maxOfTeam));
    },

    async list(teamId, { since, after, limit }) {
      const filter: Filter<RatingDocument> = { team_id: teamId, at: { $gte: since } };
      if (after !== undefined) {
        const { at, ratingId } = after;
        filter.$or = [{ at: { $lt: at } }, { at, _id: { $lt: ratingId } }];
      }
      const documents = await call((deadline) =>
        ratings.find(filter, deadline).sort({ at: -1, _id: -1 }).limit(limit).toArray(),
      );
      return documents.map(ratingFrom);
    },

    async remove(teamId, ratingIds) {
      const filter = { team_id: teamId, _id: { $in: [...ratingIds] } };
      await call((deadline) => ratings.deleteMany(filter, deadline));
    },

    countOfMember: (teamId, memberHandle) =>
      call((deadline) => ratings.countDocuments({ team_id: teamId, member_handle: memberHandle }, deadline)),

    async eraseMember(teamId, memberHandle) {
      const filter = { team_id: teamId, member_handle: memberHandle };
      await call((deadline) => ratings.deleteMany(filter, deadline));
    },
  };
}

function documentFrom(teamId: string, rating: Rating): RatingDocument {
  const { ratingId, memberId, memberHandle, tier, question, verdict, note, at } = rating;
  return {
    _id: ratingId,
    team_id: teamId,
    member_id: memberId,
    member_handle: memberHandle,
    tier,
    question,
    verdict,
    note,
    at,
  };
}

function ratingFrom(document: RatingDocument): Rating {
  const { tier, question, verdict, note, at } = document;
  return {
    ratingId: document._id,
    memberId: document.member_id,
    memberHandle: document.member_handle,
    tier,
    question,
    verdict,
    note,
    at,
  };
}
