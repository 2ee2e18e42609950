import { createPermits } from '@teammemory/admission/permits.ts';
import { eventLoopTurns } from '@teammemory/async/event-loop-turns.ts';
import { AppError } from '@teammemory/errors/app-error.ts';
import type { ChangedTeams } from '../feed/changed-teams.ts';
import { type DeliveryDependencies, deliver, isDue } from './deliver.ts';
import { hasNews } from './event-body.ts';
import { maxWebhooks, type Webhook } from './webhook.ts';

/** Webhooks read at once. */
const maxPageWebhooks = 200;
/** Between two looks at the teams that are due, from the end of one to the start of the next. None due costs nothing. */
const lookPauseMs = 250;
/** Until a team is looked at again after a fault. */
const retryPauseMs = 1_000;
/** Between two looks at all webhooks, which find what a process that was killed has left. */
const passPauseMs = 30_000;
/** Webhooks that are delivered to at once. A slow receiver takes one permit, and a team few of them. */
const concurrency = { maxInAll: 200, maxPerTeam: 10 };

/** Delivers events to all webhooks that are on. Any number of processes may do so at once. */
export interface WebhookDispatcher {
  /** Begins to look again and again: at teams that changed or have a webhook to be tried again, and now and then at all. */
  start(): void;
  /** Looks at all webhooks once and begins what is due. Does not wait for receivers. */
  pass(): Promise<void>;
  /** Looks at the webhooks of teams that are due and begins what is due. Does not wait for receivers. */
  look(): Promise<void>;
  /** Makes a team due, one of whose webhooks was changed. */
  notice(teamId: string): void;
  /** Waits until nothing is under way. */
  settled(): Promise<void>;
  /** Age of the oldest event that is not delivered, seconds; 0 if there is none. As of the last pass. */
  oldestPendingSeconds(): number;
  /** Webhooks that were switched off because they failed. As of the last pass. */
  failedWebhooks(): number;
  /** Ends attempts, which are made again by whoever is next, and waits for what is running. */
  close(): Promise<void>;
}

