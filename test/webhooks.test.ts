import { createMemberClient } from '@teammemory/client/rpc/member-client.ts';
import type { WebhookMethods } from '@teammemory/client/rpc/webhooks.ts';
import { describeEachEngine } from '@teammemory/testkit/describe-each-engine.ts';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { item } from './support/http/api.ts';
import { newTeam, type TeamClients } from './support/http/key-holder.ts';
import { asAdministrator } from './support/service/as-administrator.ts';
import { type RunningService, type StartedService, startService } from './support/service/running-service.ts';
import { describeEachService, serviceOptionsFor } from './support/service/shared-service.ts';
import { isSignedWith, type Receiver, startReceiver } from './support/webhooks/receiver.ts';

const environment = { WEBHOOK_ALLOWED_ADDRESSES: '127.0.0.1', ITEM_WRITES_PER_MINUTE: '100000' };
const patience = { withinMs: 20_000 };

const receivers: Receiver[] = [];
async function receiver(): Promise<Receiver> {
  const started = await startReceiver();
  receivers.push(started);
  return started;
}
afterEach(async () => {
  for (const started of receivers.splice(0)) await started.close();
});

/** Does something with the webhooks of a team, as an administrator of the installation. */
const withWebhooks = <Result>(
  service: RunningService,
  team: { slug: string },
  work: (webhooks: WebhookMethods) => Promise<Result>,
) => asAdministrator(service, (admin) => work(admin.webhooks(team.slug)));

/** Does something with the webhooks of the team of a key, as the member who has it. */
async function withKey<Result>(
  { rpcUrl }: RunningService,
  key: string,
  work: (webhooks: WebhookMethods) => Promise<Result>,
): Promise<Result> {
  const member = createMemberClient({ rpcUrl, key });
  try {
    return await work(member.webhooks);
  } finally {
    member.close();
  }
}

const toldKeys = ({ events }: Receiver) =>
  events.flatMap(({ data }) => data.changes ?? []).map((change) => change.row_key);

