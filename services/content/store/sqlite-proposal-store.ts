import type { SqliteDatabase } from '@teammemory/sqlite/sqlite-database.ts';
import { fitting, type ProposalFilter, type ProposalStore } from '../domain/proposals/proposal.ts';
import { proposalFromStored, proposalTable, type StoredProposal, storedProposal } from './stored-proposal.ts';

/** The table of proposals. Runs on every start. */
export const sqliteProposalSchema = `
  CREATE TABLE IF NOT EXISTS proposals (
    team_id TEXT NOT NULL,
    proposal_id TEXT NOT NULL,
    place TEXT NOT NULL,
    state TEXT NOT NULL,
    member_id TEXT NOT NULL,
    proposed_by TEXT NOT NULL,
    key_id TEXT NOT NULL,
    by_guest INTEGER NOT NULL,
    row_key TEXT NOT NULL,
    tier TEXT NOT NULL,
    proposed_at INTEGER NOT NULL,
    title TEXT NOT NULL,
    checksum TEXT NOT NULL,
    base_checksum TEXT,
    bytes INTEGER NOT NULL,
    item TEXT,
    decided_by TEXT,
    decided_at INTEGER,
    reason TEXT,
    edited INTEGER,
    PRIMARY KEY (team_id, proposal_id)
  ) STRICT;
  CREATE INDEX IF NOT EXISTS proposals_by_change ON proposals (team_id, place);
  CREATE INDEX IF NOT EXISTS proposals_by_state ON proposals (team_id, state, place);
  CREATE INDEX IF NOT EXISTS proposals_of_member ON proposals (team_id, member_id, place);
  CREATE INDEX IF NOT EXISTS proposals_waiting ON proposals (team_id, member_id, by_guest, row_key, bytes)
    WHERE state = 'waiting';
  CREATE INDEX IF NOT EXISTS proposals_declined ON proposals (team_id, member_id, by_guest, row_key, checksum)
    WHERE state = 'declined';
  CREATE INDEX IF NOT EXISTS proposals_decided ON proposals (decided_at) WHERE decided_at IS NOT NULL;
`;

const columns = Object.keys(proposalTable.fields);
/** Lists leave out the texts. */
const shortColumns = columns.filter((column) => column !== 'item').join(', ');
const byProposer = 'team_id = ? AND member_id = ? AND by_guest = ?';
const ofProposer = `${byProposer} AND state = 'waiting'`;