/** Makes the dispatcher. `catchUp` makes tasks of everything written before; `onError` gets what makes a delivery end early. */
export function createWebhookDispatcher(
  dependencies: DeliveryDependencies & {
    changed: Pick<ChangedTeams, 'follow'>;
    catchUp: (teamId: string) => Promise<unknown>;
    onError: (error: unknown) => void;
  },
): WebhookDispatcher {
  const { webhooks, changed, clock, owner, onError } = dependencies;
  const closing = new AbortController();
  const permits = createPermits(concurrency, 'too many deliveries at once');
  const underWay = new Map<string, Promise<void>>();
  /** Webhooks that had nothing to tell, by id: the revision, and what was noticed of the team, when they were looked at. */
  const idle = new Map<string, { revision: number; noticed: number }>();
  /** How often a team was noticed. */
  const noticed = new Map<string, number>();
  /** When a team's webhooks are looked at next. */
  const dueMs = new Map<string, number>();
  const unfollow = changed.follow((teamIds) => teamIds.forEach(notice));
  let timer: NodeJS.Timeout | undefined;
  let passing: Promise<void> = Promise.resolve();
  let oldestPendingSeconds = 0;
  let failedWebhooks = 0;

  function notice(teamId: string): void {
    noticed.set(teamId, noticedOf(teamId) + 1);
    dueMs.set(teamId, 0);
  }

  function noticedOf(teamId: string): number {
    return noticed.get(teamId) ?? 0;
  }

  /** Makes a team due at a time, or earlier where it is already. */
  function lookAt(teamId: string, atMs: number): void {
    dueMs.set(teamId, Math.min(atMs, dueMs.get(teamId) ?? atMs));
  }

  async function deliverOne(webhook: Webhook): Promise<void> {
    const { teamId, webhookId, positions, revision } = webhook;
    const before = noticedOf(teamId);
    if (positions.tasks !== undefined) await dependencies.catchUp(teamId);
    if (await hasNews(dependencies.lists, webhook)) await deliver(dependencies, webhook, closing.signal);
    else if (noticedOf(teamId) === before) {
      idle.set(webhookId, { revision, noticed: before });
      return;
    }
    // The next look finds what came meanwhile, and when an attempt that failed is made again.
    lookAt(teamId, 0);
  }

  /** Begins to deliver, unless all permits are taken; then a later look does. */
  function begin(webhook: Webhook): void {
    const { teamId, webhookId } = webhook;
    const later = () => lookAt(teamId, clock() + retryPauseMs);
    let release: () => void;
    try {
      release = permits.acquire(webhook);
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'unavailable')) throw error;
      later();
      return;
    }
    const run = deliverOne(webhook)
      .catch((error) => {
        if (closing.signal.aborted) return;
        later();
        onError(error);
      })
      .finally(() => {
        release();
        underWay.delete(webhookId);
      });
    underWay.set(webhookId, run);
  }

  /** Begins what is due of a webhook, or notes when it is looked at again. */
  function consider(webhook: Webhook, nowMs: number): void {
    const { webhookId, teamId, pending, revision, off, nextAttemptMs, lease } = webhook;
    // Who works on it looks again afterwards.
    if (off !== undefined || underWay.has(webhookId)) return;
    const last = idle.get(webhookId);
    const isIdle = last?.revision === revision && last.noticed === noticedOf(teamId);
    if (pending === undefined && isIdle) return;
    if (isDue(webhook, owner, nowMs)) begin(webhook);
    else lookAt(teamId, Math.max(nextAttemptMs, lease?.owner === owner ? 0 : (lease?.untilMs ?? 0)));
  }

  async function look(): Promise<void> {
    const turn = eventLoopTurns();
    const nowMs = clock();
    for (const [teamId, atMs] of [...dueMs]) {
      if (atMs > nowMs) continue;
      dueMs.delete(teamId);
      try {
        for (const webhook of await webhooks.list(teamId, maxWebhooks)) consider(webhook, nowMs);
      } catch (error) {
        lookAt(teamId, nowMs + retryPauseMs);
        throw error;
      }
      await turn();
      if (closing.signal.aborted) return;
    }
  }

  async function pass(): Promise<void> {
    const turn = eventLoopTurns();
    const nowMs = clock();
    const seen = new Set<string>();
    let oldestMs = nowMs;
    await look();
    for (let page = await webhooks.allOn('', maxPageWebhooks); page.length > 0; ) {
      for (const webhook of page) {
        await turn();
        if (closing.signal.aborted) return;
        oldestMs = Math.min(oldestMs, webhook.pending?.createdAtMs ?? nowMs);
        seen.add(webhook.webhookId);
        consider(webhook, nowMs);
      }
      page = await webhooks.allOn(page.at(-1)?.webhookId ?? '', maxPageWebhooks);
    }
    for (const webhookId of idle.keys()) if (!seen.has(webhookId)) idle.delete(webhookId);
    oldestPendingSeconds = (nowMs - oldestMs) / 1_000;
    failedWebhooks = await webhooks.countFailed();
  }

  return {
    start() {
      let passedMs = Number.NEGATIVE_INFINITY;
      const next = () => {
        const isPass = clock() - passedMs >= passPauseMs;
        if (isPass) passedMs = clock();
        passing = (isPass ? pass() : look()).catch(onError);
        passing.finally(() => {
          if (!closing.signal.aborted) timer = setTimeout(next, lookPauseMs);
        });
      };
      timer = setTimeout(next, lookPauseMs);
    },
    pass,
    look,
    notice,
    async settled() {
      while (underWay.size > 0) await Promise.all(underWay.values());
    },
    oldestPendingSeconds: () => oldestPendingSeconds,
    failedWebhooks: () => failedWebhooks,
    async close() {
      closing.abort(new Error('the service is stopping'));
      unfollow();
      clearTimeout(timer);
      await passing;
      await Promise.all(underWay.values());
    },
  };
}
