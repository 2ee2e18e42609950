import { setTimeout as delay } from 'node:timers/promises';
import { type Backoff, backoffMs } from '@teammemory/async/backoff.ts';
import { AppError } from '@teammemory/errors/app-error.ts';
import type { EmbeddingWork, IndexHost, UnembeddedPassage } from '../index/index-host.ts';
import type { PassageStore } from '../passages/passage-store.ts';
import type { Payer } from '../spending/spending.ts';
import { type Embedder, EmbeddingFailure, embeddingBatches } from './embedder.ts';
import {
  type EmbeddingPlace,
  type EmbeddingStore,
  embeddingDigest,
  embeddingText,
} from './embedding-store.ts';

/** Items of one team before another has its turn, fewer where they are large: their vectors are read at once. */
const itemsPerTurn = 64;
const passagesPerTurn = 256;
/** Teams that wait for their turn; the next question or refresh brings back one that found no room. */
const maxWaitingTeams = 10_000;
/** After a call that failed. */
const embeddingRetryWaits: Backoff = { firstMs: 1_000, lastMs: 5 * 60_000 };

/** The part of a team's work that waits for the next day: some members' items, or everything if `isWhole`. */
interface Rest {
  isWhole: boolean;
  /** One for each who spent all that a day allows. */
  members: Set<string>;
  timer: NodeJS.Timeout;
}

/** Embeds passages in the background. */
export interface EmbeddingWorker {
  /** Has the team's items looked after that wait for it, unless the money of its day is used up. */
  wake(teamId: string): void;
  /** Breaks off what is under way. To be called once. */
  close(): Promise<void>;
}

/**
 * Makes a worker, which has one call to the model under way at a time and gives
 * teams turns. A call that fails is tried again, later and later up to five
 * minutes. A team that has reached its cap waits for the next day; of a member
 * who has reached theirs, what they wrote waits alone.
 * Only indexes that are in memory get vectors; `report` is told what
 * the operator should know; `clock` is milliseconds since the epoch.
 */
export function createEmbeddingWorker(
  dependencies: EmbeddingDependencies & {
    host: IndexHost;
    report: (failure: unknown) => void;
    clock: () => number;
    retryWaits?: Backoff;
  },
): EmbeddingWorker {
  const { host, report, clock, retryWaits = embeddingRetryWaits } = dependencies;
  const closing = new AbortController();
  const waiting = new Set<string>();
  const resting = new Map<string, Rest>();
  let running: Promise<void> | undefined;
  let failures = 0;

  function wake(teamId: string): void {
    if (closing.signal.aborted || resting.get(teamId)?.isWhole || waiting.size >= maxWaitingTeams) return;
    waiting.add(teamId);
    running ??= run();
  }

  async function run(): Promise<void> {
    // A Set gives what is added while it is gone through, so teams take turns.
    for (const teamId of waiting) {
      if (closing.signal.aborted) break;
      waiting.delete(teamId);
      if (await turnOf(teamId)) wake(teamId);
    }
    running = undefined;
  }

  /** Works on some items of a team; returns whether there may be more. */
  async function turnOf(teamId: string): Promise<boolean> {
    let rowKeys: readonly string[] = [];
    try {
      // A question may have been the first to show that the model gives other vectors now.
      await forgetOtherDimension(dependencies.embedder, { host, teamId });
      const work = await host.takeEmbeddingWork(teamId, { items: itemsPerTurn, passages: passagesPerTurn });
      if (work === undefined || work.rowKeys.length === 0) return false;
      rowKeys = work.rowKeys;
      const turn = { teamId, host, resting: restingMembers(teamId), signal: closing.signal };
      await reconcileEmbeddings(work, dependencies, turn);
      failures = 0;
    } catch (error) {
      await host.addToBacklog(teamId, rowKeys).catch(report);
      if (isOverCap(error)) restOf(teamId, error).isWhole = true;
      else await waitAfter(error);
    }
    return true;
  }

  function restingMembers(teamId: string): RestingMembers {
    return {
      has: (memberId) => resting.get(teamId)?.members.has(memberId) ?? false,
      add: (memberId, refusal) => void restOf(teamId, refusal).members.add(memberId),
    };
  }

  /** The team's rest, which ends with the day of the refusal. */
  function restOf(teamId: string, { dailyCap }: AppError): Rest {
    return resting.getOrInsertComputed(teamId, () => {
      const waitMs = Math.max(0, (dailyCap?.resetAt ?? 0) - clock());
      const timer = setTimeout(() => void resume(teamId), waitMs).unref();
      return { isWhole: false, members: new Set(), timer };
    });
  }

  async function resume(teamId: string): Promise<void> {
    resting.delete(teamId);
    // Items of members over their caps were taken out of the backlog, so that other members' items are found in it.
    await host.refillBacklog(teamId).catch(report);
    wake(teamId);
  }

  async function waitAfter(error: unknown): Promise<void> {
    if (closing.signal.aborted) return;
    // The embedder tells of the model's failures itself.
    if (!(error instanceof EmbeddingFailure)) report(error);
    const asked = error instanceof EmbeddingFailure ? (error.retryAfterMs ?? 0) : 0;
    const waitMs = Math.max(Math.min(asked, retryWaits.lastMs), backoffMs(retryWaits, failures));
    failures += 1;
    await delay(waitMs, undefined, { signal: closing.signal }).catch(() => undefined);
  }

  return {
    wake,
    async close() {
      closing.abort();
      for (const { timer } of resting.values()) clearTimeout(timer);
      await running;
    },
  };
}