describeEachService(
  'webhooks',
  (service) => {
    let team: TeamClients;
    let to: Receiver;
    beforeEach(async () => {
      team = await newTeam(service());
      to = await receiver();
    });
    const told = (rowKey: string, by = to) =>
      eventually(`${rowKey} is told`, () => toldKeys(by).includes(rowKey), patience);

    test('tell of items, tasks and decisions in signed events whose cursors lead to what changed', async () => {
      const { secret } = await withWebhooks(service(), team, (webhooks) => webhooks.create({ url: to.url }));
      await team.team.push(item('tasks.md', '---\ntype: tasks\n---\n\n- [ ] Paint the boat\n'));
      await told('tasks.md');
      await asAdministrator(service(), (admin) =>
        admin.createDecision({ team: team.slug, title: 'Use paint', body: 'Blue.', audience: 'team' }),
      );
      const types = () => new Set(to.events.map(({ type }) => type));
      await eventually('decisions are told', () => types().has('decisions.changed'), patience);
      for (const event of to.events) {
        expect(isSignedWith(secret, event)).toBe(true);
        expect(event.data).toMatchObject({ team: team.slug, tier: 'team' });
        expect(event.text).not.toMatch(/paint|boat|blue/i);
        const { list, cursor, next_cursor, changes } = event.data;
        const { body } = await team.team.call(`/${list}?cursor=${cursor}&include_deleted=true`);
        const id = { items: 'row_key', tasks: 'task_id', decisions: 'decision_id' }[list] ?? '';
        const named = changes.map((change) => (change as Record<string, unknown>)[id]);
        expect(body[list].map((row: Record<string, unknown>) => row[id])).toEqual(
          expect.arrayContaining(named),
        );
        expect(typeof next_cursor).toBe('string');
      }
      const last = to.events.findLast(({ type }) => type === 'items.changed');
      const { body } = await team.team.pull(`?cursor=${last?.data.next_cursor}`);
      expect(body.items).toEqual([]);
    });

    test('of tier external tell external keys’ changes only, with cursors for these keys', async () => {
      await withWebhooks(service(), team, (webhooks) =>
        webhooks.create({ url: to.url, tier: 'external', lists: ['items'] }),
      );
      const all = await receiver();
      await withWebhooks(service(), team, (webhooks) => webhooks.create({ url: all.url, lists: ['items'] }));
      await team.team.push(item('hidden.md'));
      await told('hidden.md', all);
      await team.team.push(item('shown.md', 'shown', { tier: 'external' }));
      await told('shown.md');
      expect(toldKeys(to)).toEqual(['shown.md']);
      const { cursor } = to.events[0]?.data ?? {};
      const { body } = await team.external.pull(`?cursor=${cursor}`);
      expect(body.items.map(({ row_key }: { row_key: string }) => row_key)).toEqual(['shown.md']);
      expect((await team.team.pull(`?cursor=${cursor}`)).body.code).toBe('invalid_cursor');
    });

    test('belong to their team: its administrators look after them, and nobody else does', async () => {
      const other = await newTeam(service());
      const { webhook_id: id } = await withKey(service(), team.teamKey, (webhooks) =>
        webhooks.create({ url: to.url }),
      );
      const listed = await withKey(service(), team.teamKey, (webhooks) => webhooks.list());
      expect(listed).toMatchObject([{ webhook_id: id, url: `${to.url}/`, on: true, last_error: null }]);
      expect(JSON.stringify(listed)).not.toContain('whsec_');
      expect(await withKey(service(), other.teamKey, (webhooks) => webhooks.list())).toEqual([]);
      const acts: ((webhooks: WebhookMethods) => Promise<unknown>)[] = [
        (webhooks) => webhooks.edit(id, { on: false }),
        (webhooks) => webhooks.rotate(id),
        (webhooks) => webhooks.replay(id, { since: new Date(0) }),
        (webhooks) => webhooks.test(id),
        (webhooks) => webhooks.remove(id),
      ];
      for (const act of acts)
        await expect(withKey(service(), other.teamKey, act)).rejects.toMatchObject({ code: 'not_found' });
      const member = await team.newKey('team', { member: 'bo' });
      for (const key of [member, team.externalKey, team.readKey])
        for (const act of [...acts, (webhooks: WebhookMethods) => webhooks.list()])
          await expect(withKey(service(), key, act)).rejects.toMatchObject({ code: 'permission_denied' });
      await other.team.push(item('theirs.md'));
      await team.team.push(item('ours.md'));
      await told('ours.md');
      expect(toldKeys(to)).not.toContain('theirs.md');
      await withKey(service(), team.teamKey, (webhooks) => webhooks.remove(id));
      expect(await withKey(service(), team.teamKey, (webhooks) => webhooks.list())).toEqual([]);
    });

    test('are refused for private addresses that no setting allows, and beyond twenty of a team', async () => {
      const create = (url: string) =>
        withWebhooks(service(), team, (webhooks) => webhooks.create({ url, lists: ['items'] }));
      for (const url of ['https://10.0.0.1/', 'https://[::1]/', 'https://169.254.169.254/', 'ftp://a.org/'])
        await expect(create(url)).rejects.toMatchObject({ code: 'invalid_request' });
      await Promise.all(Array.from({ length: 20 }, (_, index) => create(`${to.url}/${index}`)));
      await expect(create(to.url)).rejects.toMatchObject({ code: 'quota_exceeded' });
    });

    test('say how a test ended, and call nothing by a redirect', async () => {
      const inside = await receiver();
      const { webhook_id: id, secret } = await withWebhooks(service(), team, (webhooks) =>
        webhooks.create({ url: to.url }),
      );
      const ping = () => withWebhooks(service(), team, (webhooks) => webhooks.test(id));
      expect(await ping()).toEqual({ delivered: true, result: 'answered with status 204' });
      expect(to.events[0]).toMatchObject({ type: 'ping', data: { team: team.slug } });
      expect(to.events.map((event) => isSignedWith(secret, event))).toEqual([true]);
      to.answer((response) => response.writeHead(302, { location: inside.url }).end());
      expect(await ping()).toEqual({ delivered: false, result: 'answered with status 302' });
      await to.close();
      expect(await ping()).toEqual({ delivered: false, result: 'the connection was refused' });
      expect(inside.events).toEqual([]);
    });

    test('deliver to a receiver that failed under the same id, and not later to others', async () => {
      const fine = await receiver();
      for (const url of [to.url, fine.url])
        await withWebhooks(service(), team, (webhooks) => webhooks.create({ url, lists: ['items'] }));
      const held: (() => void)[] = [];
      to.answer((response) => void held.push(() => response.writeHead(503).end()));
      await team.team.push(item('a.md'));
      await told('a.md');
      await team.team.push(item('b.md'));
      await told('b.md', fine);
      to.answer(204);
      for (const fail of held) fail();
      const failing = () =>
        withWebhooks(service(), team, (webhooks) => webhooks.list()).then((listed) =>
          listed.find(({ failing_since }) => failing_since !== null),
        );
      expect(await eventually('it is said to fail', failing, patience)).toMatchObject({
        on: true,
        next_attempt_at: expect.any(String),
        last_error: 'answered with status 503',
        deliveries: [{ list: 'items', attempts: 1, delivered: false, result: 'answered with status 503' }],
      });
      await told('b.md');
      const [first, second] = to.events;
      expect(second?.id).toBe(first?.id);
      expect(second?.text).toBe(first?.text);
      const metrics = await service().metrics();
      expect(metrics).toMatch(/teammemory_webhook_deliveries_total\{outcome="failed"\} [1-9]/);
      expect(metrics).toMatch(/teammemory_webhook_deliveries_total\{outcome="delivered"\} [1-9]/);
    });

    test('rotate their secret with an overlap, and replay from a cursor and from a time', async () => {
      const first = await withWebhooks(service(), team, (webhooks) =>
        webhooks.create({ url: to.url, lists: ['items'] }),
      );
      await team.team.push(item('a.md'));
      await told('a.md');
      const second = await withWebhooks(service(), team, (webhooks) => webhooks.rotate(first.webhook_id));
      await team.team.push(item('b.md'));
      await told('b.md');
      const signed = ({ secret }: { secret: string }) =>
        isSignedWith(secret, to.events.at(-1) as Receiver['events'][number]);
      expect([signed(first), signed(second)]).toEqual([true, true]);
      const third = await withWebhooks(service(), team, (webhooks) =>
        webhooks.rotate(first.webhook_id, { overlapMs: 0 }),
      );
      expect(third.previous_secret_until).toBeNull();
      const cursor = to.events[0]?.data.cursor ?? '';
      for (const start of [{ list: 'items' as const, cursor }, { since: new Date(0) }]) {
        const before = to.events.length;
        await withWebhooks(service(), team, (webhooks) => webhooks.replay(first.webhook_id, start));
        await eventually('a replay', () => to.events.length > before, patience);
        expect(to.events.at(-1)?.data.changes.map(({ row_key }) => row_key)).toEqual(['a.md', 'b.md']);
      }
      expect([signed(first), signed(second), signed(third)]).toEqual([false, false, true]);
      expect(new Set(to.events.map(({ id }) => id)).size).toBe(to.events.length);
    });

    test('that are gone are switched off with a line in the log, and go on where they ended', async () => {
      to.answer(410);
      const { webhook_id: id } = await withWebhooks(service(), team, (webhooks) =>
        webhooks.create({ url: to.url, lists: ['items'] }),
      );
      await team.team.push(item('a.md'));
      const listed = async () => (await withWebhooks(service(), team, (webhooks) => webhooks.list()))[0];
      await eventually('it is off', async () => (await listed())?.off_reason === 'gone', patience);
      expect(await listed()).toMatchObject({ on: false, last_error: 'answered with status 410' });
      const line = await eventually('a line in the log', () =>
        service()
          .output()
          .stderr.split('\n')
          .find((one) => one.includes(id)),
      );
      expect(JSON.parse(line)).toMatchObject({ level: 'warn', team: team.slug, reason: 'gone' });
      expect(line).not.toContain(to.url);
      to.answer(204);
      await withWebhooks(service(), team, (webhooks) => webhooks.edit(id, { on: true }));
      await eventually('it is told again', () => to.events.length === 2, patience);
      expect(to.events[1]?.id).toBe(to.events[0]?.id);
    });
  },
  { environment },
);

