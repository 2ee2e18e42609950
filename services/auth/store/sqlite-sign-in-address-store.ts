import { AppError } from '@teammemory/errors/app-error.ts';
import type { SqliteDatabase } from '@teammemory/sqlite/sqlite-database.ts';
import type { SignInAddress, SignInAddressStore } from '../domain/sign-in-addresses.ts';

/** The tables and indexes that `createSqliteSignInAddressStore` uses. */
export const sqliteSignInAddressSchema = `
  CREATE TABLE IF NOT EXISTS sign_in_addresses (
    team_id TEXT NOT NULL,
    address TEXT NOT NULL,
    member_id TEXT NOT NULL,
    member_handle TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (team_id, address)
  ) STRICT;`;

const columns = 'address, member_id AS memberId, member_handle AS memberHandle, created_at AS createdAt';

/** Creates the store of sign-in addresses in an SQLite file. */
export function createSqliteSignInAddressStore(database: SqliteDatabase): SignInAddressStore {
  const insert = database.prepare(
    `INSERT INTO sign_in_addresses (team_id, address, member_id, member_handle, created_at)
     VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
  );
  const selectOne = database.prepare(
    `SELECT ${columns} FROM sign_in_addresses WHERE team_id = ? AND address = ?`,
  );
  const deleteOne = database.prepare('DELETE FROM sign_in_addresses WHERE team_id = ? AND address = ?');
  const deleteOfMember = database.prepare(
    'DELETE FROM sign_in_addresses WHERE team_id = ? AND member_handle = ?',
  );
  const selectPage = database.prepare(
    `SELECT ${columns} FROM sign_in_addresses WHERE team_id = ? AND address > ? ORDER BY address LIMIT ?`,
  );

  return {
    async add(teamId, { address, memberId, memberHandle, createdAt }) {
      const { changes } = await database.write(() =>
        insert.run(teamId, address, memberId, memberHandle, createdAt),
      );
      if (changes === 0) throw new AppError('already_exists', 'The team has this address already.');
    },

    async find(teamId, address) {
      return selectOne.get(teamId, address) as SignInAddress | undefined;
    },

    async remove(teamId, address) {
      const { changes } = await database.writeWithReserve(() => deleteOne.run(teamId, address));
      return changes > 0;
    },

    async removeOfMember(teamId, memberHandle) {
      await database.writeWithReserve(() => deleteOfMember.run(teamId, memberHandle));
    },

    async list(teamId, afterAddress, limit) {
      return selectPage.all(teamId, afterAddress, limit) as unknown as SignInAddress[];
    },
  };
}