/** A passage on a slow machine takes half a second, so a batch of 32 is given four times as long. */
const batchTimeoutMs = 60_000;

/**
 * Calls that the server may refuse one after the other before it is taken to refuse everything: to find two
 * bad texts in a batch of 32 takes seven.
 */
const maxRefusalsInARow = 16;

/** What reconciling vectors with passages depends on. */
export interface EmbeddingDependencies {
  embeddings: EmbeddingStore;
  embedder: Embedder;
  /** Who wrote what is embedded, and pays for it. */
  passages: Pick<PassageStore, 'writersOf'>;
}

/** Members whose money of the day is used up. */
interface RestingMembers {
  has(memberId: string): boolean;
  /** `refusal` is that of a call at the member's expense. */
  add(memberId: string, refusal: AppError): void;
}

/** A team whose passages get vectors, where, and until when. */
interface EmbeddingTurn {
  teamId: string;
  host: IndexHost;
  resting: RestingMembers;
  signal: AbortSignal;
}

/** A text that needs a vector, and the passages of its item that have this text: mostly one. */
interface WantedText extends EmbeddingPlace {
  text: string;
  passages: UnembeddedPassage[];
}

/**
 * Makes the stored vectors of some items, and those in the index, fit their
 * present passages: removes those of texts that are gone, takes over what is
 * stored, embeds what is missing, and stores it. The member who wrote an item
 * pays, and the team with them; the team alone where the writer is not known.
 * Of members whose money is used up what is missing is left out.
 *
 * Interrupted anywhere it can be repeated; what was stored is not embedded
 * again. Processes that do this for the same items at once may embed a text
 * twice, and leave the same rows.
 *
 * @throws what `Embedder.embed` throws, but for members' caps; AppError `unavailable`.
 */
export async function reconcileEmbeddings(
  { rowKeys, passages, writers: ofDecisions, dimension }: EmbeddingWork,
  dependencies: EmbeddingDependencies,
  turn: EmbeddingTurn,
): Promise<void> {
  const { teamId } = turn;
  const stored = await dependencies.embeddings.ofItems(teamId, rowKeys);
  const wanted = wantedTexts(passages);
  const gone = stored.filter((embedding) => !wanted.has(keyOf(embedding)));
  if (gone.length > 0) await dependencies.embeddings.remove(teamId, gone);
  await forgetOtherDimension(dependencies.embedder, turn);
  const taken: VectorOfText[] = [];
  for (const { model, vector, ...place } of stored) {
    const entry = wanted.get(keyOf(place));
    const fits = vector.length === (dependencies.embedder.dimension() ?? (dimension || vector.length));
    if (entry === undefined || model !== dependencies.embedder.model || !fits) continue;
    taken.push({ entry, vector });
    wanted.delete(keyOf(place));
  }
  await putInto(turn, taken);
  if (wanted.size === 0) return;
  const writers = new Map([...(await dependencies.passages.writersOf(teamId, rowKeys)), ...ofDecisions]);
  const byWriter = Map.groupBy(wanted.values(), ({ rowKey }) => writers.get(rowKey));
  for (const [writerId, texts] of byWriter) {
    if (writerId === undefined) await embedFor({ teamId }, texts, dependencies, turn);
    else await embedForMember(writerId, texts, dependencies, turn);
  }
}

