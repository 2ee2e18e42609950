import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '@teammemory/errors/app-error.ts';
import type { IndexHost } from '../index/index-host.ts';
import { type RetryWaits, retryWaitMs } from '../waiting/retry-wait.ts';
import { EmbeddingFailure } from './embedding-failure.ts';
import {
  type EmbeddingParts,
  forgetOtherDimension,
  reconcileEmbeddings,
} from './embedding-reconciliation.ts';

/** Items of one team before another has its turn, fewer where they are large: their vectors are read at once. */
const itemsPerTurn = 64;
const passagesPerTurn = 256;
/** Teams that wait for their turn; the next question or refresh brings back one that found no room. */
const maxWaitingTeams = 10_000;
/** After a call that failed. */
export const embeddingRetryWaits: RetryWaits = { firstMs: 1_000, lastMs: 5 * 60_000 };

/** Gives passages their vectors, in the background. */
export interface EmbeddingWorker {
  /** Has the team's items looked after that wait for it, unless the money of its day is used up. */
  wake(teamId: string): void;
  /** Breaks off what is under way. To be called once. */
  close(): Promise<void>;
}

/**
 * Makes a worker, which has one call to the model under way at a time and gives
 * teams turns. A call that fails is tried again, later and later up to five
 * minutes. A team that has reached its cap waits for the next day.
 * Only indexes that are in memory get vectors; `report` is told what
 * the operator should know; `clock` is milliseconds since the epoch.
 */
export function createEmbeddingWorker(
  parts: EmbeddingParts & {
    host: IndexHost;
    report: (failure: unknown) => void;
    clock: () => number;
    retryWaits?: RetryWaits;
  },
): EmbeddingWorker {
  const { host, report, clock, retryWaits = embeddingRetryWaits } = parts;
  const closing = new AbortController();
  const waiting = new Set<string>();
  /** Teams that wait for the next day. */
  const resting = new Map<string, NodeJS.Timeout>();
  let running: Promise<void> | undefined;
  let failures = 0;

  function wake(teamId: string): void {
    if (closing.signal.aborted || resting.has(teamId) || waiting.size >= maxWaitingTeams) return;
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
      await forgetOtherDimension(parts.embedder, { host, teamId });
      const work = await host.takeEmbeddingWork(teamId, { items: itemsPerTurn, passages: passagesPerTurn });
      if (work === undefined || work.rowKeys.length === 0) return false;
      rowKeys = work.rowKeys;
      await reconcileEmbeddings(work, parts, { teamId, host, signal: closing.signal });
      failures = 0;
    } catch (error) {
      await host.addToBacklog(teamId, rowKeys).catch(report);
      if (error instanceof AppError && error.code === 'daily_cap_exceeded') restUntilTomorrow(teamId, error);
      else await waitAfter(error);
    }
    return true;
  }

  function restUntilTomorrow(teamId: string, { dailyCap }: AppError): void {
    const resume = () => {
      resting.delete(teamId);
      wake(teamId);
    };
    resting.set(teamId, setTimeout(resume, Math.max(0, (dailyCap?.resetAt ?? 0) - clock())).unref());
  }

  async function waitAfter(error: unknown): Promise<void> {
    if (closing.signal.aborted) return;
    // The embedder tells of the model's failures itself.
    if (!(error instanceof EmbeddingFailure)) report(error);
    const asked = error instanceof EmbeddingFailure ? (error.retryAfterMs ?? 0) : 0;
    const waitMs = Math.max(Math.min(asked, retryWaits.lastMs), retryWaitMs(retryWaits, failures));
    failures += 1;
    await delay(waitMs, undefined, { signal: closing.signal }).catch(() => undefined);
  }

  return {
    wake,
    async close() {
      closing.abort();
      for (const timer of resting.values()) clearTimeout(timer);
      await running;
    },
  };
}
