import { createHash, createHmac, randomBytes } from 'node:crypto';
import { type PendingEvent, secretPrefix, type Webhook } from './webhook.ts';

/** Returns the id of an event. The same changes of the same webhook have the same id, in whichever process it is made. */
export function eventId({ webhookId, replays }: Pick<Webhook, 'webhookId' | 'replays'>, event: PendingEvent) {
  const { list, afterMs, untilMs } = event;
  return idOf(createHash('sha256').update(`${webhookId}|${replays}|${list}|${afterMs}|${untilMs}`).digest());
}

/** Returns the id of an event that tells of no changes. */
export function randomEventId(): string {
  return idOf(randomBytes(32));
}

function idOf(bytes: Buffer): string {
  return `evt_${bytes.toString('base64url').slice(0, 27)}`;
}

/** Returns the headers of one attempt, those of Standard Webhooks 1.0 among them, with a signature by each secret. */
export function signedHeaders(
  event: { id: string; body: string },
  secrets: readonly string[],
  nowMs: number,
): Record<string, string> {
  const seconds = String(Math.floor(nowMs / 1_000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(secretPrefix.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${event.id}.${seconds}.${event.body}`).digest('base64')}`;
  });
  return {
    'content-type': 'application/json',
    'user-agent': 'team-memory-service',
    'webhook-id': event.id,
    'webhook-timestamp': seconds,
    'webhook-signature': signatures.join(' '),
  };
}
