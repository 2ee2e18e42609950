import { AppError } from '@teammemory/errors/app-error.ts';
import type { SqliteDatabase } from '@teammemory/sqlite/sqlite-database.ts';
import type { Invitation, InvitationStore } from '../domain/invitations.ts';

/** The tables and indexes that `createSqliteInvitationStore` uses. */
export const sqliteInvitationSchema = `
  CREATE TABLE IF NOT EXISTS invitations (
    invitation_id TEXT PRIMARY KEY,
    team_id TEXT NOT NULL,
    team_slug TEXT NOT NULL,
    role TEXT NOT NULL,
    tier TEXT NOT NULL,
    access TEXT NOT NULL,
    maker_id TEXT NOT NULL,
    maker_handle TEXT NOT NULL,
    maker_key_id TEXT NOT NULL,
    secret_hash TEXT NOT NULL,
    tried_names INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS invitations_of_team ON invitations (team_id, created_at, invitation_id);
  CREATE INDEX IF NOT EXISTS invitations_by_expiry ON invitations (expires_at);`;

/** Rows that one new invitation clears away: it keeps up with any rate of new ones, and stays a short write. */
const maxExpiredRemoved = 100;

const columns = `invitation_id AS invitationId, team_id AS teamId, team_slug AS teamSlug, role, tier, access,
  maker_id AS makerId, maker_handle AS makerHandle, maker_key_id AS makerKeyId, created_at AS createdAt,
  expires_at AS expiresAt`;

/** Creates the store of invitations in an SQLite file. */
export function createSqliteInvitationStore(database: SqliteDatabase): InvitationStore {
  const insert = database.prepare(
    `INSERT INTO invitations (team_id, invitation_id, team_slug, role, tier, access, maker_id, maker_handle,
       maker_key_id, secret_hash, tried_names, created_at, expires_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?) ON CONFLICT DO NOTHING`,
  );
  const deleteExpired = database.prepare(
    `DELETE FROM invitations WHERE invitation_id IN (
       SELECT invitation_id FROM invitations WHERE expires_at <= ? LIMIT ${maxExpiredRemoved})`,
  );
  const selectById = database.prepare(
    `SELECT ${columns}, secret_hash AS secretHash FROM invitations WHERE invitation_id = ?`,
  );
  const selectOpen = database.prepare(
    `SELECT ${columns} FROM invitations WHERE team_id = ? AND expires_at > ?
     ORDER BY created_at DESC, invitation_id DESC LIMIT ?`,
  );
  const updateNames = database.prepare(
    `UPDATE invitations SET tried_names = tried_names + 1
     WHERE team_id = ? AND invitation_id = ? AND tried_names < ? RETURNING tried_names AS names`,
  );
  const deleteOne = database.prepare('DELETE FROM invitations WHERE team_id = ? AND invitation_id = ?');
  const deleteOfKey = database.prepare('DELETE FROM invitations WHERE team_id = ? AND maker_key_id = ?');
  const deleteOfMember = database.prepare('DELETE FROM invitations WHERE team_id = ? AND maker_handle = ?');

  return {
    async create(teamId, { invitation, secretHash }) {
      const { invitationId, teamSlug, role, tier, access, createdAt, expiresAt } = invitation;
      const { makerId, makerHandle, makerKeyId } = invitation;
      const isNew = await database.write(() => {
        const { changes } = insert.run(
          ...[teamId, invitationId, teamSlug, role, tier, access, makerId, makerHandle, makerKeyId],
          ...[secretHash, createdAt, expiresAt],
        );
        if (changes === 0) return false;
        deleteExpired.run(createdAt);
        return true;
      });
      if (!isNew) throw new AppError('already_exists', 'There is an invitation with this id already.');
    },

    async findById(invitationId) {
      const row = selectById.get(invitationId) as (Invitation & { secretHash: string }) | undefined;
      if (row === undefined) return undefined;
      const { secretHash, ...invitation } = row;
      return { invitation, secretHash };
    },

    async list(teamId, at, limit) {
      return selectOpen.all(teamId, at, limit) as unknown as Invitation[];
    },

    async countName(teamId, invitationId, maxNames) {
      const row = await database.write(() => updateNames.get(teamId, invitationId, maxNames));
      return (row as { names: number } | undefined)?.names;
    },

    async take(teamId, invitationId) {
      const { changes } = await database.writeWithReserve(() => deleteOne.run(teamId, invitationId));
      return changes > 0;
    },

    async removeOfKey(teamId, keyId) {
      await database.writeWithReserve(() => deleteOfKey.run(teamId, keyId));
    },

    async removeOfMember(teamId, memberHandle) {
      await database.writeWithReserve(() => deleteOfMember.run(teamId, memberHandle));
    },
  };
}
