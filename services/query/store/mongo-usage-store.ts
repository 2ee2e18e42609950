import { AppError } from '@teammemory/errors/app-error.ts';
import { type Deadline, isDuplicateKey, type MongoConnection } from '@teammemory/mongo/mongo-connection.ts';
import type { TokenUsage, UsageTotal } from '../domain/usage.ts';
import type { CapRefusal, Caps, Limits, Reservation, UsageStore } from '../domain/usage-store.ts';
import { createTurns } from './take-turns.ts';

/** Tries to reserve before a day that always changes in between is given up. */
const attemptsMax = 10;

/** A reservation as it stands in the day that it counts on. */
interface OpenEntry {
  id: string;
  member_id: string;
  model: string;
  input_tokens: number;
  output_tokens: number;
  amount: number;
  expires_at: number;
}

interface ModelEntry {
  model: string;
  calls: number;
  input_tokens: number;
  output_tokens: number;
  cost: number;
}

/** Names one document: a team's day, or a member's. */
interface Account {
  team_id: string;
  day: string;
  scope: keyof Caps;
  /** Empty for the team itself, and for calls in its name. */
  member_id: string;
}

interface AccountDocument extends Account {
  /** Micro-dollars, open reservations included. */
  spent: number;
  open: OpenEntry[];
  models: ModelEntry[];
}

/**
 * Opens the store of usage in MongoDB, ensuring its indexes. A reservation
 * stands in two documents, the member's day and the team's; each changes in one
 * guarded update together with its sum, so any step can be repeated, and what a
 * crash leaves half done is an entry that expires.
 */
