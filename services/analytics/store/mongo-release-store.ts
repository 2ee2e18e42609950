import { isDuplicateKey, type MongoConnection } from '@teammemory/mongo/mongo-connection.ts';
import type { Release } from '../domain/disclosure.ts';
import { maxReleases, type ReleaseStore } from '../domain/disclosure.ts';
import { releaseFromJson, releasesPerRead, releaseToJson } from './stored-rows.ts';

interface ReleaseDocument {
  /** Team and number in one text: of two that add the same number one fails. */
  _id: string;
  team_id: string;
  number: number;
  json: string;
}

/** Creates the store of releases in MongoDB and ensures its indexes. */
export async function createMongoReleaseStore(connection: MongoConnection): Promise<ReleaseStore> {
  const { db, call } = connection;
  const releases = db.collection<ReleaseDocument>('rollup_releases');
  await connection.ensureIndexes('rollup_releases', [
    { key: { team_id: 1, number: 1 }, name: 'number', unique: true },
  ]);

  return {
    async all(teamId) {
      const kept: Release[] = [];
      for (let newest = 0; ; ) {
        const later = { team_id: teamId, number: { $gt: newest } };
        const documents = await call((deadline) =>
          releases.find(later, deadline).sort({ number: 1 }).limit(releasesPerRead).toArray(),
        );
        kept.push(...documents.map(({ json }) => releaseFromJson(json)));
        newest = documents.at(-1)?.number ?? newest;
        if (documents.length < releasesPerRead) return { releases: kept, newest };
      }
    },

    async add(teamId, newest, release) {
      const number = newest + 1;
      const document = { _id: `${teamId}\n${number}`, team_id: teamId, number, json: releaseToJson(release) };
      try {
        await call((deadline) => releases.insertOne(document, deadline));
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
      const old = { team_id: teamId, number: { $lte: number - maxReleases } };
      await call((deadline) => releases.deleteMany(old, deadline));
      return true;
    },
  };
}
