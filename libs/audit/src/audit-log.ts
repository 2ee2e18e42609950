import { setTimeout as delay } from 'node:timers/promises';
import { backoffMs } from '@teammemory/async/backoff.ts';
import { AppError } from '@teammemory/errors/app-error.ts';
import type { Log } from '@teammemory/log/log.ts';
import {
  type AuditDetails,
  type AuditDraft,
  type AuditEntry,
  actorName,
  entryFrom,
  genesisHash,
  reserveFor,
  type StoredAuditEntry,
  storedEntry,
} from './audit-entry.ts';
import type { AuditFilter, AuditStore, TeamAuditFilter } from './audit-store.ts';
import { pruneDraft } from './prune-entry.ts';
import { createRefusalBounds } from './refusal-bounds.ts';
import { type CheckedTo, type Verification, verifyLog } from './verify-log.ts';

/** Entries that may wait to be written; past it the store cannot keep up, and acts are refused. */
const maxWaiting = 2_000;
/** Entries written at once. */
const maxBatch = 200;
/** Other processes append too; each time one was faster, the chain is made anew behind its entries. */
const maxAttempts = 30;
const attemptPauses = { firstMs: 5, lastMs: 200 };
/** How often old entries, and the counts of refusals, are looked after. */
const housekeepingMs = 60 * 60 * 1_000;
/** A removal is an entry itself. */
const removalEveryMs = 24 * 60 * 60 * 1_000;
/** A year, and a month to look at it. */
const defaultKeptMs = 400 * 24 * 60 * 60 * 1_000;

/** What is done, as far as it is known before. */
export type Act = Omit<AuditDraft, 'outcome' | 'begun' | 'code' | 'before' | 'after'> &
  Partial<Pick<AuditDraft, 'before' | 'after'>>;

/** What is known of an act once it is done. */
export interface Done {
  teamId?: string;
  object?: string;
  after?: AuditDetails;
}

/** A call that was not allowed. */
export type RefusedCall = Pick<AuditDraft, 'teamId' | 'actor' | 'object' | 'address' | 'requestId'> & {
  code: string;
};

/** The audit log of one service. Any number of processes may write it. */
export interface AuditLog {
  /**
   * Runs an act between two entries: `begun`, without which it does not happen, and `done` or `failed`. `told` names what is
   * known only afterwards. Throws what `run` throws, and what the store throws if it cannot be noted that it begins.
   */
  act<Result>(act: Act, run: () => Promise<Result>, told?: (result: Result) => Done): Promise<Result>;
  /** Notes a call that was not allowed, without waiting. Above some in an hour they are only counted. */
  refused(call: RefusedCall): void;
  /** Entries with a higher sequence than `after`, lowest first, each with its hash and its text. */
  list(
    after: number,
    limit: number,
    filter: AuditFilter,
  ): Promise<(AuditEntry & { hash: string; text: string })[]>;
  /** Entries of a team, by their time, newest first. */
  listOfTeam(teamId: string, limit: number, filter: TeamAuditFilter): Promise<AuditEntry[]>;
  verify(after: CheckedTo | undefined): Promise<Verification>;
  /** Removes entries that are older than the log is kept, at most once a day. Runs once an hour by itself. */
  removeOld(): Promise<void>;
  /** Writes what waits. To be called before the store is closed. */
  close(): Promise<void>;
}

interface Waiting {
  draft: AuditDraft;
  resolve: (sequence: number) => void;
  reject: (error: unknown) => void;
}

