import { backoffMs } from '@teammemory/async/backoff.ts';
import type { Cursors } from '../feed/cursor.ts';
import { eventBody, type FollowedLists, nextEvent } from './event-body.ts';
import type { SendEvent, SendResult } from './send-event.ts';
import { eventId, signedHeaders } from './sign-event.ts';
import {
  changeWebhook,
  type Delivery,
  listsOf,
  maxDeliveries,
  type PendingEvent,
  secretsAt,
  switchedOff,
  type Webhook,
  type WebhookList,
  type WebhookStore,
} from './webhook.ts';

/** Pauses between attempts: from seconds, for a receiver that restarts, to an hour. */
const retryPauses = { firstMs: 5_000, lastMs: 60 * 60 * 1_000 };
/** A webhook that has failed for so long is switched off. */
const maxFailingMs = 24 * 60 * 60 * 1_000;
/** Changes of one list within this time are told by one event. */
const eventPauseMs = 1_000;
/** Longer than an attempt and what is stored around it; after that another process takes over. */
const leaseMs = 30_000;

/** What delivering needs. */
export interface DeliveryDependencies {
  webhooks: WebhookStore;
  lists: FollowedLists;
  cursors: Cursors;
  send: SendEvent;
  /** Milliseconds since the epoch. */
  clock: () => number;
  /** Names this process among those that share the database; the same after a restart if there is only one. */
  owner: string;
  /** Is called after each attempt. */
  onAttempt: (result: SendResult) => void;
  /** Is called when a webhook was switched off because its receiver is gone or has failed for a day. */
  onOff: (webhook: Webhook) => void | Promise<void>;
}

/**
 * Tells the receiver of a webhook what is new in each list that it follows: an event a list at most. Does nothing if another
 * process works on it, if it is off, or if its next attempt is later. A process that ends in between leaves the event that
 * it was sending, which is sent again under the same id.
 * @throws AppError `unavailable`; the reason of `signal`.
 */
export async function deliver(
  dependencies: DeliveryDependencies,
  { teamId, webhookId }: Pick<Webhook, 'teamId' | 'webhookId'>,
  signal: AbortSignal,
): Promise<void> {
  const { webhooks, clock, owner } = dependencies;
  const change = (to: (webhook: Webhook) => Webhook | undefined) =>
    changeWebhook(webhooks, teamId, webhookId, to);
  const mine = await change((stored) => leased(stored, owner, clock()));
  if (mine === undefined) return;
  try {
    await deliverLists(dependencies, mine, signal);
  } finally {
    await change((stored) => released(stored, owner, clock()));
  }
}

/** Delivers what is new in each list in turn, the one whose event is stored already first. Ends where an attempt fails. */
async function deliverLists(
  dependencies: DeliveryDependencies,
  mine: Webhook,
  signal: AbortSignal,
): Promise<void> {
  const first = mine.pending?.list;
  const others = listsOf(mine).filter((list) => list !== first);
  let webhook: Webhook | undefined = mine;
  for (const list of first === undefined ? others : [first, ...others]) {
    webhook = await deliverList(dependencies, webhook, list, signal);
    if (webhook === undefined || webhook.failing !== undefined || webhook.off !== undefined) return;
  }
}

/** Delivers what is new in one list. Returns the webhook as it is now; undefined if it is not ours any more. */
async function deliverList(
  dependencies: DeliveryDependencies,
  webhook: Webhook,
  list: WebhookList,
  signal: AbortSignal,
): Promise<Webhook | undefined> {
  const { webhooks, lists, clock, owner, send } = dependencies;
  const { teamId, webhookId } = webhook;
  const event = webhook.pending ?? (await nextEvent(lists, webhook, list, clock()));
  if (event === undefined) return webhook;
  const started = await changeWebhook(webhooks, teamId, webhookId, (stored) =>
    begun(stored, event, owner, clock()),
  );
  if (started === undefined) return undefined;
  const body = await eventBody(dependencies, started, event);
  const id = eventId(started, event);
  const nowMs = clock();
  const headers = signedHeaders({ id, body }, secretsAt(started, nowMs), nowMs);
  const result = await send({ url: started.url, headers, body, signal });
  dependencies.onAttempt(result);
  const ended = await changeWebhook(webhooks, teamId, webhookId, (stored) =>
    isSame(stored.pending, event) && stored.url === started.url ? after(stored, result, clock()) : undefined,
  );
  if (ended?.off !== undefined && started.off === undefined) await dependencies.onOff(ended);
  return ended;
}

