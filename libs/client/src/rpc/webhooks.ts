import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { Client } from '@connectrpc/connect';
import { Tier } from '@teammemory/proto/common/v1/tier_pb.ts';
import {
  type ContentService,
  FeedList,
  type Webhook as WebhookMessage,
  WebhookOffReason,
} from '@teammemory/proto/content/v1/content_pb.ts';
import type { CallOptions } from '../call-options.ts';
import { given, timeText, translated } from './rpc-calls.ts';

/** The lists that a webhook may follow. */
export const webhookLists = ['items', 'tasks', 'decisions'] as const;
export type WebhookList = (typeof webhookLists)[number];

const listMessages: Readonly<Record<WebhookList, FeedList>> = {
  items: FeedList.ITEMS,
  tasks: FeedList.TASKS,
  decisions: FeedList.DECISIONS,
};

const offReasons: Readonly<Record<WebhookOffReason, string | null>> = {
  [WebhookOffReason.UNSPECIFIED]: null,
  [WebhookOffReason.ADMINISTRATOR]: 'administrator',
  [WebhookOffReason.GONE]: 'gone',
  [WebhookOffReason.FAILED]: 'failed',
};

/** A URL that gets an event when lists of a team change. Times are RFC 3339. */
export interface WebhookRecord {
  webhook_id: string;
  url: string;
  lists: WebhookList[];
  tier: 'team' | 'external';
  created_at: string | null;
  on: boolean;
  /** `administrator`, `gone` (the receiver answered 410) or `failed` (for a day); null if it is on. */
  off_reason: string | null;
  off_since: string | null;
  failing_since: string | null;
  next_attempt_at: string | null;
  last_delivery_at: string | null;
  last_error: string | null;
  last_error_at: string | null;
  /** Until when events are signed with the secret before, too. */
  previous_secret_until: string | null;
}

/** A webhook, and the secret that only this answer has. */
export interface WebhookWithSecret extends WebhookRecord {
  secret: string;
}

/** Where a replay begins: at a cursor of a list, or at a time in one list or in all. */
export type WebhookReplay = { list: WebhookList; cursor: string } | { list?: WebhookList; since: Date };

/** The webhooks of one team, for its administrators. Every method throws RpcError. */
export interface WebhookMethods {
  create(
    webhook: { url: string; lists?: readonly WebhookList[]; tier?: 'team' | 'external' },
    options?: CallOptions,
  ): Promise<WebhookWithSecret>;
  /** Returns at most 20, by id. */
  list(options?: CallOptions): Promise<WebhookRecord[]>;
  /** Changes what is set. */
  edit(
    webhookId: string,
    edit: { url?: string; lists?: readonly WebhookList[]; on?: boolean },
    options?: CallOptions,
  ): Promise<WebhookRecord>;
  /** Makes a new secret. The present one signs too for the overlap, by default a day. */
  rotate(
    webhookId: string,
    overlap?: { overlapMs?: number },
    options?: CallOptions,
  ): Promise<WebhookWithSecret>;
  replay(webhookId: string, start: WebhookReplay, options?: CallOptions): Promise<WebhookRecord>;
  /** Sends a `ping` and returns how that ended. */
  test(webhookId: string, options?: CallOptions): Promise<{ delivered: boolean; result: string }>;
  remove(webhookId: string, options?: CallOptions): Promise<void>;
}

/** Makes the methods. `team` returns the team's id and slug, or empty texts if the caller's token names the team. */
export function webhookMethods(
  content: Client<typeof ContentService>,
  team: (options?: CallOptions) => Promise<{ teamId: string; teamSlug: string }>,
): WebhookMethods {
  const named = async (webhookId: string, options?: CallOptions) => ({
    teamId: (await team(options)).teamId,
    webhookId,
  });
  return {
    create: ({ url, lists = [], tier = 'team' }, options) =>
      translated(async () => {
        const request = { ...(await team(options)), url, lists: listsToProto(lists), tier: tiers[tier] };
        const { webhook, secret } = await content.createWebhook(request, options);
        return { ...webhookFromProto(given(webhook)), secret };
      }),
    list: (options) =>
      translated(async () => {
        const { teamId } = await team(options);
        return (await content.listWebhooks({ teamId }, options)).webhooks.map(webhookFromProto);
      }),
    edit: (webhookId, { lists = [], ...edit }, options) =>
      translated(async () => {
        const request = { ...(await named(webhookId, options)), ...edit, lists: listsToProto(lists) };
        return webhookFromProto(given((await content.editWebhook(request, options)).webhook));
      }),
    rotate: (webhookId, { overlapMs } = {}, options) =>
      translated(async () => {
        const overlap = overlapMs === undefined ? {} : { overlapSeconds: Math.ceil(overlapMs / 1_000) };
        const request = { ...(await named(webhookId, options)), ...overlap };
        const { webhook, secret } = await content.rotateWebhookSecret(request, options);
        return { ...webhookFromProto(given(webhook)), secret };
      }),
    replay: (webhookId, start, options) =>
      translated(async () => {
        const list = start.list === undefined ? FeedList.UNSPECIFIED : listMessages[start.list];
        const from = 'cursor' in start ? { cursor: start.cursor } : { since: timestampFromDate(start.since) };
        const request = { ...(await named(webhookId, options)), list, ...from };
        return webhookFromProto(given((await content.replayWebhook(request, options)).webhook));
      }),
    test: (webhookId, options) =>
      translated(async () => {
        const request = await named(webhookId, options);
        const { delivered, result } = await content.testWebhook(request, options);
        return { delivered, result };
      }),
    remove: (webhookId, options) =>
      translated(async () => {
        await content.removeWebhook(await named(webhookId, options), options);
      }),
  };
}

const tiers = { team: Tier.TEAM, external: Tier.EXTERNAL } as const;

function listsToProto(lists: readonly WebhookList[]): FeedList[] {
  return lists.map((list) => listMessages[list]);
}

function webhookFromProto(webhook: WebhookMessage): WebhookRecord {
  const { lists, tier, offReason } = webhook;
  // A reason of a later version is one, too.
  const reason = offReasons[offReason];
  return {
    webhook_id: webhook.webhookId,
    url: webhook.url,
    lists: webhookLists.filter((list) => lists.includes(listMessages[list])),
    tier: tier === Tier.EXTERNAL ? 'external' : 'team',
    created_at: timeText(webhook.createdAt),
    on: offReason === WebhookOffReason.UNSPECIFIED,
    off_reason: reason === undefined ? 'unknown' : reason,
    off_since: timeText(webhook.offSince),
    failing_since: timeText(webhook.failingSince),
    next_attempt_at: timeText(webhook.nextAttemptAt),
    last_delivery_at: timeText(webhook.lastDeliveryAt),
    last_error: webhook.lastError || null,
    last_error_at: timeText(webhook.lastErrorAt),
    previous_secret_until: timeText(webhook.previousSecretUntil),
  };
}
