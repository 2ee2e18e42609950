import type { MessageInitShape } from '@bufbuild/protobuf';
import { type Timestamp, timestampFromMs } from '@bufbuild/protobuf/wkt';
import { AppError } from '@teammemory/errors/app-error.ts';
import {
  type CreateWebhookRequest,
  FeedList,
  type ReplayWebhookRequest,
  type WebhookDeliverySchema,
  WebhookOffReason,
  type WebhookSchema,
} from '@teammemory/proto/content/v1/content_pb.ts';
import {
  type Delivery,
  listsOf,
  type OffReason,
  secretsAt,
  type Webhook,
  type WebhookList,
  webhookLists,
} from '../domain/webhooks/webhook.ts';
import type { ReplayStart, WebhookDraft } from '../domain/webhooks/webhooks.ts';
import { millisecondsFromProto, tierFromProto, tierToProto } from './feed-proto.ts';

/** Cursors are shorter; so are ids. */
const maxCursorCharacters = 256;

const listMessages: Readonly<Record<WebhookList, FeedList>> = {
  items: FeedList.ITEMS,
  tasks: FeedList.TASKS,
  decisions: FeedList.DECISIONS,
};

const offReasons: Readonly<Record<OffReason, WebhookOffReason>> = {
  administrator: WebhookOffReason.ADMINISTRATOR,
  gone: WebhookOffReason.GONE,
  failed: WebhookOffReason.FAILED,
};

/** Returns a webhook without its secrets. */
export function webhookToProto(webhook: Webhook, nowMs: number): MessageInitShape<typeof WebhookSchema> {
  const { off, failing, lastError, previousSecret, deliveries = [] } = webhook;
  const time = (name: string, ms: number | undefined): Record<string, Timestamp> =>
    ms === undefined ? {} : { [name]: timestampFromMs(ms) };
  const overlaps = secretsAt(webhook, nowMs).length > 1;
  return {
    webhookId: webhook.webhookId,
    url: webhook.url,
    lists: listsOf(webhook).map((list) => listMessages[list]),
    tier: tierToProto(webhook.tier),
    createdAt: timestampFromMs(webhook.createdAtMs),
    offReason: off === undefined ? WebhookOffReason.UNSPECIFIED : offReasons[off.reason],
    ...time('offSince', off?.atMs),
    ...time('failingSince', failing?.sinceMs),
    ...time('nextAttemptAt', failing === undefined ? undefined : webhook.nextAttemptMs),
    ...time('lastDeliveryAt', webhook.lastDeliveryMs),
    lastError: lastError?.text ?? '',
    ...time('lastErrorAt', lastError?.atMs),
    ...time('previousSecretUntil', overlaps ? previousSecret?.untilMs : undefined),
    deliveries: deliveries.map(deliveryToProto),
  };
}

function deliveryToProto(delivery: Delivery): MessageInitShape<typeof WebhookDeliverySchema> {
  const { eventId, list, atMs, attempts, isDelivered, text } = delivery;
  return {
    eventId,
    list: listMessages[list],
    attemptedAt: timestampFromMs(atMs),
    attempts,
    delivered: isDelivered,
    result: text,
  };
}

/** Returns the fields of a new webhook. Throws AppError `invalid_request` for lists that are none. */
export function webhookDraftFromProto(request: CreateWebhookRequest, teamSlug: string): WebhookDraft {
  const lists = webhookListsFromProto(request.lists);
  return {
    teamSlug,
    url: request.url,
    lists: lists.length === 0 ? webhookLists : lists,
    tier: tierFromProto(request.tier) ?? 'team',
  };
}

/** Returns lists. Throws AppError `invalid_request` for one that is none, or is named twice. */
export function webhookListsFromProto(lists: readonly FeedList[]): WebhookList[] {
  const found = lists.map(webhookListFromProto);
  if (new Set(found).size < found.length) throw wrong('/lists', 'must name each list once');
  return found.map((list) => list ?? refuse('/lists', 'must be items, tasks or decisions'));
}

function webhookListFromProto(message: FeedList): WebhookList | undefined {
  return webhookLists.find((list) => listMessages[list] === message);
}

/** Returns where a replay begins. Throws AppError `invalid_request` without a cursor of a list and without a time. */
export function replayStartFromProto({ list: message, cursor, since }: ReplayWebhookRequest): ReplayStart {
  const list = webhookListFromProto(message);
  if (list === undefined && message !== FeedList.UNSPECIFIED)
    throw wrong('/list', 'must be items, tasks or decisions');
  if (cursor === '') {
    if (since === undefined) throw wrong('/since', 'must be set where no cursor is');
    return { list, sinceMs: Math.max(0, millisecondsFromProto(since)) };
  }
  if (cursor.length > maxCursorCharacters) throw wrong('/cursor', 'must have at most 256 characters');
  return { list: list ?? refuse('/list', 'must be the list of the cursor'), cursor };
}

function refuse(pointer: string, detail: string): never {
  throw wrong(pointer, detail);
}

function wrong(pointer: string, detail: string): AppError {
  return new AppError('invalid_request', `The ${pointer.slice(1)} ${detail}.`, {
    violations: [{ pointer, detail }],
  });
}
