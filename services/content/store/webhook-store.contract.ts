import type { Engine } from '@teammemory/testkit/describe-each-engine.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { newWebhook, switchedOff, type Webhook, type WebhookStore } from '../domain/webhooks/webhook.ts';
import { type ContentStores, openContentStores } from './open-stores.ts';

/** Declares the promises of `WebhookStore` for one engine. */
export function webhookStoreContract(engine: Engine): void {
  let stores: ContentStores;
  let webhooks: WebhookStore;

  beforeEach(async () => {
    stores = await openContentStores(engine.storage());
    ({ webhooks } = stores);
  });
  afterEach(() => stores.close());

  const webhook = (webhookId: string, teamId = 'team'): Webhook => {
    const wanted = { teamId, teamSlug: 'rivers', url: 'https://example.org/', tier: 'team' } as const;
    return { ...newWebhook({ ...wanted, positions: { items: 5 } }, 1), webhookId };
  };
  const created = async (webhookId: string, teamId = 'team') => {
    const one = webhook(webhookId, teamId);
    expect(await webhooks.create(teamId, one, 9)).toBe('created');
    return one;
  };
  const idsOn = async (after: string, limit: number) =>
    (await webhooks.allOn(after, limit)).map(({ webhookId }) => webhookId);

  test('are found as they were stored, with everything that they can have, in their own team only', async () => {
    const plain = await created('a');
    const whole: Webhook = {
      ...webhook('b'),
      previousSecret: { secret: 'whsec_b2xk', untilMs: 9 },
      off: { reason: 'failed', atMs: 10 },
      pending: { list: 'items', afterMs: 5, untilMs: 8, createdAtMs: 8 },
      failing: { sinceMs: 3, attempts: 2 },
      lastDeliveryMs: 2,
      lastError: { text: 'answered with status 500', atMs: 4 },
      deliveries: [
        { eventId: 'evt_2', list: 'items', atMs: 4, attempts: 2, isDelivered: false, text: 'no answer' },
        { eventId: 'evt_1', list: 'tasks', atMs: 2, attempts: 1, isDelivered: true, text: 'answered' },
      ],
      lease: { owner: 'one', untilMs: 7 },
    };
    await webhooks.create('team', whole, 9);
    expect(await webhooks.find('team', 'a')).toEqual(plain);
    expect(await webhooks.find('team', 'b')).toEqual(whole);
    expect(await webhooks.find('other', 'a')).toBeUndefined();
    expect(await webhooks.list('team', 9)).toEqual([plain, whole]);
    expect(await webhooks.list('team', 1)).toEqual([plain]);
    expect(await webhooks.list('other', 9)).toEqual([]);
  });

  test('are created up to as many as a team may have, and again once one is removed', async () => {
    const create = (id: string, team = 'team') => webhooks.create(team, webhook(id, team), 2);
    expect([await create('a'), await create('b'), await create('c'), await create('d', 'other')]).toEqual([
      'created',
      'created',
      'full',
      'created',
    ]);
    expect(await webhooks.remove('other', 'a')).toBe(false);
    expect(await webhooks.remove('team', 'a')).toBe(true);
    expect(await webhooks.remove('team', 'a')).toBe(false);
    expect(await create('c')).toBe('created');
  });

  test('are replaced only by the next revision of what is stored, and by one of two at once', async () => {
    const first = await created('a');
    const next = { ...first, url: 'https://example.org/next', revision: 2 };
    expect(await webhooks.replace('other', next)).toBe(false);
    expect(await webhooks.replace('team', { ...next, revision: 3 })).toBe(false);
    const both = await Promise.all([webhooks.replace('team', next), webhooks.replace('team', next)]);
    expect(both.toSorted()).toEqual([false, true]);
    expect(await webhooks.find('team', 'a')).toEqual(next);
    expect(await webhooks.replace('team', { ...webhook('gone'), revision: 2 })).toBe(false);
  });

  test('that are on are found in all teams, by id, after one; those that failed are counted', async () => {
    const stored = [];
    for (const [id, team] of [
      ['c', 'team'],
      ['a', 'other'],
      ['d', 'team'],
      ['b', 'other'],
    ] as const)
      stored.push(await created(id, team));
    expect(await idsOn('', 9)).toEqual(['a', 'b', 'c', 'd']);
    expect(await idsOn('a', 2)).toEqual(['b', 'c']);
    const [first, second, third] = stored as [Webhook, Webhook, Webhook];
    await webhooks.replace('team', { ...switchedOff(first, 'failed', 1), revision: 2 });
    await webhooks.replace('other', { ...switchedOff(second, 'gone', 1), revision: 2 });
    await webhooks.replace('team', { ...switchedOff(third, 'administrator', 1), revision: 2 });
    expect(await idsOn('', 9)).toEqual(['b']);
    expect(await webhooks.countFailed()).toBe(2);
  });
}
