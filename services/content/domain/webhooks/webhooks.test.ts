import { describeEachEngine } from '@teammemory/testkit/describe-each-engine.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { delivered, down, hour, second, type WebhookWorld, webhookWorld } from './webhooks.fixture.ts';
import { editWebhook, replayWebhook } from './webhooks.ts';

describeEachEngine('a webhook', (engine) => {
  let world: WebhookWorld;
  beforeEach(async () => {
    world = await webhookWorld(engine.storage());
  });
  afterEach(() => world.close());

  test('a new list begins with what changes from now on, and one that is dropped is told no more', async () => {
    const webhook = await world.create({ lists: ['tasks'] });
    await world.push(['a.md']);
    await world.pass();
    const edit = { url: 'https://new.example.org/', lists: ['items'] as const, isOn: undefined };
    const edited = await editWebhook(world.dependencies, 'team', webhook.webhookId, edit);
    expect(Object.keys(edited.positions)).toEqual(['items']);
    await world.push(['b.md']);
    world.wait(second);
    await world.pass();
    expect(world.received.map(({ url }) => url)).toEqual(['https://new.example.org/']);
    expect(world.keys(0)).toEqual(['b.md']);
  });

  describe('a replay', () => {
    test('from a cursor tells again of everything behind it, with a new id, also if it is the same changes', async () => {
      const webhook = await world.create();
      for (const rowKey of ['a.md', 'b.md']) {
        await world.push([rowKey]);
        await world.pass();
        world.wait(second);
      }
      const replayFrom = async (index: number) => {
        const cursor = world.received[index]?.body.data.cursor ?? '';
        await replayWebhook(world.dependencies, 'team', webhook.webhookId, { list: 'items', cursor });
        await world.pass();
        world.wait(second);
      };
      await replayFrom(0);
      expect(world.keys(2)).toEqual(['a.md', 'b.md']);
      await replayFrom(1);
      expect(world.keys(3)).toEqual(['b.md']);
      expect(new Set(world.ids()).size).toBe(4);
    });

    test('from a time drops the event that waits, whose changes it tells again', async () => {
      const webhook = await world.create();
      world.answer(() => down);
      await world.push(['a.md']);
      await world.pass();
      world.answer(() => delivered);
      const start = { list: undefined, sinceMs: 0 };
      const replayed = await replayWebhook(world.dependencies, 'team', webhook.webhookId, start);
      expect(replayed).toMatchObject({ positions: { items: 0 }, replays: 1 });
      expect(replayed.pending).toBeUndefined();
      world.wait(hour);
      await world.pass();
      expect([world.keys(0), world.keys(1)]).toEqual([['a.md'], ['a.md']]);
    });

    test('never skips what was not delivered, and takes no cursor of another list, team or tier', async () => {
      const webhook = await world.create();
      await world.push(['a.md']);
      const { cursors } = world.dependencies;
      const ahead = world.clock() + hour;
      const at = (scope: Parameters<typeof cursors.encode>[0]) =>
        replayWebhook(world.dependencies, 'team', webhook.webhookId, {
          list: 'items',
          cursor: cursors.encode(scope, ahead),
        });
      const scope = { list: 'items', teamId: 'team', tier: 'team' } as const;
      expect((await at(scope)).positions).toEqual(webhook.positions);
      for (const other of [
        { ...scope, list: 'tasks' as const },
        { ...scope, teamId: 'other' },
        { ...scope, tier: 'external' as const },
      ])
        await expect(at(other)).rejects.toMatchObject({ code: 'invalid_cursor' });
      await world.pass();
      expect(world.keys(0)).toEqual(['a.md']);
    });
  });
});
