import { createKeyedMutex } from '@teammemory/async/keyed-mutex.ts';
import { AppError } from '@teammemory/errors/app-error.ts';
import { type Deadline, isDuplicateKey, type MongoConnection } from '@teammemory/mongo/mongo-connection.ts';
import type {
  CapRefusal,
  Caps,
  Limits,
  Reservation,
  TokenUsage,
  UsageStore,
  UsageTotal,
} from '../domain/spending/usage-store.ts';

/** Tries to reserve before a day that always changes in between is given up. */
const maxAttempts = 10;

/** For its turn: who asks has gone by then, while the charges of calls that have ended go on waiting. */
const maxWaitMs = 30_000;
/** Charges of one team that may wait; beyond it the store cannot keep up. */
const maxWaiting = 5_000;

/** The state of an account that decides whether it takes one more reservation. */
interface Standing {
  /** Micro-dollars, open reservations included. */
  spent: number;
  /** Whether the document is there, with an entry for the model. */
  isPrepared: boolean;
  /** Whether as many reservations are open as may be. */
  isFull: boolean;
}

/**
 * Opens the store of usage in MongoDB, ensuring its indexes. A reservation
 * stands in two documents, the member's day and the team's; each changes in one
 * guarded update together with its sum, so any step can be repeated, and what a
 * crash leaves half done is an entry that expires.
 */
export async function createMongoUsageStore({
  db,
  call,
  ensureIndexes,
}: MongoConnection): Promise<UsageStore> {
  const accounts = db.collection<AccountDocument>('usage');
  // All calls of a team change one document. Those of this process take turns, or the server would make each try again
  // while others change it.
  const exclusively = createKeyedMutex({
    maxWaiting,
    refusal: 'Too much is waiting to be charged; try again shortly.',
  });
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

  /** Returns a document as updates see it; a majority may not have it yet. */
  async function look(
    account: Account,
    { model }: Reservation,
    limits: Limits,
    deadline: Deadline,
  ): Promise<Standing> {
    const found = await accounts.findOne(account, {
      // Only the last open entry is fetched, because there can be thousands.
      projection: { spent: 1, 'models.model': 1, open: { $slice: [limits.open - 1, 1] } },
      readConcern: { level: 'local' },
      ...deadline,
    });
    return {
      spent: found?.spent ?? 0,
      isPrepared: found?.models.some((entry) => entry.model === model) === true,
      isFull: found?.open.length === 1,
    };
  }

  /** Reserves in one of the two documents, of which `seen` was the last look. */
  async function reserveIn(
    account: Account,
    seen: Standing,
    reservation: Reservation,
    limits: Limits,
    deadline: Deadline,
  ): Promise<CapRefusal | undefined> {
    const { amount, model } = reservation;
    const hasRoom = {
      ...account,
      spent: { $lte: limits[account.scope] - amount },
      'models.model': model,
      [`open.${limits.open - 1}`]: { $exists: false },
    };
    const entry = { $inc: { spent: amount }, $push: { open: openEntry(reservation) } };
    let standing = seen;
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const refusal = refusalOf(account, standing, amount, limits);
      if (refusal !== undefined) return refusal;
      if (!standing.isPrepared) await prepare(account, model, deadline);
      else if (standing.isFull) break;
      if ((await accounts.updateOne(hasRoom, entry, deadline)).matchedCount === 1) return undefined;
      standing = await look(account, reservation, limits, deadline);
    }
    throw new AppError('unavailable', 'Too many calls to models are under way.');
  }

  /**
   * Removes a reservation from the documents that still have it and leaves `cost` of it as spent. Returns whether the
   * member's document had it.
   */
  async function close(
    teamId: string,
    reservation: Reservation,
    cost: number,
    used?: TokenUsage,
  ): Promise<boolean> {
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
    const [ofMember] = await exclusively(teamId, () => call(closeBoth));
    return ofMember?.matchedCount === 1;
  }

  return {
    async reserve(teamId, reservation, limits) {
      const [member, team] = accountsOf(teamId, reservation);
      const { amount } = reservation;
      let mayStand = false;
      const reserveInBoth = async (deadline: Deadline) => {
        const [ofMember, ofTeam] = await Promise.all([
          look(member, reservation, limits, deadline),
          look(team, reservation, limits, deadline),
        ]);
        // The many that are past a cap cost a look and no write.
        const refused =
          refusalOf(member, ofMember, amount, limits) ?? refusalOf(team, ofTeam, amount, limits);
        if (refused !== undefined) return refused;
        mayStand = true;
        return (
          (await reserveIn(member, ofMember, reservation, limits, deadline)) ??
          (await reserveIn(team, ofTeam, reservation, limits, deadline))
        );
      };
      try {
        const refusal = await exclusively(teamId, () => call(reserveInBoth), maxWaitMs);
        if (refusal?.scope === 'team' && mayStand) await close(teamId, reservation, 0);
        return refusal;
      } catch (error) {
        // The effect of an update without an answer is unknown. If this fails too, the entry expires.
        if (mayStand) await close(teamId, reservation, 0).catch(() => undefined);
        throw error;
      }
    },

    settle: (teamId, reservation, usage, cost) => close(teamId, reservation, cost, usage),

    async release(teamId, reservation) {
      await close(teamId, reservation, 0);
    },

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

    async totals(teamId, { from, to, memberId, after, limit }) {
      const ofMember = memberId === undefined ? {} : { member_id: memberId };
      const rows = await call((deadline) =>
        accounts
          .aggregate<UsageTotal>(
            [
              { $match: { team_id: teamId, day: { $gte: from, $lte: to }, scope: 'member', ...ofMember } },
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

    async standing(teamId, day, memberId) {
      const scope = memberId === undefined ? 'team' : 'member';
      const account = { team_id: teamId, day, scope, member_id: memberId ?? '' } as const;
      const found = await call((deadline) =>
        accounts.findOne(account, { projection: { spent: 1, 'open.amount': 1 }, ...deadline }),
      );
      if (found === null) return { spent: 0, reserved: 0 };
      const reserved = found.open.reduce((sum, { amount }) => sum + amount, 0);
      return { spent: found.spent - reserved, reserved };
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

/** The refusal of an account that an amount would take past its cap. */
function refusalOf(
  { scope }: Account,
  { spent }: Standing,
  amount: number,
  limits: Limits,
): CapRefusal | undefined {
  return spent + amount > limits[scope] ? { scope, spent } : undefined;
}

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

/** Spending of a day, settled and reserved. */
export interface AccountDocument extends Account {
  /** Micro-dollars, open reservations included. */
  spent: number;
  open: OpenEntry[];
  models: ModelEntry[];
}

/** The days that a reservation counts on, in the order in which their caps are asked. */
function accountsOf(team_id: string, { day, memberId }: Reservation): [member: Account, team: Account] {
  return [
    { team_id, day, scope: 'member', member_id: memberId },
    { team_id, day, scope: 'team', member_id: '' },
  ];
}

/** A reservation as it is stored. */
function openEntry({ id, memberId, model, worstCase, amount, expiresAt }: Reservation): OpenEntry {
  const { inputTokens: input_tokens, outputTokens: output_tokens } = worstCase;
  return { id, member_id: memberId, model, input_tokens, output_tokens, amount, expires_at: expiresAt };
}

/** A stored reservation of a day. */
function reservationOf(day: string, entry: OpenEntry): Reservation {
  const { id, member_id: memberId, model, amount, expires_at: expiresAt } = entry;
  const worstCase = { inputTokens: entry.input_tokens, outputTokens: entry.output_tokens };
  return { id, day, memberId, model, worstCase, amount, expiresAt };
}
