import { createAdminClient } from '@teammemory/client/rpc/admin-client.ts';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { expect, onTestFinished, test } from 'vitest';
import { item } from './support/http/api.ts';
import { newTeam } from './support/http/key-holder.ts';
import { openMessage, request, sendMessage } from './support/http/mcp.ts';
import { asAdministrator } from './support/service/as-administrator.ts';
import { type RunningService, startService, type Team } from './support/service/running-service.ts';
import { describeEachService } from './support/service/shared-service.ts';

/** How soon a stream ends whose key is revoked, and what a loaded machine may add. */
const [revokedWithinMs, graceMs] = [5_000, 5_000];
/** Streams that a key may have. */
const maxStreamsOfKey = 16;
const open = { tier: 'external' };

const uriOf = ({ slug }: Pick<Team, 'slug'>, rowKey: string) => `tms://${slug}/${rowKey}`;

/** Opens a stream of changes, which is left when the test ends. */
async function subscribe(
  service: RunningService,
  team: Pick<Team, 'slug'>,
  key: string,
  resources: string[],
  resourcesListChanged = false,
) {
  const leaving = new AbortController();
  onTestFinished(() => leaving.abort());
  const notifications = { resourceSubscriptions: resources, resourcesListChanged };
  const message = request('subscriptions/listen', { notifications }, 'mine');
  const response = await openMessage(service, team, key, message, { signal: leaving.signal });
  let received = '';
  async function receive(): Promise<void> {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) received += decoder.decode(chunk, { stream: true });
  }
  const ended = receive();
  ended.catch(() => undefined);
  // biome-ignore lint/suspicious/noExplicitAny: messages of every kind
  const messages = (): any[] =>
    [...received.slice(0, received.lastIndexOf('\n\n') + 2).matchAll(/^data: (.*)$/gm)].map(([, data = '']) =>
      JSON.parse(data),
    );
  const told = () =>
    messages()
      .slice(1)
      .filter(({ method }) => method !== undefined)
      .map(({ method, params }) => params.uri ?? method);
  return { response, messages, told, ended, hangUp: () => leaving.abort() };
}

const acknowledged = (stream: { messages(): unknown[] }) =>
  eventually('the acknowledgement', () => stream.messages().length > 0);
const listChanged = 'notifications/resources/list_changed';