/** Embeds texts as far as the member's cap allows. */
async function embedForMember(
  memberId: string,
  texts: readonly WantedText[],
  dependencies: EmbeddingDependencies,
  turn: EmbeddingTurn,
): Promise<void> {
  const { teamId, resting } = turn;
  if (resting.has(memberId)) return;
  try {
    await embedFor({ teamId, memberId }, texts, dependencies, turn);
  } catch (error) {
    if (!isOverCap(error) || error.dailyCap?.scope !== 'member') throw error;
    resting.add(memberId, error);
  }
}

async function embedFor(
  payer: Payer,
  texts: readonly WantedText[],
  dependencies: EmbeddingDependencies,
  turn: EmbeddingTurn,
): Promise<void> {
  for (const batch of embeddingBatches(texts)) await embedBatch(batch, payer, dependencies, turn);
}

/** Returns whether an error says that a cap on spending is reached. */
function isOverCap(error: unknown): error is AppError {
  return error instanceof AppError && error.code === 'daily_cap_exceeded';
}

function wantedTexts(passages: readonly UnembeddedPassage[]): Map<string, WantedText> {
  const wanted = new Map<string, WantedText>();
  for (const passage of passages) {
    const text = embeddingText(passage);
    const place = { rowKey: passage.rowKey, digest: embeddingDigest(text) };
    wanted.getOrInsertComputed(keyOf(place), () => ({ ...place, text, passages: [] })).passages.push(passage);
  }
  return wanted;
}

function keyOf({ rowKey, digest }: EmbeddingPlace): string {
  return digest + rowKey;
}

/**
 * Has all vectors of an index made anew where they are of another dimension than
 * those that the model gives now, for a server may change under the same name.
 */
async function forgetOtherDimension(
  embedder: Embedder,
  { host, teamId }: Pick<EmbeddingTurn, 'host' | 'teamId'>,
): Promise<void> {
  const dimension = embedder.dimension();
  if (dimension !== undefined) await host.forgetVectors(teamId, dimension);
}

/**
 * Embeds and stores a batch. Where the server refuses the texts, or takes too
 * long for them, it is tried in halves, so that a slow server gets ahead, and one
 * text which it cannot take does not keep the others out; that one stays without
 * a vector while the index is in memory. So is one that does not fit below a
 * cap: what is left of the day's money may be enough for some of its texts.
 */
async function embedBatch(
  batch: readonly WantedText[],
  payer: Payer,
  dependencies: EmbeddingDependencies,
  turn: EmbeddingTurn,
): Promise<void> {
  const { embeddings, embedder } = dependencies;
  const { teamId, signal } = turn;
  const texts = batch.map(({ text }) => text);
  let vectors: readonly Float32Array[];
  try {
    vectors = await embedder.embed(texts, { payer, timeoutMs: batchTimeoutMs, signal });
  } catch (error) {
    const isFailure = error instanceof EmbeddingFailure;
    const mayBeTooMuch = isFailure ? error.refused || error.timedOut : isOverCap(error);
    if (!mayBeTooMuch) throw error;
    if (batch.length > 1) {
      const middle = batch.length >> 1;
      await embedBatch(batch.slice(0, middle), payer, dependencies, turn);
      await embedBatch(batch.slice(middle), payer, dependencies, turn);
      return;
    }
    if (!isFailure || error.timedOut || embedder.refusalsInARow() > maxRefusalsInARow) throw error;
    return;
  }
  const made = batch.flatMap((entry, place) => {
    const vector = vectors[place];
    return vector ? [{ entry, vector }] : [];
  });
  const { model } = embedder;
  await embeddings.save(
    teamId,
    made.map(({ entry: { rowKey, digest }, vector }) => ({ rowKey, digest, model, vector })),
  );
  await forgetOtherDimension(embedder, turn);
  await putInto(turn, made);
}

interface VectorOfText {
  entry: WantedText;
  vector: Float32Array;
}

async function putInto({ host, teamId }: EmbeddingTurn, vectors: readonly VectorOfText[]): Promise<void> {
  const entries = vectors.flatMap(({ entry, vector }) =>
    entry.passages.map(({ rowKey, seq, ordinal }) => ({ place: { rowKey, seq, ordinal }, vector })),
  );
  if (entries.length > 0) await host.embed(teamId, entries);
}
