import { createHash, createHmac, randomBytes } from 'node:crypto';
import type { PendingEvent, Webhook } from './webhook.ts';

/** Bytes of a secret, as many as the hash has; Standard Webhooks asks for 24 to 64. */
const secretBytes = 32;
const secretPrefix = 'whsec_';

/** Returns a new secret in the form of Standard Webhooks 1.0: `whsec_` and base64. */
export function newSecret(): string {
  return secretPrefix + randomBytes(secretBytes).toString('base64');
}

/** Returns the id of an event. The same changes of the same webhook have the same id, in whichever process it is made. */
export function eventId({ webhookId, replays }: Pick<Webhook, 'webhookId' | 'replays'>, event: PendingEvent) {
  const { list, afterMs, untilMs } = event;
  return idOf(createHash('sha256').update(`${webhookId}|${replays}|${list}|${afterMs}|${untilMs}`).digest());
}

/** Returns the id of an event that tells of no changes. */
export function randomEventId(): string {
  return idOf(randomBytes(secretBytes));
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
