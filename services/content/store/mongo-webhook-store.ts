import type { MongoConnection } from '@teammemory/mongo/mongo-connection.ts';
import type { WebhookStore } from '../domain/webhooks/webhook.ts';
import {
  type StoredWebhook,
  statusOf,
  storedWebhook,
  type WebhookStatus,
  webhookFromStored,
} from './stored-webhook.ts';

type WebhookDocument = StoredWebhook & { _id: string; status: WebhookStatus };

/** Stores webhooks in MongoDB. `WebhookStore` says what each method promises. */
export async function createMongoWebhookStore(connection: MongoConnection): Promise<WebhookStore> {
  const webhooks = connection.db.collection<WebhookDocument>('webhooks');
  await connection.ensureIndexes('webhooks', [
    { key: { team_id: 1, webhook_id: 1 }, unique: true },
    { key: { status: 1, webhook_id: 1 } },
  ]);
  const countUpTo = (teamId: string, limit: number) =>
    connection.call((deadline) => webhooks.countDocuments({ team_id: teamId }, { ...deadline, limit }));
  return {
    async create(teamId, webhook, max) {
      if ((await countUpTo(teamId, max)) >= max) return 'full';
      const { webhookId } = webhook;
      const document = { _id: webhookId, status: statusOf(webhook), ...storedWebhook(webhook) };
      await connection.call((deadline) => webhooks.insertOne(document, deadline));
      // Of several that are created at once some may be too many; those are removed again.
      if ((await countUpTo(teamId, max + 1)) <= max) return 'created';
      const known = { team_id: teamId, webhook_id: webhookId };
      await connection.call((deadline) => webhooks.deleteOne(known, deadline));
      return 'full';
    },
    async find(teamId, webhookId) {
      const filter = { team_id: teamId, webhook_id: webhookId };
      const document = await connection.call((deadline) => webhooks.findOne(filter, deadline));
      return document === null ? undefined : webhookFromStored(document);
    },
    async list(teamId, limit) {
      const sort = { webhook_id: 1 } as const;
      const documents = await connection.call((deadline) =>
        webhooks.find({ team_id: teamId }, { ...deadline, sort, limit }).toArray(),
      );
      return documents.map(webhookFromStored);
    },
    async replace(teamId, webhook) {
      const { webhookId, revision } = webhook;
      const filter = { team_id: teamId, webhook_id: webhookId, revision: revision - 1 };
      const document = { status: statusOf(webhook), ...storedWebhook(webhook) };
      const { matchedCount } = await connection.call((deadline) =>
        webhooks.replaceOne(filter, document, deadline),
      );
      return matchedCount === 1;
    },
    async remove(teamId, webhookId) {
      const filter = { team_id: teamId, webhook_id: webhookId };
      const { deletedCount } = await connection.call((deadline) => webhooks.deleteOne(filter, deadline));
      return deletedCount === 1;
    },
    async allOn(afterWebhookId, limit) {
      const filter = { status: 'on' as const, webhook_id: { $gt: afterWebhookId } };
      const sort = { webhook_id: 1 } as const;
      const documents = await connection.call((deadline) =>
        webhooks.find(filter, { ...deadline, sort, limit }).toArray(),
      );
      return documents.map(webhookFromStored);
    },
    countFailed: () =>
      connection.call((deadline) => webhooks.countDocuments({ status: 'failed' as const }, deadline)),
  };
}