/** Opens the audit log of a service. `keptMs`: how long entries are kept, unset: 400 days; `log` gets what nobody waits for. */
export function createAuditLog(options: {
  store: AuditStore;
  clock: () => number;
  keptMs?: number | undefined;
  log: Log;
}): AuditLog {
  const { store, clock, keptMs = defaultKeptMs, log } = options;
  const refusals = createRefusalBounds(clock);
  const { append, close: closeWriter } = createEntryWriter(store, clock);

  function noteRefused(call: RefusedCall, after: AuditDetails = {}): void {
    const entry = { ...call, action: 'call', outcome: 'refused', begun: null, before: {}, after } as const;
    append(entry).catch((error) => log.warn({ err: error }, 'a refused call is missing in the audit log'));
  }

  function noteFurther(): void {
    const count = refusals.takeFurther();
    if (count === 0) return;
    const nobody = {
      teamId: null,
      actor: { kind: 'anonymous', name: '' },
      address: '',
      requestId: '',
    } as const;
    noteRefused({ ...nobody, object: 'further calls', code: 'rate_limited' }, { count: String(count) });
  }

  /** Tries twice, as a disk or a database may fail once. An entry that is there although its append failed stays one. */
  async function appendEnd(entry: AuditDraft, begun: number): Promise<void> {
    try {
      await append(entry);
    } catch {
      const since = await store.list(begun, maxBatch);
      if (!since.some(({ text }) => entryFrom(text).begun === begun)) await append(entry);
    }
  }

  async function removeOld(): Promise<void> {
    const keptFrom = clock() - keptMs;
    const kept = await store.firstSince(keptFrom);
    // If all are too old the clock may be wrong; the next entry shows.
    if (kept === undefined) return;
    const { first = 1 } = (await store.bounds()) ?? {};
    const [oldest] = await store.list(first - 1, 1);
    if (oldest === undefined || oldest.at > keptFrom - removalEveryMs) return;
    // The newest that is too old stays: by its age it shows that no younger one was removed.
    const [before, stays] = await store.list(kept.sequence - 3, 2);
    // A gap stays where it is, so that it shows.
    if (before?.sequence !== kept.sequence - 2 || stays?.sequence !== kept.sequence - 1) return;
    if (stays.sequence <= first) return;
    const beginning = { first: stays.sequence, firstPreviousHash: before.hash };
    const prunedBy = await append(pruneDraft(beginning, keptMs));
    await store.removeBefore({ ...beginning, prunedBy });
  }

  const housekeeping = setInterval(() => {
    noteFurther();
    removeOld().catch((error) => log.warn({ err: error }, 'old entries of the audit log were not removed'));
  }, housekeepingMs);
  housekeeping.unref();

  return {
    async act(act, run, told = () => ({})) {
      const draft = { before: {}, after: {}, ...act, code: null };
      const begun = await append({ ...draft, outcome: 'begun', begun: null });
      const end = (entry: AuditDraft) =>
        appendEnd(entry, begun).catch((error) => {
          log.error({ err: error, begun }, 'the end of an act is missing in the audit log');
        });
      let result: Awaited<ReturnType<typeof run>>;
      try {
        result = await run();
      } catch (error) {
        const code = error instanceof AppError ? error.code : 'internal';
        await end({ ...draft, outcome: 'failed', begun, code });
        throw error;
      }
      const { after = {}, ...known } = told(result);
      await end({ ...draft, ...known, after: { ...draft.after, ...after }, outcome: 'done', begun });
      return result;
    },

    refused(call) {
      // A guest of one team must not keep what another team was refused out of the log. Who asks with a key that is none comes
      // with the gateway's own token.
      const { kind } = call.actor;
      const ofOthers = kind === 'administrator' ? 'administrators' : 'strangers';
      const room = kind === 'member' ? `team ${call.teamId}` : ofOthers;
      if (refusals.mayBeNoted(`${actorName(call.actor)} ${call.address}`, room)) noteRefused(call);
    },

    async list(after, limit, filter) {
      const entries = await store.list(after, limit, filter);
      return entries.map(({ text, hash }) => ({ ...entryFrom(text), hash, text }));
    },

    async listOfTeam(teamId, limit, filter) {
      return (await store.listOfTeam(teamId, limit, filter)).map(({ text }) => entryFrom(text));
    },

    verify: (after) => verifyLog(store, after, clock() - keptMs + removalEveryMs),
    removeOld,

    async close() {
      clearInterval(housekeeping);
      noteFurther();
      await closeWriter();
    },
  };
}

/** Appends entries to the chain, those that come at once together, in the order in which they came. */
function createEntryWriter(store: AuditStore, clock: () => number) {
  let waiting: Waiting[] = [];
  let writing: Promise<void> | undefined;
  let isClosed = false;

  function append(draft: AuditDraft): Promise<number> {
    if (isClosed || waiting.length >= maxWaiting) return Promise.reject(unavailable());
    return new Promise((resolve, reject) => {
      waiting.push({ draft, resolve, reject });
      writing ??= write();
    });
  }

  async function write(): Promise<void> {
    // What comes in the same turn is written together.
    await new Promise((resolve) => setImmediate(resolve));
    while (waiting.length > 0) {
      const batch = waiting.slice(0, maxBatch);
      waiting = waiting.slice(batch.length);
      await writeBatch(batch);
    }
    writing = undefined;
  }

  /** Appends a batch behind whatever is newest, as often as others are faster. Settles each entry of it. */
  async function writeBatch(batch: Waiting[]): Promise<void> {
    let left = batch;
    try {
      for (let attempt = 0; attempt < maxAttempts && left.length > 0; attempt++) {
        if (attempt > 0) await delay(backoffMs(attemptPauses, attempt - 1));
        const entries = chained(
          left.map(({ draft }) => draft),
          await end(),
        );
        const uses = left.map(({ draft }) => reserveFor(draft.action));
        const reserve = (['whole', 'part'] as const).find((use) => uses.includes(use)) ?? 'none';
        const appended = await store.append(entries, { reserve });
        for (const [index, { resolve }] of left.slice(0, appended).entries())
          resolve(entries[index]?.sequence ?? 0);
        left = left.slice(appended);
      }
      if (left.length > 0) throw unavailable(new Error('other processes were faster each time'));
    } catch (error) {
      for (const { reject } of left) reject(error);
    }
  }

  /** Where the log ends: at its newest entry, or, if that was cut off, where it ended before, so that the gap shows. */
  async function end(): Promise<CheckedTo> {
    const [newest, bounds] = await Promise.all([store.newest(), store.bounds()]);
    if (bounds !== undefined && bounds.last >= (newest?.sequence ?? 0))
      return { sequence: bounds.last, hash: bounds.lastHash };
    return newest ?? { sequence: 0, hash: genesisHash };
  }

  function chained(drafts: readonly AuditDraft[], { sequence, hash }: CheckedTo): StoredAuditEntry[] {
    const entries: StoredAuditEntry[] = [];
    let previousHash = hash;
    for (const [index, draft] of drafts.entries()) {
      const entry = storedEntry(draft, { sequence: sequence + 1 + index, at: clock(), previousHash });
      entries.push(entry);
      previousHash = entry.hash;
    }
    return entries;
  }

  async function close(): Promise<void> {
    isClosed = true;
    await writing;
  }

  return { append, close };
}

function unavailable(cause?: Error): AppError {
  return new AppError('unavailable', 'The audit log cannot be written right now; try again shortly.', {
    cause,
  });
}
