import { randomBytes, randomUUID } from 'node:crypto';
import { AppError } from '@teammemory/errors/app-error.ts';
import type { Tier } from '@teammemory/vocabulary/tier.ts';

/** The lists that a webhook may follow. */
export const webhookLists = ['items', 'tasks', 'decisions'] as const;
export type WebhookList = (typeof webhookLists)[number];

/** More would multiply every change of a team. */
export const maxWebhooks = 20;
/** Longer texts are not addresses. */
export const maxUrlCharacters = 2_048;
/** How long the secret before the present one signs too, if a rotation says nothing else. */
export const defaultOverlapMs = 24 * 60 * 60 * 1_000;
export const maxOverlapMs = 7 * defaultOverlapMs;
/** Bytes of a secret, as many as the hash has; Standard Webhooks asks for 24 to 64. */
const secretBytes = 32;
/** What every secret begins with. */
export const secretPrefix = 'whsec_';
/** How often a change is tried again because another process changed the same webhook. */
const maxAttempts = 20;

/**
 * Changes that one event tells of: those of a list with times after `afterMs` and up to `untilMs`. Stored before the event is
 * sent, so that it is repeated under the same id if nobody knows whether it arrived.
 */
export interface PendingEvent {
  list: WebhookList;
  afterMs: number;
  untilMs: number;
  /** When the event was made. */
  createdAtMs: number;
}

/** Deliveries that a webhook keeps: enough to see what a receiver does, in a row that is read with every look. */
export const maxDeliveries = 10;

/** An event, and how its attempts went. */
export interface Delivery {
  eventId: string;
  list: WebhookList;
  /** When the last attempt ended. */
  atMs: number;
  attempts: number;
  isDelivered: boolean;
  /** How the last attempt ended, in words. */
  text: string;
}

/** Why a webhook is off: an administrator said so, its receiver answered 410, or it failed for a day. */
export type OffReason = 'administrator' | 'gone' | 'failed';

/** A URL of a team that gets an event when its lists change. All times are milliseconds since the epoch. */
export interface Webhook {
  webhookId: string;
  teamId: string;
  /** Events name the team by it. */
  teamSlug: string;
  url: string;
  /** Whose view of the lists it follows. */
  tier: Tier;
  /** Of each list that it follows: the time in the feed of its tier up to which events were delivered. */
  positions: Partial<Record<WebhookList, number>>;
  /** What events are signed with, `whsec_…`. Receivers check signatures with it, so it is stored readable. */
  secret: string;
  /** The secret before, which signs too until its end. */
  previousSecret?: { secret: string; untilMs: number };
  createdAtMs: number;
  /** Replays so far. A part of the id of events, so that receivers do not drop a replay as known. */
  replays: number;
  /** Absent: it is on. */
  off?: { reason: OffReason; atMs: number };
  pending?: PendingEvent;
  /** Attempts that failed since one succeeded. */
  failing?: { sinceMs: number; attempts: number };
  /** No attempt is made before. */
  nextAttemptMs: number;
  lastDeliveryMs?: number;
  lastError?: { text: string; atMs: number };
  /** The last events, at most `maxDeliveries`, newest first. Absent: none. */
  deliveries?: Delivery[];
  /** The process that works on it, and until when no other does. */
  lease?: { owner: string; untilMs: number };
  /** Rises with every change. */
  revision: number;
}

/** Stores webhooks. Every method throws AppError `unavailable` when the database cannot be reached in time. */
export interface WebhookStore {
  /** Stores a new webhook, unless the team has `max` of them. */
  create(teamId: string, webhook: Webhook, max: number): Promise<'created' | 'full'>;
  find(teamId: string, webhookId: string): Promise<Webhook | undefined>;
  /** Returns the webhooks of a team, by id, and no more than `limit`. */
  list(teamId: string, limit: number): Promise<Webhook[]>;
  /** Replaces a webhook if the stored one has the revision before; returns whether it did. */
  replace(teamId: string, webhook: Webhook): Promise<boolean>;
  /** Returns whether there was one. */
  remove(teamId: string, webhookId: string): Promise<boolean>;
  /** Returns the webhooks of all teams that are on, by id, after one; '' begins with the first. */
  allOn(afterWebhookId: string, limit: number): Promise<Webhook[]>;
  /** Returns how many webhooks of all teams are off, whatever the reason but an administrator's word. */
  countFailed(): Promise<number>;
}

/** What an administrator says about a new webhook. */
export interface NewWebhook {
  teamId: string;
  teamSlug: string;
  url: string;
  tier: Tier;
  /** Where it begins in each list that it follows. */
  positions: Webhook['positions'];
}

/** Returns a new webhook, which is on. */
export function newWebhook(wanted: NewWebhook, nowMs: number): Webhook {
  return {
    ...wanted,
    webhookId: randomUUID(),
    secret: newSecret(),
    createdAtMs: nowMs,
    replays: 0,
    nextAttemptMs: 0,
    revision: 1,
  };
}

/** Returns a new secret in the form of Standard Webhooks 1.0: `whsec_` and base64. */
export function newSecret(): string {
  return secretPrefix + randomBytes(secretBytes).toString('base64');
}

/** Returns the lists that a webhook follows, in their order. */
export function listsOf({ positions }: Pick<Webhook, 'positions'>): WebhookList[] {
  return webhookLists.filter((list) => positions[list] !== undefined);
}

/** Returns the secrets that sign at a time, the present one first. */
export function secretsAt({ secret, previousSecret }: Webhook, nowMs: number): string[] {
  if (previousSecret === undefined || previousSecret.untilMs <= nowMs) return [secret];
  return [secret, previousSecret.secret];
}

/** Returns the webhook with a new secret; the one before signs too for `overlapMs`. */
export function withNewSecret(webhook: Webhook, overlapMs: number, nowMs: number): Webhook {
  const { previousSecret: _, ...rest } = webhook;
  const secret = newSecret();
  if (overlapMs === 0) return { ...rest, secret };
  return { ...rest, secret, previousSecret: { secret: webhook.secret, untilMs: nowMs + overlapMs } };
}

/** Returns the webhook without what failed so far: it is tried again at once. */
export function triedAgain({ failing: _failing, off: _off, ...webhook }: Webhook): Webhook {
  return { ...webhook, nextAttemptMs: 0 };
}

/** Returns the webhook after it was switched off. What it did not deliver waits until it is on again. */
export function switchedOff({ failing: _, ...webhook }: Webhook, reason: OffReason, atMs: number): Webhook {
  return { ...webhook, off: { reason, atMs } };
}

/** Returns the webhook without an event of its own, if that is of one of the lists. */
export function withoutPending(webhook: Webhook, lists: readonly WebhookList[]): Webhook {
  const { pending, ...rest } = webhook;
  return pending !== undefined && lists.includes(pending.list) ? rest : webhook;
}

/**
 * Changes a stored webhook. `change` may be called again, with what another process has made of it; undefined changes
 * nothing. Returns what was stored; undefined if there is no such webhook or nothing to change.
 * @throws AppError `unavailable`.
 */
export async function changeWebhook(
  store: WebhookStore,
  teamId: string,
  webhookId: string,
  change: (webhook: Webhook) => Webhook | undefined,
): Promise<Webhook | undefined> {
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const stored = await store.find(teamId, webhookId);
    const changed = stored === undefined ? undefined : change(stored);
    if (stored === undefined || changed === undefined) return undefined;
    const next = { ...changed, revision: stored.revision + 1 };
    if (await store.replace(teamId, next)) return next;
  }
  throw new AppError('unavailable', 'Too many changes of one webhook at once; try again shortly.');
}
