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

type DispatcherDependencies = DeliveryDependencies & {
  changed: Pick<ChangedTeams, 'follow'>;
  /** Makes tasks of everything written before. */
  catchUp: (teamId: string) => Promise<unknown>;
  /** Gets what makes a delivery end early. */
  onError: (error: unknown) => void;
};

/** Delivers events to all webhooks that are on. Any number of processes may do so at once. */
export class WebhookDispatcher {
  readonly #dependencies: DispatcherDependencies;
  /** Ends the attempts under way. */
  readonly #closing = new AbortController();
  readonly #permits = createPermits(concurrency, 'too many deliveries at once');
  /** Deliveries by webhook. */
  readonly #underWay = new Map<string, Promise<void>>();
  /** Webhooks that had nothing to tell, by id: the revision, and what was noticed of the team, when they were looked at. */
  readonly #idle = new Map<string, { revision: number; noticed: number }>();
  /** How often a team was noticed. */
  readonly #noticed = new Map<string, number>();
  /** When a team's webhooks are looked at next. */
  readonly #dueMs = new Map<string, number>();
  readonly #unfollow: () => void;
  /** The next look. */
  #timer: NodeJS.Timeout | undefined;
  /** The look that is under way, or the last one. */
  #passing: Promise<void> = Promise.resolve();
  #oldestPendingSeconds = 0;
  #failedWebhooks = 0;

  constructor(dependencies: DispatcherDependencies) {
    this.#dependencies = dependencies;
    this.#unfollow = dependencies.changed.follow((teamIds) => {
      for (const teamId of teamIds) this.notice(teamId);
    });
  }

  /** Begins to look again and again: at teams that changed or have a webhook to be tried again, and now and then at all. */
  start(): void {
    const { clock, onError } = this.#dependencies;
    let passedMs = Number.NEGATIVE_INFINITY;
    const next = () => {
      const isPass = clock() - passedMs >= passPauseMs;
      if (isPass) passedMs = clock();
      this.#passing = (isPass ? this.pass() : this.look()).catch(onError);
      this.#passing.finally(() => {
        if (!this.#closing.signal.aborted) this.#timer = setTimeout(next, lookPauseMs);
      });
    };
    this.#timer = setTimeout(next, lookPauseMs);
  }

  /** Looks at all webhooks once and begins what is due. Does not wait for receivers. */
  async pass(): Promise<void> {
    const { webhooks, clock } = this.#dependencies;
    const turn = eventLoopTurns();
    const nowMs = clock();
    const seen = new Set<string>();
    let oldestMs = nowMs;
    await this.look();
    for (let page = await webhooks.allOn('', maxPageWebhooks); page.length > 0; ) {
      for (const webhook of page) {
        await turn();
        if (this.#closing.signal.aborted) return;
        oldestMs = Math.min(oldestMs, webhook.pending?.createdAtMs ?? nowMs);
        seen.add(webhook.webhookId);
        this.#consider(webhook, nowMs);
      }
      page = await webhooks.allOn(page.at(-1)?.webhookId ?? '', maxPageWebhooks);
    }
    for (const webhookId of this.#idle.keys()) if (!seen.has(webhookId)) this.#idle.delete(webhookId);
    this.#oldestPendingSeconds = (nowMs - oldestMs) / 1_000;
    this.#failedWebhooks = await webhooks.countFailed();
  }

  /** Looks at the webhooks of teams that are due and begins what is due. Does not wait for receivers. */
  async look(): Promise<void> {
    const { webhooks, clock } = this.#dependencies;
    const turn = eventLoopTurns();
    const nowMs = clock();
    for (const [teamId, atMs] of [...this.#dueMs]) {
      if (atMs > nowMs) continue;
      this.#dueMs.delete(teamId);
      try {
        for (const webhook of await webhooks.list(teamId, maxWebhooks)) this.#consider(webhook, nowMs);
      } catch (error) {
        this.#lookAt(teamId, nowMs + retryPauseMs);
        throw error;
      }
      await turn();
      if (this.#closing.signal.aborted) return;
    }
  }

  /** Makes a team due, one of whose webhooks was changed. */
  notice(teamId: string): void {
    this.#noticed.set(teamId, this.#noticedOf(teamId) + 1);
    this.#dueMs.set(teamId, 0);
  }

  /** Waits until nothing is under way. */
  async settled(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay.values());
  }

  /** Age of the oldest event that is not delivered, seconds; 0 if there is none. As of the last pass. */
  oldestPendingSeconds(): number {
    return this.#oldestPendingSeconds;
  }

  /** Webhooks that were switched off because they failed. As of the last pass. */
  failedWebhooks(): number {
    return this.#failedWebhooks;
  }

  /** Ends attempts, which are made again by whoever is next, and waits for what is running. */
  async close(): Promise<void> {
    this.#closing.abort(new Error('the service is stopping'));
    this.#unfollow();
    clearTimeout(this.#timer);
    await this.#passing;
    await Promise.all(this.#underWay.values());
  }

  #noticedOf(teamId: string): number {
    return this.#noticed.get(teamId) ?? 0;
  }

  /** Makes a team due at a time, or earlier where it is already. */
  #lookAt(teamId: string, atMs: number): void {
    this.#dueMs.set(teamId, Math.min(atMs, this.#dueMs.get(teamId) ?? atMs));
  }

  async #deliver(webhook: Webhook): Promise<void> {
    const { teamId, webhookId, positions, revision } = webhook;
    const noticed = this.#noticedOf(teamId);
    if (positions.tasks !== undefined) await this.#dependencies.catchUp(teamId);
    if (await hasNews(this.#dependencies.lists, webhook))
      await deliver(this.#dependencies, webhook, this.#closing.signal);
    else if (this.#noticedOf(teamId) === noticed) {
      this.#idle.set(webhookId, { revision, noticed });
      return;
    }
    // The next look finds what came meanwhile, and when an attempt that failed is made again.
    this.#lookAt(teamId, 0);
  }

  /** Begins to deliver, unless all permits are taken; then a later look does. */
  #begin(webhook: Webhook): void {
    const { clock, onError } = this.#dependencies;
    const { teamId, webhookId } = webhook;
    const later = () => this.#lookAt(teamId, clock() + retryPauseMs);
    let release: () => void;
    try {
      release = this.#permits.acquire(webhook);
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'unavailable')) throw error;
      later();
      return;
    }
    const run = this.#deliver(webhook)
      .catch((error) => {
        if (this.#closing.signal.aborted) return;
        later();
        onError(error);
      })
      .finally(() => {
        release();
        this.#underWay.delete(webhookId);
      });
    this.#underWay.set(webhookId, run);
  }

  /** Begins what is due of a webhook, or notes when it is looked at again. */
  #consider(webhook: Webhook, nowMs: number): void {
    const { owner } = this.#dependencies;
    const { webhookId, teamId, pending, revision, off, nextAttemptMs, lease } = webhook;
    // Who works on it looks again afterwards.
    if (off !== undefined || this.#underWay.has(webhookId)) return;
    const last = this.#idle.get(webhookId);
    const isIdle = last?.revision === revision && last.noticed === this.#noticedOf(teamId);
    if (pending === undefined && isIdle) return;
    if (isDue(webhook, owner, nowMs)) this.#begin(webhook);
    else this.#lookAt(teamId, Math.max(nextAttemptMs, lease?.owner === owner ? 0 : (lease?.untilMs ?? 0)));
  }
}
