import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Tier } from '@teammemory/proto/common/v1/tier_pb.ts';
import { type ContentService, FeedList, type Webhook } from '@teammemory/proto/content/v1/content_pb.ts';
import type { CallOptions } from '../call-options.ts';
import { enumNumber, type RecordClient, type RecordOf } from './records.ts';
import { given } from './rpc-calls.ts';

/** The lists that a webhook may follow. */
export const webhookLists = ['items', 'tasks', 'decisions'] as const;
export type WebhookList = (typeof webhookLists)[number];

/** An event, and how telling a webhook of it went so far. */
export interface WebhookDeliveryRecord {
  /** As the receiver gets it in `webhook-id`. */
  event_id: string;
  list: WebhookList;
  /** When the last attempt ended. */
  attempted_at: string | null;
  attempts: number;
  delivered: boolean;
  /** How the last attempt ended, in words. */
  result: string;
}

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
  /** The last events, at most 10, newest first. */
  deliveries: WebhookDeliveryRecord[];
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
  content: RecordClient<typeof ContentService>,
  team: (options?: CallOptions) => Promise<{ teamId: string; teamSlug: string }>,
): WebhookMethods {
  const named = async (webhookId: string, options?: CallOptions) => ({
    teamId: (await team(options)).teamId,
    webhookId,
  });
  return {
    async create({ url, lists = [], tier = 'team' }, options) {
      const request = {
        ...(await team(options)),
        url,
        lists: listNumbers(lists),
        tier: enumNumber(Tier, tier),
      };
      const { webhook, secret } = await content.createWebhook(request, options);
      return { ...webhookFrom(webhook), secret };
    },
    async list(options) {
      const { teamId } = await team(options);
      return (await content.listWebhooks({ teamId }, options)).webhooks.map(webhookFrom);
    },
    async edit(webhookId, { lists = [], ...edit }, options) {
      const request = { ...(await named(webhookId, options)), ...edit, lists: listNumbers(lists) };
      return webhookFrom((await content.editWebhook(request, options)).webhook);
    },
    async rotate(webhookId, { overlapMs } = {}, options) {
      const overlapSeconds = overlapMs === undefined ? undefined : Math.ceil(overlapMs / 1_000);
      const request = { ...(await named(webhookId, options)), overlapSeconds };
      const { webhook, secret } = await content.rotateWebhookSecret(request, options);
      return { ...webhookFrom(webhook), secret };
    },
    async replay(webhookId, start, options) {
      const from = 'cursor' in start ? { cursor: start.cursor } : { since: timestampFromDate(start.since) };
      const list = enumNumber(FeedList, start.list);
      const request = { ...(await named(webhookId, options)), list, ...from };
      return webhookFrom((await content.replayWebhook(request, options)).webhook);
    },
    test: async (webhookId, options) => content.testWebhook(await named(webhookId, options), options),
    async remove(webhookId, options) {
      await content.removeWebhook(await named(webhookId, options), options);
    },
  };
}

function listNumbers(lists: readonly WebhookList[]): FeedList[] {
  return lists.map((list) => enumNumber(FeedList, list));
}

function webhookFrom(answered: RecordOf<Webhook> | null): WebhookRecord {
  const webhook = given(answered);
  return {
    ...webhook,
    lists: webhookLists.filter((list) => webhook.lists.includes(list)),
    tier: webhook.tier === 'external' ? 'external' : 'team',
    on: webhook.off_reason === null,
    last_error: webhook.last_error || null,
    deliveries: webhook.deliveries.map((each) => ({ ...each, list: each.list as WebhookList })),
  };
}