describeEachService('subscriptions/listen', (service) => {
  test('tells of the named resources that change, are new or are removed, decisions included, and of the list', async () => {
    const clients = await newTeam(service());
    await clients.team.push(item('notes/kept.md'), item('notes/gone.md'));
    const named = ['notes/kept.md', 'notes/gone.md', 'notes/new note.md'].map((key) =>
      uriOf(clients, encodeURI(key)),
    );
    const [kept = '', gone = '', fresh = ''] = named;
    const stream = await subscribe(service(), clients, clients.teamKey, named, true);
    expect(stream.response.status).toBe(200);
    await acknowledged(stream);
    expect(stream.messages()[0]).toMatchObject({
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications: { resourceSubscriptions: named, resourcesListChanged: true } },
    });
    const toldAfter = async (uris: string[], change: () => Promise<unknown>) => {
      const before = stream.told().length;
      await change();
      await eventually('the change is told', () => stream.told().length >= before + uris.length);
      expect(stream.told().slice(before)).toEqual(uris);
    };
    await toldAfter([kept, listChanged], () => clients.team.push(item('notes/kept.md', 'changed')));
    await toldAfter([fresh, listChanged], () => clients.team.push(item('notes/new note.md')));
    await toldAfter([listChanged], () => clients.team.push(item('notes/unnamed.md')));
    await toldAfter([gone, listChanged], () => clients.team.remove('notes/gone.md'));

    const decision = { title: 'Paint', body: 'Red.', audience: 'team' } as const;
    const { decision_id: id } = await asAdministrator(service(), (admin) =>
      admin.decisions(clients.slug).create(decision),
    );
    const uri = uriOf(clients, `decisions/${id}`);
    const ofDecision = await subscribe(service(), clients, clients.teamKey, [uri]);
    await acknowledged(ofDecision);
    const edit = { body: 'Blue.' };
    await asAdministrator(service(), (admin) => admin.decisions(clients.slug).edit(id, edit));
    await eventually('the decision is told', () => ofDecision.told().length > 0);
    expect(ofDecision.told()).toEqual([uri]);
  });

  test('never tells an external key, or another team, of what it may not see', async () => {
    const [clients, others] = [await newTeam(service()), await newTeam(service())];
    await clients.team.push(item('secret.md'), item('open.md', 'open', open));
    const named = ['secret.md', 'secret-2.md', 'open.md'].map((key) => uriOf(clients, key));
    const external = await subscribe(service(), clients, clients.externalKey, named, true);
    const foreign = await subscribe(service(), others, others.teamKey, named, true);
    const ofTeam = await subscribe(service(), clients, clients.teamKey, named);
    await Promise.all([external, foreign, ofTeam].map(acknowledged));

    await clients.team.push(item('secret.md', 'changed'), item('secret-2.md'));
    await eventually('the team is told', () => ofTeam.told().length >= 2);
    await clients.team.remove('secret.md');
    await eventually('the team is told of the removal', () => ofTeam.told().length >= 3);
    // What comes next is the first that they may see.
    await others.team.push(item('secret.md'));
    await clients.team.push(item('open.md', 'opened', open));
    await eventually('the external key is told', () => external.told().length >= 2);
    await eventually('the other team is told', () => foreign.told().length >= 1);
    expect(external.told()).toEqual([uriOf(clients, 'open.md'), listChanged]);
    expect(foreign.told()).toEqual([listChanged]);
  });

  test('a stream ends when its key is revoked; other keys keep theirs', async () => {
    const clients = await newTeam(service());
    const doomed = await subscribe(service(), clients, clients.teamKey, [], true);
    const other = await subscribe(service(), clients, clients.externalKey, [], true);
    await Promise.all([doomed, other].map(acknowledged));
    const admin = createAdminClient({ rpcUrl: service().rpcUrl, token: service().adminToken });
    await admin.revokeKey(clients.teamKey.split('_')[1] ?? '');
    const revokedMs = performance.now();
    admin.close();
    await doomed.ended;
    expect(performance.now() - revokedMs).toBeLessThan(revokedWithinMs + graceMs);
    expect(doomed.messages().at(-1)).toMatchObject({ id: 'mine', result: { resultType: 'complete' } });
    await clients.external.push(item('goes-on.md', 'on', open));
    await eventually('the other key is told', () => other.told().length > 0);
  }, 30_000);

  test('a key has a bounded number of streams, and a subscription a bounded size', async () => {
    const clients = await newTeam(service());
    const connect = () => subscribe(service(), clients, clients.teamKey, [], true);
    const streams = await Promise.all(Array.from({ length: maxStreamsOfKey }, connect));
    expect(streams.map(({ response }) => response.status)).toEqual(streams.map(() => 200));
    const send = (resourceSubscriptions: string[]) =>
      sendMessage(
        service(),
        clients,
        clients.teamKey,
        request('subscriptions/listen', { notifications: { resourceSubscriptions } }),
      );
    const tooMany = await send(['a']);
    expect([tooMany.status, tooMany.body.code]).toEqual([503, 'unavailable']);
    const large = await send([uriOf(clients, 'a'.repeat(65_536))]);
    expect([large.status, large.body.code]).toEqual([413, 'payload_too_large']);
    const many = await send(Array.from({ length: 1_001 }, (_, index) => `tms:${index}`));
    expect([many.status, many.body.code]).toEqual([422, 'invalid_request']);
    streams[0]?.hangUp();
    await eventually('room for one more', async () => (await connect()).response.status === 200);
  });
});

test('a stream ends cleanly, and at once, when the gateway shuts down', async () => {
  const service = await startService();
  try {
    const team = await service.createTeam();
    const stream = await subscribe(service, team, team.teamKey, [], true);
    await acknowledged(stream);
    const exit = service.end('SIGTERM');
    // One that goes on is broken off after 5 s.
    await stream.ended;
    expect(stream.messages().at(-1)).toMatchObject({ id: 'mine', result: { resultType: 'complete' } });
    expect(await exit).toBe(0);
  } finally {
    await service.remove();
  }
});

test('whoever leaves a stream, or asks for one that the protocol refuses, frees all that it held', async () => {
  const service = await startService();
  try {
    const team = await service.createTeam();
    const isNothingHeld = async () => {
      const held = (await service.metrics()).matchAll(/^teammemory_http_change_streams_open (\d+)$/gm);
      return Array.from(held, ([, streams]) => Number(streams)).every((streams) => streams === 0);
    };
    const stream = await subscribe(service, team, team.teamKey, [], true);
    await acknowledged(stream);
    expect(await isNothingHeld()).toBe(false);
    stream.hangUp();
    const message = request('subscriptions/listen', {});
    expect((await sendMessage(service, team, team.teamKey, message)).body.error.code).toBe(-32_602);
    const nothing = request('subscriptions/listen', { notifications: {} });
    expect((await sendMessage(service, team, team.teamKey, nothing)).body.result.resultType).toBe('complete');
    await eventually('nothing is held', isNothingHeld);
  } finally {
    await service.remove();
  }
});
