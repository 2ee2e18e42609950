import { AppError } from '@teammemory/errors/app-error.ts';
import { isDuplicateKey, type MongoConnection } from '@teammemory/mongo/mongo-connection.ts';
import type { Team, TeamStore } from '../domain/teams.ts';

interface TeamDocument {
  /** The team's id. */
  _id: string;
  slug: string;
  name: string;
  created_at: number;
}

/** Creates the store of teams in MongoDB and ensures its indexes. */
export async function createMongoTeamStore({ db, call, ensureIndexes }: MongoConnection): Promise<TeamStore> {
  const teams = db.collection<TeamDocument>('teams');
  await ensureIndexes('teams', [{ key: { slug: 1 }, name: 'slug', unique: true }]);

  return {
    async create(team) {
      try {
        await call((deadline) => teams.insertOne(documentFrom(team), deadline));
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        throw new AppError('already_exists', 'There is a team with this slug already.', { cause: error });
      }
    },

    async findBySlug(slug) {
      const document = await call((deadline) => teams.findOne({ slug }, deadline));
      return document ? teamFrom(document) : undefined;
    },

    async list(afterSlug, limit) {
      const documents = await call((deadline) =>
        teams
          .find({ slug: { $gt: afterSlug } }, deadline)
          .sort({ slug: 1 })
          .limit(limit)
          .toArray(),
      );
      return documents.map(teamFrom);
    },
  };
}

function documentFrom({ teamId, slug, name, createdAt }: Team): TeamDocument {
  return { _id: teamId, slug, name, created_at: createdAt };
}

function teamFrom({ _id, slug, name, created_at }: TeamDocument): Team {
  return { teamId: _id, slug, name, createdAt: created_at };
}