/** Returns the webhook for this process alone; undefined if there is nothing to do now, or another process does it. */
function leased(webhook: Webhook, owner: string, nowMs: number): Webhook | undefined {
  if (!isDue(webhook, owner, nowMs)) return undefined;
  return { ...webhook, lease: { owner, untilMs: nowMs + leaseMs } };
}

/** Whether a process may work on a webhook now. */
export function isDue({ off, nextAttemptMs, lease }: Webhook, owner: string, nowMs: number): boolean {
  if (off !== undefined || nextAttemptMs > nowMs) return false;
  return lease === undefined || lease.owner === owner || lease.untilMs <= nowMs;
}

function released({ lease, ...webhook }: Webhook, owner: string, nowMs: number): Webhook | undefined {
  if (lease?.owner !== owner) return undefined;
  return { ...webhook, nextAttemptMs: Math.max(webhook.nextAttemptMs, nowMs + eventPauseMs) };
}

/** Returns the webhook with the event that is sent next; undefined if it was changed so that the event is no longer due. */
function begun(webhook: Webhook, event: PendingEvent, owner: string, nowMs: number): Webhook | undefined {
  const { lease, off, pending, positions } = webhook;
  if (lease?.owner !== owner || off !== undefined) return undefined;
  if (pending === undefined ? positions[event.list] !== event.afterMs : !isSame(pending, event))
    return undefined;
  return { ...webhook, pending: event, lease: { owner, untilMs: nowMs + leaseMs } };
}

/** Returns the webhook after an attempt. */
function after(before: Webhook, result: SendResult, nowMs: number): Webhook {
  const webhook = withDelivery(before, result, nowMs);
  const { pending, failing, ...rest } = webhook;
  if (result.outcome === 'delivered') {
    const positions =
      pending === undefined ? rest.positions : { ...rest.positions, [pending.list]: pending.untilMs };
    return { ...rest, positions, lastDeliveryMs: nowMs };
  }
  const failed = { ...webhook, lastError: { text: result.text, atMs: nowMs } };
  if (result.outcome === 'gone') return switchedOff(failed, 'gone', nowMs);
  const sinceMs = failing?.sinceMs ?? nowMs;
  const attempts = failing?.attempts ?? 0;
  const endMs = sinceMs + maxFailingMs;
  if (nowMs >= endMs) return switchedOff(failed, 'failed', nowMs);
  const pauseMs = Math.round(Math.max(backoffMs(retryPauses, attempts), result.retryAfterMs ?? 0));
  return {
    ...failed,
    failing: { sinceMs, attempts: attempts + 1 },
    // The last attempt is when the day is over.
    nextAttemptMs: Math.min(nowMs + pauseMs, endMs),
  };
}

/** Returns the webhook with the attempt in its last deliveries; another attempt of the same event is counted there. */
function withDelivery(webhook: Webhook, { outcome, text }: SendResult, atMs: number): Webhook {
  const { pending, deliveries = [] } = webhook;
  if (pending === undefined) return webhook;
  const id = eventId(webhook, pending);
  const others = deliveries.filter((each) => each.eventId !== id);
  const known = deliveries.find((each) => each.eventId === id);
  const delivery: Delivery = {
    eventId: id,
    list: pending.list,
    atMs,
    attempts: (known?.attempts ?? 0) + 1,
    isDelivered: outcome === 'delivered',
    text,
  };
  return { ...webhook, deliveries: [delivery, ...others].slice(0, maxDeliveries) };
}

function isSame(left: PendingEvent | undefined, right: PendingEvent): boolean {
  if (left === undefined) return false;
  return left.list === right.list && left.afterMs === right.afterMs && left.untilMs === right.untilMs;
}