/** How often the program is killed while it delivers; on MongoDB the next one waits for the lease of the one before. */
const kills = { sqlite: 4, mongodb: 1 } as const;

let running: StartedService | undefined;
afterEach(async () => {
  await running?.remove();
  running = undefined;
});

describeEachEngine('kill -9 while an event is sent', ({ name, storage }) => {
  test('loses nothing, and what is sent again has the same id', { timeout: 120_000 }, async () => {
    const to = await receiver();
    const options = serviceOptionsFor(storage(), environment);
    const pushed: string[] = [];
    let team: TeamClients | undefined;
    for (let kill = 1; kill <= kills[name]; kill += 1) {
      const started = await startService(options);
      running = started;
      if (team === undefined) {
        team = await newTeam(started);
        await withWebhooks(started, team, (webhooks) => webhooks.create({ url: to.url, lists: ['items'] }));
      }
      const killed = Promise.withResolvers<void>();
      const end = () => started.end('SIGKILL').then(() => killed.resolve());
      // One row at least is acknowledged.
      to.answer(() => void (kill === 1 ? isStored.then(end) : end()));
      const rowKey = `${kill}.md`;
      const { key } = team.team;
      const url = `${started.url}/api/v1/items`;
      const headers = {
        authorization: `Bearer ${key}`,
        'x-svc-team': team.slug,
        'content-type': 'application/json',
      };
      const body = JSON.stringify({ items: [item(rowKey)] });
      // From the second start on, the event that is sent again may end the program before it has answered.
      const isStored = fetch(url, { method: 'POST', headers, body }).then(
        ({ status }) => status === 200,
        () => false,
      );
      if (await isStored) pushed.push(rowKey);
      await killed.promise;
    }
    to.answer(204);
    const unanswered = to.events.length;
    running = await startService(options);
    const answered = () => toldKeys({ ...to, events: to.events.slice(unanswered) });
    expect(pushed.length).toBeGreaterThan(0);
    const all = () => pushed.every((rowKey) => answered().includes(rowKey));
    await eventually('every row is told to a receiver that answers', all, { withinMs: 60_000 });
    const byId = Map.groupBy(to.events, ({ id }) => id);
    expect(byId.get(to.events[0]?.id ?? '')?.length).toBeGreaterThan(1);
    for (const repeated of byId.values())
      expect(new Set(repeated.map(({ data }) => `${data.cursor} ${data.next_cursor}`)).size).toBe(1);
  });
});
