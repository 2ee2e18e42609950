import type { MongoConnection } from '@teammemory/mongo/mongo-connection.ts';
import type { CodebaseStore, StoredCodebase } from '../domain/codebases.ts';
import { putDocument } from './mongo-documents.ts';

interface CodebaseDocument {
  /** The codebase's id. */
  _id: string;
  team_id: string;
  slug: string;
  full_name: string;
  provider: string;
  created_at: number;
  updated_at: number;
}

/** Creates the store of codebases in MongoDB and ensures its indexes. */
export async function createMongoCodebaseStore(connection: MongoConnection): Promise<CodebaseStore> {
  const { db, call } = connection;
  const codebases = db.collection<CodebaseDocument>('codebases');
  await connection.ensureIndexes('codebases', [{ key: { team_id: 1, slug: 1 }, name: 'slug', unique: true }]);

  return {
    async put(teamId, { codebaseId, slug, fullName, provider }, { at, maxOfTeam }) {
      const key = { team_id: teamId, slug };
      if ((await call((deadline) => codebases.findOne(key, deadline))) === null) {
        const ofTeam = { team_id: teamId };
        const rows = await call((deadline) =>
          codebases.countDocuments(ofTeam, { limit: maxOfTeam, ...deadline }),
        );
        if (rows === maxOfTeam) return undefined;
      }
      return putDocument(connection, codebases, key, {
        $set: { full_name: fullName, provider, updated_at: at },
        $setOnInsert: { _id: codebaseId, created_at: at },
      });
    },

    async find(teamId, slug) {
      const document = await call((deadline) => codebases.findOne({ team_id: teamId, slug }, deadline));
      return document === null ? undefined : codebaseFrom(document);
    },

    async list(teamId, afterSlug, limit) {
      const filter = { team_id: teamId, slug: { $gt: afterSlug } };
      const documents = await call((deadline) =>
        codebases.find(filter, deadline).sort({ slug: 1 }).limit(limit).toArray(),
      );
      return documents.map(codebaseFrom);
    },
  };
}

function codebaseFrom({ _id, slug, full_name, provider }: CodebaseDocument): StoredCodebase {
  return { codebaseId: _id, slug, fullName: full_name, provider };
}
