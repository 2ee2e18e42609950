import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { ServiceImpl } from '@connectrpc/connect';
import { Tier } from '@teammemory/proto/common/v1/tier_pb.ts';
import { type ContentService, FeedList, WebhookOffReason } from '@teammemory/proto/content/v1/content_pb.ts';

/** When everything about the fake webhooks happened. */
export const happenedAt = '2026-11-23T09:00:00.000Z';
const time = timestampFromDate(new Date(happenedAt));

const webhook = {
  webhookId: 'w1',
  url: 'https://hooks.example.org/',
  createdAt: time,
  lists: [FeedList.ITEMS, FeedList.DECISIONS],
  tier: Tier.EXTERNAL,
};
const failing = { failingSince: time, nextAttemptAt: time };
const error = { lastError: 'answered with status 500', lastErrorAt: time };

/** The lists as requests name them. */
export const lists = { none: FeedList.UNSPECIFIED, items: FeedList.ITEMS, tasks: FeedList.TASKS };

/** Returns a content service with three webhooks, and the requests that it got since `requests` was emptied. */
export function fakeWebhooks(): { content: Partial<ServiceImpl<typeof ContentService>>; requests: object[] } {
  const requests: object[] = [];
  const kept =
    <Answer>(answer: Answer) =>
    (request: object) => {
      requests.push(request);
      return answer;
    };
  const off = { offReason: WebhookOffReason.ADMINISTRATOR, offSince: time };
  return {
    requests,
    content: {
      createWebhook: kept({ webhook, secret: 'whsec_one' }),
      listWebhooks: kept({
        webhooks: [
          { ...webhook, lastDeliveryAt: time },
          { ...webhook, webhookId: 'w2', ...failing, ...error },
          { ...webhook, webhookId: 'w3', offReason: WebhookOffReason.FAILED, offSince: time },
        ],
      }),
      editWebhook: kept({ webhook: { ...webhook, ...off } }),
      rotateWebhookSecret: kept({ webhook: { ...webhook, previousSecretUntil: time }, secret: 'whsec_two' }),
      replayWebhook: kept({ webhook }),
      removeWebhook: kept({}),
      testWebhook: ({ webhookId }) =>
        webhookId === 'w1'
          ? { delivered: true, result: 'answered with status 204' }
          : { delivered: false, result: 'the connection was refused' },
    },
  };
}
