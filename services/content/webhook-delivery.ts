import { randomUUID } from 'node:crypto';
import { createAddressRules } from '@teammemory/admission/outbound/addresses.ts';
import type { Log } from '@teammemory/log/log.ts';
import type { Metrics } from '@teammemory/telemetry/metrics.ts';
import { logSometimes } from './background-work.ts';
import type { ChangedTeams } from './domain/feed/changed-teams.ts';
import { WebhookDispatcher } from './domain/webhooks/dispatcher.ts';
import { type SendResult, sendOutcomes } from './domain/webhooks/send-event.ts';
import type { WebhookStore } from './domain/webhooks/webhook.ts';
import type { WebhookDependencies } from './domain/webhooks/webhooks.ts';
import type { ContentStores, Storage } from './store/open-stores.ts';
import { createEventSender } from './webhook-sender/event-sender.ts';

/** Starts to deliver events to webhooks, with their metrics. `allowedAddresses` are ranges of private addresses. */
export function startWebhooks(
  options: Pick<WebhookDependencies, 'clock' | 'cursors' | 'catchUp'> & {
    stores: ContentStores;
    storage: Storage;
    changed: Pick<ChangedTeams, 'follow'>;
    allowedAddresses: readonly string[];
    log: Log;
    metrics: Metrics;
  },
): { dependencies: WebhookDependencies; close(): Promise<void> } {
  const { stores, storage, clock, cursors, catchUp, changed, allowedAddresses, log, metrics } = options;
  const { items, tasks, decisions, webhooks } = stores;
  const rules = createAddressRules(allowedAddresses);
  const shared = { webhooks, lists: { items, tasks, decisions }, cursors, clock, catchUp };
  const send = createEventSender({ rules });
  // An alert on the number that are off would be raised by every start, before the first look finds them.
  const countOff = metrics.counter('teammemory_webhooks_switched_off_total');
  const dispatcher = new WebhookDispatcher({
    ...shared,
    send,
    changed,
    // SQLite has one process, which need not wait for the lease of the one before.
    owner: storage.engine === 'sqlite' ? 'the only process' : randomUUID(),
    onAttempt: countAttempts(metrics),
    onOff({ webhookId, teamSlug, off, lastError }) {
      countOff();
      const fields = { webhook_id: webhookId, team: teamSlug, reason: off?.reason, said: lastError?.text };
      log.warn(fields, 'a webhook was switched off; tms admin webhook edit --on switches it on again');
    },
    onError: logSometimes(options, 'events could not be delivered to webhooks; they will be'),
  });
  metrics.gauge('teammemory_webhook_pending_seconds', () => dispatcher.oldestPendingSeconds());
  metrics.gauge('teammemory_webhooks_off', () => dispatcher.failedWebhooks());
  dispatcher.start();
  const edited: WebhookStore = {
    ...webhooks,
    // A replay, or one that was switched on, is begun at once.
    async replace(teamId, webhook) {
      const isReplaced = await webhooks.replace(teamId, webhook);
      dispatcher.notice(teamId);
      return isReplaced;
    },
  };
  return { dependencies: { ...shared, webhooks: edited, send, rules }, close: () => dispatcher.close() };
}

/** Counts attempts by how they ended; each outcome has a counter from the start. */
function countAttempts(metrics: Metrics): (result: SendResult) => void {
  const name = 'teammemory_webhook_deliveries_total';
  const counters = sendOutcomes.map((outcome) => [outcome, metrics.counter(name, { outcome })]);
  const byOutcome = Object.fromEntries(counters) as Record<SendResult['outcome'], () => void>;
  return ({ outcome }) => byOutcome[outcome]();
}
