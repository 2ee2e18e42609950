import { AppError } from '@teammemory/errors/app-error.ts';
import type { SqliteDatabase } from '@teammemory/sqlite/sqlite-database.ts';
import type { Member, MemberStore } from '../domain/members.ts';

/** The tables and indexes that `createSqliteMemberStore` uses. */
export const sqliteMemberSchema = `
  CREATE TABLE IF NOT EXISTS members (
    member_id TEXT PRIMARY KEY,
    team_id TEXT NOT NULL,
    handle TEXT NOT NULL,
    role TEXT NOT NULL CHECK (role IN ('admin', 'member')),
    created_at INTEGER NOT NULL,
    UNIQUE (team_id, handle)
  ) STRICT;`;

const columns = 'member_id AS memberId, handle, role, created_at AS createdAt';

/** Creates the store of members in an SQLite file. */
export function createSqliteMemberStore(database: SqliteDatabase): MemberStore {
  const insert = database.prepare(
    `INSERT INTO members (team_id, member_id, handle, role, created_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT DO NOTHING`,
  );
  const selectByHandle = database.prepare(`SELECT ${columns} FROM members WHERE team_id = ? AND handle = ?`);
  const updateRole = database.prepare(
    `UPDATE members SET role = ? WHERE team_id = ? AND handle = ? RETURNING ${columns}`,
  );
  const selectAdministrator = database.prepare(
    `SELECT 1 FROM members WHERE team_id = ? AND role = 'admin' LIMIT 1`,
  );
  const remove = database.prepare('DELETE FROM members WHERE team_id = ? AND handle = ?');
  const selectPage = database.prepare(
    `SELECT ${columns} FROM members WHERE team_id = ? AND handle > ? ORDER BY handle LIMIT ?`,
  );

  return {
    async add(teamId, { memberId, handle, role, createdAt }) {
      const { changes } = await database.write(() => insert.run(teamId, memberId, handle, role, createdAt));
      if (changes === 0)
        throw new AppError('already_exists', 'The team has a member with this handle already.');
    },

    async findByHandle(teamId, handle) {
      return selectByHandle.get(teamId, handle) as Member | undefined;
    },

    async setRole(teamId, handle, role) {
      return database.writeWithReserve(() => updateRole.get(role, teamId, handle) as Member | undefined);
    },

    async hasAdministrator(teamId) {
      return selectAdministrator.get(teamId) !== undefined;
    },

    async remove(teamId, handle) {
      const { changes } = await database.writeWithReserve(() => remove.run(teamId, handle));
      return changes > 0;
    },

    async list(teamId, afterHandle, limit) {
      return selectPage.all(teamId, afterHandle, limit) as unknown as Member[];
    },
  };
}
