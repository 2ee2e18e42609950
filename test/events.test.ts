import { createAdminClient } from '@teammemory/client/rpc/admin-client.ts';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { expect, test } from 'vitest';
import { item } from './support/http/api.ts';
import { type ChangeStream, openChanges } from './support/http/change-stream.ts';
import { keyHolder, newTeam } from './support/http/key-holder.ts';
import { asAdministrator } from './support/service/as-administrator.ts';
import { startService } from './support/service/running-service.ts';
import { describeEachService } from './support/service/shared-service.ts';

/** How soon a change is told, and how soon a stream ends whose key is revoked (docs/contract.md, "Additions"). */
const [toldWithinMs, revokedWithinMs] = [2_000, 5_000];
/** What a loaded machine may add. */
const graceMs = 5_000;
/** Streams that a key may have. */
const maxStreamsOfKey = 16;
const open = { tier: 'external' };

const first = (stream: ChangeStream) => eventually('the first event', () => stream.events().length > 0);

describeEachService('GET /events', (service) => {
  test('tells the newest time of each list at once and after every change, tasks of the change included', async () => {
    const clients = await newTeam(service());
    const stream = await openChanges(service(), clients, clients.teamKey);
    expect(stream.status).toBe(200);
    await first(stream);
    expect(stream.events()).toEqual([{ items: null, tasks: null, decisions: null }]);

    await clients.team.push(item('tasks.md', '- [ ] paint the mill\n'));
    const pushedMs = performance.now();
    const [row] = await clients.team.rows();
    const [task] = (await clients.team.call('/tasks')).body.tasks;
    const expected = { items: row.updated_at, tasks: task.updated_at, decisions: null };
    await eventually(
      'the push is told',
      () => JSON.stringify(stream.events().at(-1)) === JSON.stringify(expected),
    );
    expect(performance.now() - pushedMs).toBeLessThan(toldWithinMs + graceMs);

    const decision = { title: 'Paint', body: 'Red.', audience: 'team' } as const;
    await asAdministrator(service(), (admin) => admin.decisions(clients.slug).create(decision));
    await eventually('the decision is told', () => stream.events().at(-1)?.decisions != null);
    const [decided] = (await clients.team.call('/decisions')).body.decisions;
    expect(stream.events().at(-1)).toEqual({ ...expected, decisions: decided.updated_at });

    const told = stream.events().length;
    await clients.team.remove('tasks.md');
    await eventually('the removal is told', () => stream.events().length > told);
    const [removed] = await clients.team.rows('?include_deleted=true');
    await eventually('its time', () => stream.events().at(-1)?.items === removed.updated_at);
    const late = await openChanges(service(), clients, clients.teamKey);
    await first(late);
    expect(late.events()[0]).toEqual(stream.events().at(-1));
  });

  test('an external key gets no event, and no other time, for changes of rows that it cannot see', async () => {
    const clients = await newTeam(service());
    await clients.team.push(item('tasks.md', '- [ ] a\n', open), item('secret.md'));
    const stream = await openChanges(service(), clients, clients.externalKey);
    const ofTeam = await openChanges(service(), clients, clients.teamKey);
    await Promise.all([first(stream), first(ofTeam)]);
    const [row] = (await clients.external.pull()).body.items;
    const [task] = (await clients.external.call('/tasks')).body.tasks;
    const before = { items: row.updated_at, tasks: task.updated_at, decisions: null };
    expect(stream.events()).toEqual([before]);

    // One look after the other, each after a change that only the team sees.
    const hidden = { title: 'Secret', body: '- [ ] secret', audience: 'team' } as const;
    const changes = [
      () => clients.team.push(item('secret.md', 'another')),
      () => clients.team.push(item('secret-tasks.md', '- [ ] hidden\n')),
      () => asAdministrator(service(), (admin) => admin.decisions(clients.slug).create(hidden)),
      () => clients.team.remove('secret.md'),
    ];
    for (const change of changes) {
      const told = ofTeam.events().length;
      await change();
      await eventually('the team is told', () => ofTeam.events().length > told);
    }
    await clients.team.push(item('open.md', 'Open.', open));
    await eventually('the open item is told', () => stream.events().length > 1);
    const [, shown] = (await clients.external.pull()).body.items;
    expect(stream.events()).toEqual([before, { ...before, items: shown.updated_at }]);
  });

  test('a key of another team is told nothing', async () => {
    const [busy, quiet] = [await newTeam(service()), await newTeam(service())];
    const streams = await Promise.all(
      [busy, quiet].map((team) => openChanges(service(), team, team.teamKey)),
    );
    await Promise.all(streams.map(first));
    await busy.team.push(item('a.md'));
    await eventually('the busy team is told', () => (streams[0]?.events().length ?? 0) > 1);
    expect(streams[1]?.events()).toHaveLength(1);
  });

  test('a stream ends within 5 seconds after its key is revoked or expires, and those of other keys go on', async () => {
    const clients = await newTeam(service());
    const admin = createAdminClient({ rpcUrl: service().rpcUrl, token: service().adminToken });
    const expiresAt = new Date(Date.now() + 6_000);
    const expiring = await admin.createKey({
      team: clients.slug,
      member: 'ada',
      tier: 'team',
      expiresAt,
    });
    const doomed = await openChanges(service(), clients, clients.teamKey);
    const shortLived = await openChanges(service(), clients, expiring.key);
    const other = await openChanges(service(), clients, clients.externalKey);
    await Promise.all([doomed, shortLived, other].map(first));
    await admin.revokeKey(clients.teamKey.split('_')[1] ?? '');
    const revokedMs = performance.now();
    admin.close();
    await doomed.ended;
    expect(performance.now() - revokedMs).toBeLessThan(revokedWithinMs + graceMs);
    await shortLived.ended;
    expect(Date.now()).toBeGreaterThanOrEqual(expiresAt.getTime());
    expect(Date.now() - expiresAt.getTime()).toBeLessThan(revokedWithinMs + graceMs);
    await clients.external.push(item('goes-on.md', 'on', open));
    await eventually('the other key is told', () => other.events().length > 1);
  }, 30_000);

  test('a key has a bounded number of streams; one too many is refused until another is left, and other keys are served', async () => {
    const clients = await newTeam(service());
    const connect = (key: string) => openChanges(service(), clients, key);
    const streams = await Promise.all(
      Array.from({ length: maxStreamsOfKey }, () => connect(clients.teamKey)),
    );
    expect(streams.map(({ status }) => status)).toEqual(streams.map(() => 200));
    // At the same gateway: each counts its own streams.
    const { url } = service();
    const refused = await keyHolder({ url }, clients, clients.teamKey).call('/events', { method: 'GET' });
    expect(refused).toMatchObject({ status: 503, body: { code: 'unavailable' } });
    expect(refused.body.detail).toMatch(/^Too many event streams are open/);
    expect(refused.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    const other = await connect(clients.externalKey);
    expect(other.status).toBe(200);
    streams[0]?.hangUp();
    await eventually('room for one more', async () => {
      const next = await connect(clients.teamKey);
      return next.status === 200;
    });
  });

  test('HEAD gets the headers of a stream and ends', async () => {
    const { team } = await newTeam(service());
    const { status, headers } = await team.call('/events', { method: 'HEAD' });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  });
});

test('a stream ends cleanly, and at once, when the gateway shuts down', async () => {
  const service = await startService();
  try {
    const team = await service.createTeam();
    const stream = await openChanges(service, team, team.teamKey);
    await first(stream);
    const exit = service.end('SIGTERM');
    // One that goes on is broken off after 5 s.
    await stream.ended;
    expect(await exit).toBe(0);
  } finally {
    await service.remove();
  }
});

test('whoever leaves a stream frees all that it held', async () => {
  const service = await startService();
  try {
    const team = await service.createTeam();
    const open = async () => {
      const held = (await service.metrics()).matchAll(/^teammemory_http_change_streams_open (\d+)$/gm);
      return Array.from(held, ([, streams]) => Number(streams)).reduce((sum, streams) => sum + streams, 0);
    };
    const stream = await openChanges(service, team, team.teamKey);
    await first(stream);
    expect(await open()).toBe(1);
    stream.hangUp();
    await eventually('nothing is held', async () => (await open()) === 0);
  } finally {
    await service.remove();
  }
});