export async function openMongoUsageStore({ db, call, ensureIndexes }: MongoConnection): Promise<UsageStore> {
  const accounts = db.collection<AccountDocument>('usage');
  // All calls of a team change one document. Those of this process take turns, or the server would make each try again
  // while others change it.
  const inTurn = createTurns();
  await ensureIndexes('usage', [
    { key: { team_id: 1, day: 1, scope: 1, member_id: 1 }, name: 'account', unique: true },
    { key: { team_id: 1, 'open.expires_at': 1 }, name: 'expiry' },
  ]);

  /** Makes the document and its entry for the model, where they are missing. */
  async function prepare(account: Account, model: string, deadline: Deadline): Promise<void> {
    const empty = { $setOnInsert: { spent: 0, open: [], models: [] } };
    await accounts.updateOne(account, empty, { upsert: true, ...deadline }).catch((error: unknown) => {
      // Another process made it at the same moment.
      if (!isDuplicateKey(error, 'account')) throw error;
    });
    const zero = { model, calls: 0, input_tokens: 0, output_tokens: 0, cost: 0 };
    const lacking = { ...account, 'models.model': { $ne: model } };
    await accounts.updateOne(lacking, { $push: { models: zero } }, deadline);
  }

  /** Whether there is no room already, so that the many that are past a cap cost a look each and no write. */
  async function refusalIn(
    account: Account,
    amount: number,
    limits: Limits,
    deadline: Deadline,
  ): Promise<CapRefusal | undefined> {
    const { scope } = account;
    const options = { projection: { spent: 1 }, readConcern: { level: 'local' }, ...deadline } as const;
    const spent = (await accounts.findOne(account, options))?.spent ?? 0;
    return spent + amount > limits[scope] ? { scope, spent } : undefined;
  }

  /** Reserves in one of the two documents. */
  async function reserveIn(
    account: Account,
    reservation: Reservation,
    limits: Limits,
    deadline: Deadline,
  ): Promise<CapRefusal | undefined> {
    const { scope } = account;
    const { amount, model } = reservation;
    const hasRoom = {
      ...account,
      spent: { $lte: limits[scope] - amount },
      'models.model': model,
      [`open.${limits.open - 1}`]: { $exists: false },
    };
    const entry = { $inc: { spent: amount }, $push: { open: openEntry(reservation) } };
    for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
      if ((await accounts.updateOne(hasRoom, entry, deadline)).matchedCount === 1) return undefined;
      // What the update saw; a majority may not have it yet.
      const found = await accounts.findOne(account, { readConcern: { level: 'local' }, ...deadline });
      const spent = found?.spent ?? 0;
      if (spent + amount > limits[scope]) return { scope, spent };
      if (found?.models.some((total) => total.model === model) !== true)
        await prepare(account, model, deadline);
      else if (found.open.length >= limits.open) break;
    }
    throw new AppError('unavailable', 'Too many calls to models are under way.');
  }

  /** Takes a reservation out of the documents where it still stands, leaving `cost` of it spent. */
  async function close(
    teamId: string,
    reservation: Reservation,
    cost: number,
    used?: TokenUsage,
  ): Promise<void> {
    const { id, model, amount } = reservation;
    const counted = used && {
      'models.$[entry].calls': 1,
      'models.$[entry].input_tokens': used.inputTokens,
      'models.$[entry].output_tokens': used.outputTokens,
      'models.$[entry].cost': cost,
    };
    const update = { $inc: { spent: cost - amount, ...counted }, $pull: { open: { id } } };
    const arrayFilters = used && { arrayFilters: [{ 'entry.model': model }] };
    const closeBoth = (deadline: Deadline) =>
      Promise.all(
        accountsOf(teamId, reservation).map((account) =>
          accounts.updateOne({ ...account, 'open.id': id }, update, { ...arrayFilters, ...deadline }),
        ),
      );
    await inTurn(teamId, () => call(closeBoth));
  }

  return {
    async reserve(teamId, reservation, limits) {
      const [member, team] = accountsOf(teamId, reservation);
      const { amount } = reservation;
      let mayStand = false;
      const reserveInBoth = async (deadline: Deadline) => {
        const refused =
          (await refusalIn(member, amount, limits, deadline)) ??
          (await refusalIn(team, amount, limits, deadline));
        if (refused !== undefined) return refused;
        mayStand = true;
        return (
          (await reserveIn(member, reservation, limits, deadline)) ??
          (await reserveIn(team, reservation, limits, deadline))
        );
      };
      try {
        const refusal = await inTurn(teamId, () => call(reserveInBoth));
        if (refusal?.scope === 'team' && mayStand) await close(teamId, reservation, 0);
        return refusal;
      } catch (error) {
        // What an update that did not answer has done is not known; where this fails too, the entry expires.
        if (mayStand) await close(teamId, reservation, 0).catch(() => undefined);
        throw error;
      }
    },

    settle: (teamId, reservation, usage, cost) => close(teamId, reservation, cost, usage),

    release: (teamId, reservation) => close(teamId, reservation, 0),

    async expired(teamId, now, limit) {
      const isExpired = { 'open.expires_at': { $lte: now } };
      const entries = await call((deadline) =>
        accounts
          .aggregate<{ day: string; open: OpenEntry }>(
            [
              { $match: { team_id: teamId, ...isExpired } },
              { $project: { day: 1, open: 1 } },
              { $unwind: '$open' },
              { $match: isExpired },
              { $sort: { 'open.expires_at': 1, 'open.id': 1 } },
              // Each stands in two documents, or in one where its process died between them.
              { $limit: 2 * limit },
            ],
            deadline,
          )
          .toArray(),
      );
      const found = new Map(entries.map(({ day, open }) => [open.id, reservationOf(day, open)]));
      return [...found.values()].slice(0, limit);
    },

    async totals(teamId, { from, to, after, limit }) {
      const rows = await call((deadline) =>
        accounts
          .aggregate<UsageTotal>(
            [
              { $match: { team_id: teamId, day: { $gte: from, $lte: to }, scope: 'member' } },
              { $unwind: '$models' },
              { $match: { 'models.calls': { $gt: 0 }, ...behind(after) } },
              { $sort: { day: 1, member_id: 1, 'models.model': 1 } },
              { $limit: limit },
              { $project: totalFields },
            ],
            deadline,
          )
          .toArray(),
      );
      return rows;
    },
  };
}

const totalFields = {
  _id: 0,
  day: 1,
  memberId: '$member_id',
  model: '$models.model',
  calls: '$models.calls',
  inputTokens: '$models.input_tokens',
  outputTokens: '$models.output_tokens',
  cost: '$models.cost',
} as const;

function behind(after: { day: string; memberId: string; model: string } | undefined) {
  if (after === undefined) return {};
  const { day, memberId, model } = after;
  const later = [
    { day: { $gt: day } },
    { day, member_id: { $gt: memberId } },
    { day, member_id: memberId, 'models.model': { $gt: model } },
  ];
  return { $or: later };
}

/** The days that a reservation counts on, in the order in which their caps are asked. */
function accountsOf(team_id: string, { day, memberId }: Reservation): [member: Account, team: Account] {
  return [
    { team_id, day, scope: 'member', member_id: memberId },
    { team_id, day, scope: 'team', member_id: '' },
  ];
}

function openEntry({ id, memberId, model, worstCase, amount, expiresAt }: Reservation): OpenEntry {
  const { inputTokens: input_tokens, outputTokens: output_tokens } = worstCase;
  return { id, member_id: memberId, model, input_tokens, output_tokens, amount, expires_at: expiresAt };
}

function reservationOf(day: string, entry: OpenEntry): Reservation {
  const { id, member_id: memberId, model, amount, expires_at: expiresAt } = entry;
  const worstCase = { inputTokens: entry.input_tokens, outputTokens: entry.output_tokens };
  return { id, day, memberId, model, worstCase, amount, expiresAt };
}
