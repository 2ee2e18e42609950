import { Webhook as Verifier } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { eventId, signedHeaders } from './sign-event.ts';
import { newSecret } from './webhook.ts';

const body = JSON.stringify({ type: 'items.changed', data: { team: 'rivers' } });
const id = 'evt_1';
const event = { list: 'items', afterMs: 1, untilMs: 2, createdAtMs: 3 } as const;

describe('a signature', () => {
  test('is accepted by the library of Standard Webhooks, with either secret during a rotation', () => {
    const secrets = [newSecret(), newSecret()];
    const headers = signedHeaders({ id, body }, secrets, Date.now());
    for (const secret of secrets)
      expect(new Verifier(secret).verify(body, headers)).toEqual(JSON.parse(body));
  });

  test.each<[string, (headers: Record<string, string>) => Record<string, string>, string]>([
    ['another id', (headers) => ({ ...headers, 'webhook-id': 'evt_2' }), body],
    [
      'another time',
      (headers) => ({ ...headers, 'webhook-timestamp': String(Date.now() / 1_000 - 9) }),
      body,
    ],
    ['another body', (headers) => headers, `${body} `],
  ])('is refused for %s', (_, changed, text) => {
    const secret = newSecret();
    const headers = changed(signedHeaders({ id, body }, [secret], Date.now()));
    expect(() => new Verifier(secret).verify(text, headers)).toThrow();
  });

  test('is refused with another secret, and when it is old', () => {
    const secret = newSecret();
    const headers = signedHeaders({ id, body }, [secret], Date.now());
    expect(() => new Verifier(newSecret()).verify(body, headers)).toThrow('No matching signature');
    const old = signedHeaders({ id, body }, [secret], Date.now() - 600_000);
    expect(() => new Verifier(secret).verify(body, old)).toThrow('too old');
  });
});

test('secrets have 32 bytes that nobody can guess', () => {
  expect(newSecret()).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(newSecret()).not.toBe(newSecret());
});

test('the same changes of a webhook have the same id, and any others another one', () => {
  const webhook = { webhookId: 'a', replays: 0 };
  expect(eventId(webhook, { ...event, createdAtMs: 9 })).toBe(eventId(webhook, event));
  const others = [
    eventId({ ...webhook, webhookId: 'b' }, event),
    eventId({ ...webhook, replays: 1 }, event),
    eventId(webhook, { ...event, list: 'tasks' }),
    eventId(webhook, { ...event, afterMs: 0 }),
    eventId(webhook, { ...event, untilMs: 3 }),
  ];
  expect(new Set([eventId(webhook, event), ...others]).size).toBe(6);
});
