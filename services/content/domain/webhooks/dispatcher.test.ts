import { describeEachEngine } from '@teammemory/testkit/describe-each-engine.ts';
import { describeOnMongo } from '@teammemory/testkit/describe-on-mongo.ts';
import { recordedMongo } from '@teammemory/testkit/recorded-mongo.ts';
import { Webhook as Verifier } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { SendResult } from './send-event.ts';
import {
  delivered,
  down,
  hour,
  type Received,
  second,
  type WebhookWorld,
  webhookWorld,
} from './webhooks.fixture.ts';
import { editWebhook, rotateWebhookSecret } from './webhooks.ts';

describeEachEngine('webhooks', (engine) => {
  let world: WebhookWorld;
  beforeEach(async () => {
    world = await webhookWorld(engine.storage());
  });
  afterEach(() => world.close());

  describe('an event', () => {
    test('tells of everything since the last one, once a second at most, and not what rows contain', async () => {
      await world.push(['before.md']);
      const webhook = await world.create();
      await world.pass();
      expect(world.received).toEqual([]);
      await world.push(['a.md']);
      await world.push(['b.md']);
      await world.pass();
      expect(world.received).toHaveLength(1);
      expect(world.received[0]?.body).toEqual({
        type: 'items.changed',
        timestamp: new Date(world.clock()).toISOString(),
        data: {
          webhook_id: webhook.webhookId,
          team: 'rivers',
          tier: 'team',
          list: 'items',
          has_more: false,
          cursor: expect.any(String),
          next_cursor: expect.any(String),
          changes: ['a.md', 'b.md'].map((row_key) => ({ row_key, updated_at: expect.any(String) })),
        },
      });
      await world.push(['c.md']);
      await world.pass();
      expect(world.received).toHaveLength(1);
      world.wait(second);
      await world.pass();
      expect(world.keys(1)).toEqual(['c.md']);
      world.wait(hour);
      await world.pass();
      expect(world.received).toHaveLength(2);
    });

    test('leads with its cursors exactly to the changes that it tells of', async () => {
      const { dependencies } = world;
      await world.create();
      await world.push(['a.md']);
      await world.pass();
      const scope = { list: 'items', teamId: 'team', tier: 'team' } as const;
      const { cursor, next_cursor } = world.received[0]?.body.data ?? { cursor: '', next_cursor: '' };
      const afterMs = dependencies.cursors.decode(scope, cursor);
      const untilMs = dependencies.cursors.decode(scope, next_cursor);
      const range = { afterMs, untilMs, limit: 9, maxBytes: 1e6, includeDeleted: true };
      const rows = await world.stores.items.page('team', 'team', range);
      expect(rows.map(({ rowKey }) => rowKey)).toEqual(['a.md']);
      expect(await world.stores.items.newestAtMs('team', 'team')).toBe(untilMs);
    });

    test('names no more rows than fit, and says that there are more', async () => {
      await world.create();
      await world.push(Array.from({ length: 60 }, (_, index) => `${index}.md`));
      await world.pass();
      expect(world.keys(0)).toHaveLength(50);
      expect(world.received[0]?.body.data.has_more).toBe(true);
      world.wait(second);
      await world.push(Array.from({ length: 30 }, (_, index) => `${'l'.repeat(1_000)}${index}.md`));
      await world.pass();
      expect(world.keys(1)?.length).toBeLessThan(13);
      expect(JSON.stringify(world.received[1]?.body).length).toBeLessThan(20_000);
      expect(world.received[1]?.body.data.has_more).toBe(true);
    });

    test('is signed with both secrets until the overlap ends', async () => {
      const webhook = await world.create();
      const rotated = await rotateWebhookSecret(world.dependencies, 'team', webhook.webhookId, hour);
      const signed = (secret: string) => {
        const { id, headers, body } = world.received.at(-1) as Received;
        const at = new Date(Number(headers['webhook-timestamp']) * second);
        const signatures = (headers['webhook-signature'] ?? '').split(' ');
        return signatures.indexOf(new Verifier(secret).sign(id, at, JSON.stringify(body)));
      };
      await world.push(['a.md']);
      await world.pass();
      expect([signed(webhook.secret), signed(rotated.secret)]).toEqual([1, 0]);
      world.wait(hour);
      await world.push(['b.md']);
      await world.pass();
      expect([signed(webhook.secret), signed(rotated.secret)]).toEqual([-1, 0]);
    });
  });

  describe('tiers', () => {
    test('of tier external tell only what external keys see, and of a row that was hidden that it is gone', async () => {
      await world.create({ tier: 'external' });
      await world.push(['hidden.md']);
      await world.pass();
      world.wait(40 * second);
      await world.pass();
      expect(world.received).toEqual([]);
      await world.push(['shown.md'], 'external');
      await world.pass();
      expect(world.keys(0)).toEqual(['shown.md']);
      world.wait(second);
      await world.push(['shown.md']);
      await world.push(['hidden.md']);
      await world.pass();
      expect(world.received[1]?.body.data.changes).toEqual([
        { row_key: 'shown.md', updated_at: expect.any(String), deleted: true },
      ]);
      world.wait(second);
      await world.push(['shown.md', 'hidden.md']);
      await world.pass();
      expect(world.received).toHaveLength(2);
    });

    test('another team is told nothing', async () => {
      await world.create();
      await world.push(['a.md'], 'team', 'other');
      await world.pass();
      expect(world.received).toEqual([]);
    });
  });

  describe('the last deliveries', () => {
    test('say of each event how many attempts there were and how the last one ended, and are no more than ten', async () => {
      const webhook = await world.create();
      const deliveries = async () => (await world.stored(webhook))?.deliveries ?? [];
      world.answer(() => down);
      await world.push(['a.md']);
      for (let attempts = 1; attempts <= 2; attempts += 1) {
        await world.pass();
        const atMs = world.clock();
        expect(await deliveries()).toMatchObject([
          { list: 'items', atMs, attempts, isDelivered: false, text: down.text },
        ]);
        world.wait(hour);
      }
      world.answer(() => delivered);
      await world.pass();
      expect(await deliveries()).toMatchObject([{ attempts: 3, isDelivered: true, text: delivered.text }]);
      for (let event = 0; event < 11; event += 1) {
        world.wait(second);
        await world.push([`${event}.md`]);
        await world.pass();
      }
      const kept = await deliveries();
      expect(kept.map(({ attempts }) => attempts)).toEqual(Array(10).fill(1));
      expect(kept.map(({ eventId }) => eventId)).toEqual(world.ids().slice(-10).reverse());
    });
  });

  describe('a receiver that fails', () => {
    test('gets the same event again, later each time, and then everything else', async () => {
      const webhook = await world.create();
      world.answer(() => down);
      await world.push(['a.md']);
      await world.pass();
      await world.push(['b.md']);
      const pauses: number[] = [];
      for (let attempts = 1; attempts < 9; attempts += 1) {
        const { nextAttemptMs = 0 } = (await world.stored(webhook)) ?? {};
        pauses.push(nextAttemptMs - world.clock());
        world.wait(nextAttemptMs - world.clock() - 1);
        await world.pass();
        expect(world.received).toHaveLength(attempts);
        world.wait(1);
        await world.pass();
        expect(world.received).toHaveLength(attempts + 1);
      }
      for (const [index, pause] of pauses.entries()) {
        expect(pause).toBeGreaterThanOrEqual(2_500 * 2 ** index);
        expect(pause).toBeLessThanOrEqual(5_000 * 2 ** index);
        // The time of a message has whole nanoseconds.
        expect(Number.isInteger(pause)).toBe(true);
      }
      expect(new Set(world.ids()).size).toBe(1);
      expect(world.dispatcher().oldestPendingSeconds()).toBeGreaterThan(60);
      world.answer(() => delivered);
      world.wait(hour);
      await world.pass();
      expect(world.ids()[9]).toBe(world.ids()[0]);
      expect((await world.stored(webhook))?.failing).toBeUndefined();
      world.wait(second);
      await world.pass();
      expect(world.keys(10)).toEqual(['b.md']);
      expect(world.ids()[10]).not.toBe(world.ids()[0]);
      world.wait(second);
      await world.pass();
      expect(world.dispatcher().oldestPendingSeconds()).toBe(0);
    });

    test('for a day is switched off with a notice, and loses nothing when it is on again', async () => {
      const webhook = await world.create();
      world.answer(() => down);
      await world.push(['a.md']);
      const startMs = world.clock();
      for (let attempts = 0; attempts < 100 && world.off.length === 0; attempts += 1) {
        await world.pass();
        world.wait(Math.max(0, ((await world.stored(webhook))?.nextAttemptMs ?? 0) - world.clock()));
      }
      expect(world.off.map(({ off }) => off)).toEqual([{ reason: 'failed', atMs: startMs + 24 * hour }]);
      expect(world.received.length).toBeGreaterThan(24);
      expect(world.received.length).toBeLessThan(70);
      const attempts = world.received.length;
      await world.push(['b.md']);
      world.wait(hour);
      await world.pass();
      expect(world.dispatcher().failedWebhooks()).toBe(1);
      expect(world.received).toHaveLength(attempts);
      world.answer(() => delivered);
      const edit = { url: undefined, lists: [], isOn: true };
      await editWebhook(world.dependencies, 'team', webhook.webhookId, edit);
      for (const _ of [1, 2]) {
        await world.pass();
        world.wait(second);
      }
      expect(world.ids()[attempts]).toBe(world.ids()[0]);
      expect([world.keys(attempts), world.keys(attempts + 1)]).toEqual([['a.md'], ['b.md']]);
      await world.pass();
      expect(world.dispatcher().failedWebhooks()).toBe(0);
    });

    test('that is gone is switched off at once', async () => {
      const webhook = await world.create();
      world.answer(() => ({ outcome: 'gone', text: 'answered with status 410' }));
      await world.push(['a.md']);
      await world.pass();
      expect((await world.stored(webhook))?.off?.reason).toBe('gone');
      expect(world.off).toHaveLength(1);
      world.wait(hour);
      await world.pass();
      expect(world.received).toHaveLength(1);
    });

    test('may ask to wait', async () => {
      const webhook = await world.create();
      world.answer(() => ({ ...down, retryAfterMs: 600 * second }));
      await world.push(['a.md']);
      await world.pass();
      expect((await world.stored(webhook))?.nextAttemptMs).toBe(world.clock() + 600 * second);
    });

    test('does not hold up another one', async () => {
      const slow = Promise.withResolvers<SendResult>();
      await world.create({ url: 'https://slow.example.org/' });
      await world.create({ url: 'https://fast.example.org/' });
      world.answer(({ url }) => (url.includes('slow') ? slow.promise : delivered));
      await world.push(['a.md']);
      await world.look();
      await world.dispatcher().pass();
      await expect.poll(() => world.received.map(({ url }) => url).toSorted()).toHaveLength(2);
      for (const rowKey of ['b.md', 'c.md']) {
        const before = world.received.length;
        await expect
          .poll(async () => (await world.stores.webhooks.allOn('', 9)).filter(({ lease }) => lease).length)
          .toBe(1);
        world.wait(second);
        await world.push([rowKey]);
        await world.look();
        await world.dispatcher().pass();
        await expect.poll(() => world.received.length).toBe(before + 1);
      }
      expect(world.received.filter(({ url }) => url.includes('slow'))).toHaveLength(1);
      slow.resolve(delivered);
      await world.dispatcher().settled();
    });
  });

  describe('several processes', () => {
    test('deliver an event once', async () => {
      await world.create();
      await world.push(['a.md']);
      const others = ['two', 'three'].map(world.process);
      await world.look();
      await Promise.all([world.dispatcher(), ...others].map((one) => one.pass()));
      await Promise.all([world.dispatcher(), ...others].map((one) => one.settled()));
      expect(world.ids()).toHaveLength(1);
      expect(world.errors).toEqual([]);
    });

    test('take over from one that was killed while it sent, after its lease, with the same id', async () => {
      await world.create();
      await world.push(['a.md']);
      const killed = Promise.withResolvers<SendResult>();
      world.answer(() => killed.promise);
      await world.look();
      await world.dispatcher().pass();
      await expect.poll(() => world.received.length).toBe(1);
      const dead = world.dispatcher();
      world.restart('two');
      world.answer(() => delivered);
      await world.push(['b.md']);
      world.wait(29 * second);
      await world.pass();
      expect(world.received).toHaveLength(1);
      world.wait(second);
      await world.pass();
      world.wait(second);
      await world.pass();
      expect(world.ids()[1]).toBe(world.ids()[0]);
      expect([world.keys(0), world.keys(1), world.keys(2)]).toEqual([['a.md'], ['a.md'], ['b.md']]);
      killed.resolve(down);
      await dead.settled();
      world.wait(second);
      await world.pass();
      expect(world.received).toHaveLength(3);
    });

    test('one that stops ends its attempt, which is made again by the next', async () => {
      await world.create();
      await world.push(['a.md']);
      world.answer(
        (_, signal) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => reject(signal.reason));
          }),
      );
      await world.look();
      await world.dispatcher().pass();
      await expect.poll(() => world.received.length).toBe(1);
      await world.dispatcher().close();
      world.restart('two');
      world.answer(() => delivered);
      world.wait(second);
      await world.pass();
      expect(world.ids()[1]).toBe(world.ids()[0]);
      expect(world.errors).toEqual([]);
    });
  });
});

describeOnMongo('webhooks', (connection) => {
  test('with nothing to tell cost a page of them now and then, and nothing in between, however many they are', async () => {
    const { connection: recorded, asked } = recordedMongo(connection());
    const world = await webhookWorld({ engine: 'mongodb', connection: recorded });
    for (let team = 0; team < 30; team += 1) await world.create({}, `team ${team}`);
    await world.pass();
    world.wait(second);
    asked.length = 0;
    for (let look = 0; look < 5; look += 1) {
      world.wait(second);
      await world.dispatcher().look();
    }
    expect(asked).toEqual([]);
    await world.dispatcher().pass();
    expect(asked).toEqual(['find webhooks', 'find webhooks', 'countDocuments webhooks']);
    await world.push(['a.md'], 'team', 'team 7');
    await world.look();
    await world.dispatcher().look();
    await world.dispatcher().settled();
    expect(world.received).toHaveLength(1);
    await world.close();
  });
});
