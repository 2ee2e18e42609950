import { setTimeout as delay } from 'node:timers/promises';
import { type Backoff, backoffMs } from '@teammemory/async/backoff.ts';
import type { AppError } from '@teammemory/errors/app-error.ts';
import type { IndexHost } from '../index/index-host.ts';
import { EmbeddingFailure } from './embedding-model.ts';
import {
  type EmbeddingDependencies,
  forgetOtherDimension,
  isOverCap,
  type RestingMembers,
  reconcileEmbeddings,
} from './embedding-reconciliation.ts';

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
