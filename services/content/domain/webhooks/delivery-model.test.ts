import { modelRuns, modelTimeoutMs } from '@teammemory/testkit/environment.ts';
import { temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Received, second, type WebhookWorld, webhookWorld } from './webhooks.fixture.ts';

/** What becomes of an attempt: where the answer is lost, the receiver has the event, and the service does not know. */
const outcomes = ['delivered', 'delivered', 'failed', 'answer lost'] as const;

/** What a receiver has that keeps events by their ids, and the keys that it was to be told of. */
interface Model {
  pushed: Set<string>;
  events: Map<string, Received>;
  /** Outcomes of the next attempts; after them all are delivered. */
  next: (typeof outcomes)[number][];
}

type Command = fc.AsyncCommand<Model, WebhookWorld>;

const command = (name: string, run: Command['run']): Command => ({
  check: () => true,
  run,
  toString: () => name,
});

const rowKeys = ['a.md', 'b.md', 'c.md'] as const;

const commands = [
  fc.subarray([...rowKeys], { minLength: 1 }).map((keys) =>
    command(`push ${keys}`, async (model, world) => {
      await world.push(keys);
      for (const key of keys) model.pushed.add(key);
      world.wait(1);
    }),
  ),
  fc.array(fc.constantFrom(...outcomes), { minLength: 1, maxLength: 3 }).map((next) =>
    command(`attempts: ${next}`, async (model) => {
      model.next = [...next];
    }),
  ),
  fc
    .constantFrom(1, second, 10 * second, 60 * second)
    .map((ms) => command(`${ms} ms`, async (_, world) => world.wait(ms))),
  fc.constantFrom('one', 'two').map((owner) =>
    command(`start as ${owner}`, async (_, world) => {
      await world.dispatcher().close();
      world.restart(owner);
    }),
  ),
  fc.constant(
    command('pass', async (_, world) => {
      await world.pass();
    }),
  ),
  fc.constant(
    command('two processes pass', async (_, world) => {
      const other = world.process('three');
      await world.look();
      await Promise.all([other.pass(), world.dispatcher().pass()]);
      await Promise.all([other.settled(), world.dispatcher().settled()]);
      await other.close();
    }),
  ),
];

/** Receives events in the order of the attempts. The same id must always be the same event. */
function receive(model: Model, event: Received): 'delivered' | 'failed' {
  const outcome = model.next.shift() ?? 'delivered';
  if (outcome === 'failed') return 'failed';
  const known = model.events.get(event.id);
  if (known === undefined) model.events.set(event.id, event);
  else expect(event.body.data.cursor).toBe(known.body.data.cursor);
  return outcome === 'delivered' ? 'delivered' : 'failed';
}

const runs = modelRuns(25);
test(`in ${runs.numRuns} histories of failing receivers, restarts and two processes, each change is told in one event`, {
  timeout: modelTimeoutMs(runs),
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.commands(commands, { maxCommands: 25 }), async (history) => {
      const directory = await temporaryDirectory();
      const world = await webhookWorld({ engine: 'sqlite', directory: directory.path });
      try {
        const model: Model = { pushed: new Set(), events: new Map(), next: [] };
        world.answer((event) => ({ outcome: receive(model, event), text: 'as the test says' }));
        const webhook = await world.create();
        const { dependencies } = world;
        const scope = { list: 'items', teamId: 'team', tier: 'team' } as const;
        const begins = webhook.positions.items;
        await fc.asyncModelRun(() => ({ model, real: world }), history);
        model.next = [];
        // The longest pause after so few failures, and the lease of a process that is gone.
        for (let round = 0; round < 4; round += 1) {
          world.wait(10 * 60 * second);
          await world.pass();
        }
        expect(world.errors).toEqual([]);
        const events = [...model.events.values()].map(({ body: { data } }) => ({
          afterMs: dependencies.cursors.decode(scope, data.cursor),
          untilMs: dependencies.cursors.decode(scope, data.next_cursor),
          keys: data.changes.map(({ row_key }) => row_key as string),
        }));
        // No change is left out between two events, and none is told by both.
        expect(events.map(({ afterMs }) => afterMs)).toEqual(
          [begins, ...events.map(({ untilMs }) => untilMs)].slice(0, events.length),
        );
        const newest = await world.stores.items.newestAtMs('team', 'team');
        if (model.pushed.size > 0) expect(events.at(-1)?.untilMs).toBe(newest);
        expect(new Set(events.flatMap(({ keys }) => keys))).toEqual(model.pushed);
      } finally {
        await world.close();
        await directory.remove();
      }
    }),
    runs,
  );
});