/** Stores proposals in SQLite. `ProposalStore` says what each method promises. */
export function createSqliteProposalStore(database: SqliteDatabase): ProposalStore {
  const one = database.prepare(
    `SELECT ${columns.join(', ')} FROM proposals WHERE team_id = ? AND proposal_id = ?`,
  );
  const ofRow = database.prepare(`SELECT ${shortColumns} FROM proposals WHERE ${ofProposer} AND row_key = ?`);
  const ofText = database.prepare(
    `SELECT ${shortColumns} FROM proposals
     WHERE ${byProposer} AND state = 'declined' AND row_key = ? AND checksum = ? AND tier = ? LIMIT 1`,
  );
  const sizes = database.prepare(`SELECT row_key, bytes FROM proposals WHERE ${ofProposer}`);
  const insert = database.prepare(
    `INSERT INTO proposals (${columns.join(', ')}) VALUES (${columns.map((column) => `:${column}`).join(', ')})`,
  );
  const removeOfRow = database.prepare(`DELETE FROM proposals WHERE ${ofProposer} AND row_key = ?`);
  const remove = database.prepare('DELETE FROM proposals WHERE team_id = ? AND proposal_id = ?');
  const withdraw = database.prepare(
    `DELETE FROM proposals WHERE team_id = ? AND proposal_id = ? AND state = 'waiting'`,
  );
  const countProposed = database.prepare(
    'SELECT count(*) AS found FROM proposals WHERE team_id = ? AND proposed_by = ?',
  );
  const reasonsOf = `team_id = ? AND decided_by = ? AND reason <> ''`;
  const countReasons = database.prepare(`SELECT count(*) AS found FROM proposals WHERE ${reasonsOf}`);
  const eraseProposed = database.prepare('DELETE FROM proposals WHERE team_id = ? AND proposed_by = ?');
  const eraseReasons = database.prepare(`UPDATE proposals SET reason = '' WHERE ${reasonsOf}`);
  const removeOld = database.prepare(
    `DELETE FROM proposals WHERE rowid IN (
       SELECT rowid FROM proposals WHERE decided_at IS NOT NULL AND decided_at < ? LIMIT ?)`,
  );
  const add = (stored: StoredProposal) => insert.run({ ...stored });
  const fromRow = (row: unknown) => proposalFromStored(row as StoredProposal);
  return {
    async waiting(teamId, { memberId, byGuest }, rowKeys) {
      const proposer = [teamId, memberId, byGuest ? 1 : 0] as const;
      const rows = rowKeys.map((rowKey) => ofRow.get(...proposer, rowKey)).filter((row) => row !== undefined);
      return new Map(rows.map(fromRow).map((proposal) => [proposal.rowKey, proposal]));
    },
    async declined(teamId, { memberId, byGuest }, texts) {
      const proposer = [teamId, memberId, byGuest ? 1 : 0] as const;
      const rows = texts.map(({ rowKey, checksum, tier }) => ofText.get(...proposer, rowKey, checksum, tier));
      return rows.filter((row) => row !== undefined).map(fromRow);
    },
    propose: (teamId, { memberId, byGuest }, proposals, share) =>
      database.write(() => {
        const proposer = [teamId, memberId, byGuest ? 1 : 0] as const;
        const rows = sizes.all(...proposer) as unknown as StoredProposal[];
        const known = new Map(rows.map(({ row_key, bytes }) => [row_key, bytes]));
        const stored = fitting(known, proposals, share);
        for (const proposal of stored) {
          removeOfRow.run(...proposer, proposal.rowKey);
          add(storedProposal(teamId, proposal));
        }
        return new Set(proposals.filter((each) => !stored.includes(each)).map(({ rowKey }) => rowKey));
      }),
    async find(teamId, proposalId) {
      const row = one.get(teamId, proposalId);
      return row === undefined ? undefined : fromRow(row);
    },
    async list(teamId, filter, { before, limit }) {
      const conditions = [...conditionsOf(filter), ['team_id', '=', teamId] as const];
      if (before !== undefined) conditions.push(['place', '<', before]);
      const where = conditions.map(([column, is]) => `${column} ${is} ?`).join(' AND ');
      const page = database.prepare(
        `SELECT ${shortColumns} FROM proposals WHERE ${where} ORDER BY place DESC LIMIT ?`,
      );
      return page.all(...conditions.map(([, , value]) => value), limit).map(fromRow);
    },
    // Decisions free what the texts took, so they go on while the disk is full.
    decide: (teamId, proposal, from) =>
      database.writeWithReserve(() => {
        const stored = one.get(teamId, proposal.proposalId) as unknown as StoredProposal | undefined;
        if (stored === undefined || !from.includes(stored.state)) return false;
        remove.run(teamId, proposal.proposalId);
        add(storedProposal(teamId, proposal));
        return true;
      }, 'part'),
    withdraw: (teamId, proposalId) =>
      database.writeWithReserve(() => withdraw.run(teamId, proposalId).changes === 1, 'part'),
    async countOf(teamId, handle) {
      return {
        proposals: countProposed.get(teamId, handle)?.found as number,
        reasons: countReasons.get(teamId, handle)?.found as number,
      };
    },
    async eraseOf(teamId, handle) {
      await database.writeWithReserve(() => {
        eraseProposed.run(teamId, handle);
        eraseReasons.run(teamId, handle);
      });
      await database.scrub();
    },
    removeDecided: (beforeMs, limit) =>
      database.writeWithReserve(() => Number(removeOld.run(beforeMs, limit).changes)),
  };
}

function conditionsOf({ state, memberId, guestsOnly }: ProposalFilter) {
  const conditions: (readonly [column: string, is: '=' | '<', value: string | number])[] = [];
  if (state !== undefined) conditions.push(['state', '=', state]);
  if (memberId !== undefined) conditions.push(['member_id', '=', memberId]);
  if (guestsOnly) conditions.push(['by_guest', '=', 1]);
  return conditions;
}
