import { isDuplicateKey, type MongoConnection } from '@teammemory/mongo/mongo-connection.ts';
import type { ProjectStore } from '../domain/projects/projects.ts';

interface ProjectDocument {
  _id: string;
  team_id: string;
  slug: string;
  name: string;
}

interface ItemProjectsDocument {
  /** Team and row_key in one text, so that an item cannot have two documents. */
  _id: string;
  team_id: string;
  slugs: string[];
  seq: number;
}

/** Stores projects in MongoDB, sharded by team. `ProjectStore` says what each method promises. */
export async function createMongoProjectStore(connection: MongoConnection): Promise<ProjectStore> {
  const projects = connection.db.collection<ProjectDocument>('projects');
  const itemProjects = connection.db.collection<ItemProjectsDocument>('item_projects');
  await connection.ensureIndexes('projects', [{ key: { team_id: 1, slug: 1 }, unique: true }]);
  await connection.ensureIndexes('item_projects', [{ key: { team_id: 1, slugs: 1, _id: 1 } }]);
  const countUpTo = (teamId: string, limit: number) =>
    connection.call((deadline) => projects.countDocuments({ team_id: teamId }, { ...deadline, limit }));
  return {
    async create(teamId, { slug, name }, maxProjects) {
      const document = { _id: `${teamId}\n${slug}`, team_id: teamId, slug, name };
      const known = { team_id: teamId, slug };
      if ((await connection.call((deadline) => projects.findOne(known, deadline))) !== null) return 'known';
      if ((await countUpTo(teamId, maxProjects)) === maxProjects) return 'full';
      try {
        await connection.call((deadline) => projects.insertOne(document, deadline));
      } catch (error) {
        if (isDuplicateKey(error)) return 'known';
        throw error;
      }
      // Of several that are created at once some may be too many; those are removed again.
      if ((await countUpTo(teamId, maxProjects + 1)) <= maxProjects) return 'created';
      await connection.call((deadline) => projects.deleteOne(known, deadline));
      return 'full';
    },
    async rename(teamId, { slug, name }) {
      const filter = { team_id: teamId, slug };
      const { matchedCount } = await connection.call((deadline) =>
        projects.updateOne(filter, { $set: { name } }, deadline),
      );
      return matchedCount === 1;
    },
    async remove(teamId, slug) {
      const filter = { team_id: teamId, slug };
      const { deletedCount } = await connection.call((deadline) => projects.deleteOne(filter, deadline));
      return deletedCount === 1;
    },
    async created(teamId, afterSlug, limit) {
      const filter = { team_id: teamId, slug: { $gt: afterSlug } };
      const documents = await connection.call((deadline) =>
        projects.find(filter, { ...deadline, sort: { slug: 1 }, limit }).toArray(),
      );
      return documents.map(({ slug, name }) => ({ slug, name }));
    },
    async named(teamId, afterSlug, limit) {
      const later = { $match: { slugs: { $gt: afterSlug } } };
      const stages = [
        { $match: { team_id: teamId, slugs: { $gt: afterSlug } } },
        { $unwind: '$slugs' },
        later,
        { $group: { _id: '$slugs' } },
        { $sort: { _id: 1 } },
        { $limit: limit },
      ];
      const groups = await connection.call((deadline) =>
        itemProjects.aggregate<{ _id: string }>(stages, deadline).toArray(),
      );
      return groups.map(({ _id }) => _id);
    },
    async isNamed(teamId, slug) {
      const filter = { team_id: teamId, slugs: slug };
      return (await connection.call((deadline) => itemProjects.findOne(filter, deadline))) !== null;
    },
    async naming(teamId, slug, afterRowKey, limit) {
      const filter = { team_id: teamId, slugs: slug, _id: { $gt: `${teamId}\n${afterRowKey}` } };
      const documents = await connection.call((deadline) =>
        itemProjects.find(filter, { ...deadline, sort: { _id: 1 }, limit, projection: { _id: 1 } }).toArray(),
      );
      return documents.map(({ _id }) => _id.slice(teamId.length + 1));
    },
    async uses(teamId, slugs) {
      const stages = [
        { $match: { team_id: teamId, slugs: { $in: [...slugs] } } },
        { $unwind: '$slugs' },
        { $match: { slugs: { $in: [...slugs] } } },
        { $group: { _id: '$slugs', items: { $sum: 1 }, newest: { $max: { seq: '$seq', id: '$_id' } } } },
      ];
      const groups = await connection.call((deadline) =>
        itemProjects
          .aggregate<{ _id: string; items: number; newest: { id: string } }>(stages, deadline)
          .toArray(),
      );
      return new Map(
        groups.map(({ _id, items, newest }) => [
          _id,
          { items, newestRowKey: newest.id.slice(teamId.length + 1) },
        ]),
      );
    },
    async setNamed(teamId, items) {
      const operations = items.map(({ rowKey, seq, slugs }) => ({
        updateOne: {
          filter: { _id: `${teamId}\n${rowKey}`, team_id: teamId, seq: { $lt: seq } },
          update: { $set: { slugs, seq } },
          upsert: true,
        },
      }));
      try {
        await connection.call((deadline) =>
          itemProjects.bulkWrite(operations, { ...deadline, ordered: false }),
        );
      } catch (error) {
        // The upsert of an older position collides with the document of a newer one, which stays.
        if (!isDuplicateKey(error)) throw error;
      }
      return true;
    },
  };
}
