import { createConcurrencyLimit } from '@teammemory/async/concurrency-limit.ts';
import { eventLoopTurns } from '@teammemory/async/event-loop-turns.ts';
import { AppError } from '@teammemory/errors/app-error.ts';
import type { Progress, ProgressStore } from '../feed/progress.ts';
import { type DeliveryDependencies, deliver, isDue } from './deliver.ts';
import { hasNews } from './event-body.ts';
import type { Webhook } from './webhook.ts';

/** Webhooks read at once. */
const maxPageWebhooks = 200;
/** Between two looks at all webhooks, from the end of one to the start of the next. */
const passPauseMs = 1_000;
/** A fault can hide that a team has changed, so each webhook is looked at this often whatever is known. */
const maxUnseenMs = 30_000;
/** Webhooks that are delivered to at once. A slow receiver takes one permit, and a team few of them. */
const concurrency = { maxInAll: 200, maxPerTeam: 10 };

/** Delivers events to all webhooks that are on. Any number of processes may do so at once. */
export interface WebhookDispatcher {
  /** Begins to look at all webhooks again and again. */
  start(): void;
  /** Looks at all webhooks once and begins what is due. Does not wait for receivers. */
  pass(): Promise<void>;
  /** Waits until nothing is under way. */
  settled(): Promise<void>;
  /** Age of the oldest event that is not delivered, seconds; 0 if there is none. As of the last pass. */
  oldestPendingSeconds(): number;
  /** Webhooks that were switched off because they failed. As of the last pass. */
  failedWebhooks(): number;
  /** Ends attempts, which are made again by whoever is next, and waits for what is running. */
  close(): Promise<void>;
}

/** What a look at a webhook has found. */
interface Look {
  changes: number;
  revision: number;
  atMs: number;
}

/** Makes the dispatcher. `catchUp` makes tasks of everything written before; `onError` gets what makes a delivery end early. */
export function createWebhookDispatcher(
  dependencies: DeliveryDependencies & {
    progress: ProgressStore;
    catchUp: (teamId: string) => Promise<unknown>;
    onError: (error: unknown) => void;
  },
): WebhookDispatcher {
  const { webhooks, progress, clock, owner, onError } = dependencies;
  const closing = new AbortController();
  const permits = createConcurrencyLimit(concurrency, 'too many deliveries at once');
  const underWay = new Map<string, Promise<void>>();
  /** Webhooks that had nothing to tell, by id. */
  const idle = new Map<string, Look>();
  let timer: NodeJS.Timeout | undefined;
  let passing: Promise<void> = Promise.resolve();
  let oldestPendingSeconds = 0;
  let failedWebhooks = 0;

  async function deliverOne(webhook: Webhook, changes: number): Promise<void> {
    const { teamId, webhookId, positions, revision } = webhook;
    const atMs = clock();
    if (positions.tasks !== undefined) await dependencies.catchUp(teamId);
    // What comes while an event is sent is found by the next look.
    if (await hasNews(dependencies.lists, webhook)) await deliver(dependencies, webhook, closing.signal);
    else idle.set(webhookId, { changes, revision, atMs });
  }

  /** Begins to deliver, unless all permits are taken; then a later pass does. */
  function begin(webhook: Webhook, changes: number): void {
    const { teamId, webhookId } = webhook;
    let release: () => void;
    try {
      release = permits.acquire(teamId);
    } catch (error) {
      if (error instanceof AppError && error.code === 'unavailable') return;
      throw error;
    }
    const run = deliverOne(webhook, changes)
      .catch((error) => {
        if (!closing.signal.aborted) onError(error);
      })
      .finally(() => {
        release();
        underWay.delete(webhookId);
      });
    underWay.set(webhookId, run);
  }

  async function look(): Promise<void> {
    const changesOf = new Map<string, Promise<number>>();
    const changes = (teamId: string) => {
      const known = changesOf.get(teamId) ?? progress.progress(teamId).then(sumOf);
      changesOf.set(teamId, known);
      return known;
    };
    const turn = eventLoopTurns();
    const nowMs = clock();
    const seen = new Set<string>();
    let oldestMs = nowMs;
    for (let page = await webhooks.allOn('', maxPageWebhooks); page.length > 0; ) {
      for (const webhook of page) {
        await turn();
        if (closing.signal.aborted) return;
        const { webhookId, teamId, pending, revision } = webhook;
        oldestMs = Math.min(oldestMs, pending?.createdAtMs ?? nowMs);
        seen.add(webhookId);
        if (underWay.has(webhookId) || !isDue(webhook, owner, nowMs)) continue;
        const changesNow = await changes(teamId);
        const isIdle = isSame(idle.get(webhookId), { changes: changesNow, revision, atMs: nowMs });
        if (pending === undefined && isIdle) continue;
        begin(webhook, changesNow);
      }
      page = await webhooks.allOn(page.at(-1)?.webhookId ?? '', maxPageWebhooks);
    }
    for (const webhookId of idle.keys()) if (!seen.has(webhookId)) idle.delete(webhookId);
    oldestPendingSeconds = (nowMs - oldestMs) / 1_000;
    failedWebhooks = await webhooks.countFailed();
  }

  return {
    start() {
      const next = () => {
        passing = look().catch(onError);
        passing.finally(() => {
          if (!closing.signal.aborted) timer = setTimeout(next, passPauseMs);
        });
      };
      timer = setTimeout(next, passPauseMs);
    },
    pass: look,
    async settled() {
      while (underWay.size > 0) await Promise.all(underWay.values());
    },
    oldestPendingSeconds: () => oldestPendingSeconds,
    failedWebhooks: () => failedWebhooks,
    async close() {
      closing.abort(new Error('the service is stopping'));
      clearTimeout(timer);
      await passing;
      await Promise.all(underWay.values());
    },
  };
}

/** How much has changed in a team, as one number. */
function sumOf({ itemsSeq, tasksSeq, decisionsSeq }: Progress): number {
  return itemsSeq + tasksSeq + decisionsSeq;
}

/** Whether nothing has moved since a look, and that is not long ago. */
function isSame(last: Look | undefined, now: Look): boolean {
  if (last === undefined || now.atMs - last.atMs >= maxUnseenMs) return false;
  return last.changes === now.changes && last.revision === now.revision;
}
