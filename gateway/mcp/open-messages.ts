import { createPermits, type Permits } from '@teammemory/admission/permits.ts';
import type { Metrics } from '@teammemory/telemetry/metrics.ts';

/**
 * Messages in progress in all, of a team and of a key: an answer may have a megabyte, which is kept until its reader
 * received it, and the model may take a minute for one. A key has room for four batches.
 */
const [maxInAll, maxPerTeam, maxPerKey] = [512, 256, 64];

/** Bounds and measures the messages that are being answered. */
export function boundOpenMessages(metrics: Metrics): Permits {
  const permits = createPermits(
    { maxInAll, maxPerTeam, maxPerKey, waiting: { max: 1_024, maxPerTeam: 256, maxMs: 10_000 } },
    'Too many messages are being answered; send the message again.',
  );
  metrics.gauge('teammemory_mcp_messages_open', permits.held);
  return permits;
}

/** Returns whether a body, a message or a batch, asks for an answer of the model. */
export function asksModel(body: unknown): boolean {
  return [body].flat().some(isAsk);
}

/** Returns whether a body asks for a stream of changes. */
export function isSubscription(body: unknown): boolean {
  return (body as { method?: unknown } | null)?.method === 'subscriptions/listen';
}

/** Returns how many messages a body has: what is no message counts as one. */
export function messagesIn(body: unknown): number {
  return Math.max(1, [body].flat().length);
}

function isAsk(message: unknown): boolean {
  const { method, params } = (message ?? {}) as { method?: unknown; params?: { name?: unknown } | null };
  return method === 'tools/call' && params?.name === 'ask';
}
