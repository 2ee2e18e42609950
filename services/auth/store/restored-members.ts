import type { MongoConnection } from '@teammemory/mongo/mongo-connection.ts';
import type { SqliteDatabase } from '@teammemory/sqlite/sqlite-database.ts';

// A backup reads keys before members. So a member who was removed in between is missing, but the member's keys come as they
// were before. They are revoked at the end of a restore, as the removal has revoked them.

const documentsPerPage = 500;

/** Revokes the keys, and removes the sign-in addresses, of members who are missing. */
export async function revokeOfMissingMembers(database: SqliteDatabase, at: number): Promise<void> {
  const isMissing = (table: string) =>
    `NOT EXISTS (SELECT 1 FROM members AS m WHERE m.member_id = ${table}.member_id AND m.team_id = ${table}.team_id)`;
  await database.write(() => {
    database
      .prepare(`UPDATE keys SET revoked_at = ? WHERE revoked_at IS NULL AND ${isMissing('keys')}`)
      .run(at);
    database.prepare(`DELETE FROM sign_in_addresses WHERE ${isMissing('sign_in_addresses')}`).run();
  });
}

/** A document that belongs to a member. */
interface OwnedDocument {
  /** Of an address it is an id that the server made. It is only compared here. */
  _id: string;
  team_id: string;
  member_id: string;
}

/** The same in MongoDB. */
export async function revokeOfMissingMembersInMongo(connection: MongoConnection, at: number): Promise<void> {
  const { db, call } = connection;
  for await (const ids of ownedByMissing(connection, 'keys')) {
    const valid = { _id: { $in: ids }, revoked_at: null };
    await call((deadline) =>
      db
        .collection<{ _id: string; revoked_at: number | null }>('keys')
        .updateMany(valid, { $set: { revoked_at: at } }, deadline),
    );
  }
  for await (const ids of ownedByMissing(connection, 'sign_in_addresses')) {
    await call((deadline) =>
      db.collection<OwnedDocument>('sign_in_addresses').deleteMany({ _id: { $in: ids } }, deadline),
    );
  }
}

/** Reads a collection page by page, and returns of each page the ids of what belongs to members who are missing. */
async function* ownedByMissing({ db, call }: MongoConnection, name: string): AsyncGenerator<string[]> {
  const owned = db.collection<OwnedDocument>(name);
  const members = db.collection<{ _id: string; team_id: string }>('members');
  for (let after: string | undefined; ; ) {
    const page = await call((deadline) =>
      owned
        .find(after === undefined ? {} : { _id: { $gt: after } }, deadline)
        .project<OwnedDocument>({ team_id: 1, member_id: 1 })
        .sort({ _id: 1 })
        .limit(documentsPerPage)
        .toArray(),
    );
    if (page.length === 0) return;
    const wanted = [...new Set(page.map(({ member_id }) => member_id))];
    const found = await call((deadline) =>
      members.find({ _id: { $in: wanted } }, { ...deadline, projection: { team_id: 1 } }).toArray(),
    );
    const present = new Set(found.map(({ _id, team_id }) => `${team_id}\n${_id}`));
    const missing = page.filter(({ team_id, member_id }) => !present.has(`${team_id}\n${member_id}`));
    if (missing.length > 0) yield missing.map(({ _id }) => _id);
    after = page.at(-1)?._id;
  }
}
