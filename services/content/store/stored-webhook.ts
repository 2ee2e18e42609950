import type { Delivery, Webhook } from '../domain/webhooks/webhook.ts';

/**
 * A webhook as both engines store it. Times are milliseconds since the epoch. The secrets are readable, because receivers
 * check signatures with the same ones.
 */
export interface StoredWebhook {
  webhook_id: string;
  team_id: string;
  team_slug: string;
  url: string;
  tier: Webhook['tier'];
  positions: Webhook['positions'];
  secret: string;
  previous_secret?: { secret: string; until: number };
  created_at: number;
  replays: number;
  off?: { reason: NonNullable<Webhook['off']>['reason']; at: number };
  pending?: {
    list: NonNullable<Webhook['pending']>['list'];
    after: number;
    until: number;
    created_at: number;
  };
  failing?: { since: number; attempts: number };
  next_attempt: number;
  last_delivery?: number;
  last_error?: { text: string; at: number };
  deliveries?: StoredDelivery[];
  lease?: { owner: string; until: number };
  revision: number;
}

interface StoredDelivery {
  event_id: string;
  list: Delivery['list'];
  at: number;
  attempts: number;
  delivered: boolean;
  text: string;
}

function storedDelivery({ eventId, list, atMs, attempts, isDelivered, text }: Delivery): StoredDelivery {
  return { event_id: eventId, list, at: atMs, attempts, delivered: isDelivered, text };
}

function deliveryFromStored({ event_id, list, at, attempts, delivered, text }: StoredDelivery): Delivery {
  return { eventId: event_id, list, atMs: at, attempts, isDelivered: delivered, text };
}

/** Returns a webhook as it is stored; what is unset is left out. */
export function storedWebhook(webhook: Webhook): StoredWebhook {
  const { previousSecret, off, pending, failing, lastDeliveryMs, lastError, deliveries, lease } = webhook;
  return {
    webhook_id: webhook.webhookId,
    team_id: webhook.teamId,
    team_slug: webhook.teamSlug,
    url: webhook.url,
    tier: webhook.tier,
    positions: webhook.positions,
    secret: webhook.secret,
    ...(previousSecret && {
      previous_secret: { secret: previousSecret.secret, until: previousSecret.untilMs },
    }),
    created_at: webhook.createdAtMs,
    replays: webhook.replays,
    ...(off && { off: { reason: off.reason, at: off.atMs } }),
    ...(pending && {
      pending: {
        list: pending.list,
        after: pending.afterMs,
        until: pending.untilMs,
        created_at: pending.createdAtMs,
      },
    }),
    ...(failing && { failing: { since: failing.sinceMs, attempts: failing.attempts } }),
    next_attempt: webhook.nextAttemptMs,
    ...(lastDeliveryMs === undefined ? {} : { last_delivery: lastDeliveryMs }),
    ...(lastError && { last_error: { text: lastError.text, at: lastError.atMs } }),
    ...(deliveries && { deliveries: deliveries.map(storedDelivery) }),
    ...(lease && { lease: { owner: lease.owner, until: lease.untilMs } }),
    revision: webhook.revision,
  };
}

/** Returns the webhook that was stored. */
export function webhookFromStored(stored: StoredWebhook): Webhook {
  const { previous_secret, off, pending, failing, last_delivery, last_error, deliveries, lease } = stored;
  return {
    webhookId: stored.webhook_id,
    teamId: stored.team_id,
    teamSlug: stored.team_slug,
    url: stored.url,
    tier: stored.tier,
    positions: stored.positions,
    secret: stored.secret,
    ...(previous_secret && {
      previousSecret: { secret: previous_secret.secret, untilMs: previous_secret.until },
    }),
    createdAtMs: stored.created_at,
    replays: stored.replays,
    ...(off && { off: { reason: off.reason, atMs: off.at } }),
    ...(pending && {
      pending: {
        list: pending.list,
        afterMs: pending.after,
        untilMs: pending.until,
        createdAtMs: pending.created_at,
      },
    }),
    ...(failing && { failing: { sinceMs: failing.since, attempts: failing.attempts } }),
    nextAttemptMs: stored.next_attempt,
    ...(last_delivery === undefined ? {} : { lastDeliveryMs: last_delivery }),
    ...(last_error && { lastError: { text: last_error.text, atMs: last_error.at } }),
    ...(deliveries && { deliveries: deliveries.map(deliveryFromStored) }),
    ...(lease && { lease: { owner: lease.owner, untilMs: lease.until } }),
    revision: stored.revision,
  };
}

/** How stores find webhooks that deliver, and count those that stopped by themselves. */
export type WebhookStatus = 'on' | 'off' | 'failed';

/** Returns the status by which a webhook is found. */
export function statusOf({ off }: Webhook): WebhookStatus {
  if (off === undefined) return 'on';
  return off.reason === 'administrator' ? 'off' : 'failed';
}
