import { eventually } from '@teammemory/testkit/eventually.ts';
import { expect, test } from 'vitest';
import { item } from './support/http/api.ts';
import { keyHolder, newTeam } from './support/http/key-holder.ts';
import { connectAgent } from './support/mcp/agent.ts';
import {
  asKey,
  type ModernRequest,
  modernRequest,
  postMessage,
  toolCall,
} from './support/mcp/raw-message.ts';
import { asAdministrator } from './support/service/as-administrator.ts';
import { sharedService } from './support/service/shared-service.ts';

const service = sharedService();
/** Enough for a loaded machine to use the key before. */
const expiryMs = 10_000;
/** So soon after it was revoked or has expired a key is refused, and what a loaded machine adds. */
const endsWithinMs = 5_000 + 15_000;
const note = (row_key: string, content = 'a', base_checksum: string | null = null) => ({
  row_key,
  content,
  base_checksum,
});
/** The least that each era can ask for. */
const messages = [{ body: toolCall('tasks', {}), headers: {} }, modernRequest('tools/list')];

async function statusOf(key: string, slug: string, { body, headers } = messages[0] as ModernRequest) {
  return (await postMessage(service(), body, { headers: { ...asKey(key, slug), ...headers } })).status;
}

test('without a key, or with one that is none, the answer is 401 and says where the metadata is', async () => {
  const { slug } = await newTeam(service());
  for (const { body, headers: more } of messages) {
    for (const key of [undefined, 'nonsense', `tms_${'a'.repeat(16)}_${'b'.repeat(43)}`]) {
      const headers = key === undefined ? { 'x-svc-team': slug } : asKey(key, slug);
      const answer = await postMessage(service(), body, { headers: { ...headers, ...more } });
      expect(answer.status).toBe(401);
      const challenge = answer.headers.get('www-authenticate') ?? '';
      const url = /^Bearer .*resource_metadata="([^"]+)"/.exec(challenge)?.[1] ?? '';
      const metadata = await (await fetch(url)).json();
      expect(metadata).toMatchObject({ resource: expect.stringMatching(/\/mcp$/) });
      expect(answer.text).not.toContain(slug);
    }
  }
});

test('a key of another team, and a team that is none, are refused alike, in the header and in the path', async () => {
  const [mine, other] = [await newTeam(service()), await newTeam(service())];
  for (const message of messages) {
    const { body } = message;
    for (const slug of [other.slug, 'no-such-team']) {
      expect(await statusOf(mine.teamKey, slug, message)).toBe(403);
      const headers = { authorization: `Bearer ${mine.teamKey}`, ...message.headers };
      const { status, text } = await postMessage(service(), body, { headers, path: `/mcp/${slug}` });
      expect([status, text.includes('"result"')]).toEqual([403, false]);
    }
    expect(await statusOf(mine.teamKey, mine.slug, message)).toBe(200);
  }
});

test('a header and a path that name two teams are refused', async () => {
  const [mine, other] = [await newTeam(service()), await newTeam(service())];
  for (const [inHeader, inPath] of [
    [mine.slug, other.slug],
    [other.slug, mine.slug],
  ] as const) {
    const { status } = await postMessage(service(), toolCall('tasks', {}), {
      headers: asKey(mine.teamKey, inHeader),
      path: `/mcp/${inPath}`,
    });
    expect([400, 403]).toContain(status);
  }
});

test('a key that has expired or was revoked is refused, as on /api/v1', async () => {
  const { slug, team, newKey } = await newTeam(service());
  const revoked = await newKey('team');
  const expiring = await newKey('team', { expiresAt: new Date(Date.now() + expiryMs) });
  expect([await statusOf(expiring, slug), await statusOf(revoked, slug)]).toEqual([200, 200]);
  await asAdministrator(service(), (admin) => admin.revokeKey(revoked.split('_')[1] ?? ''));
  for (const key of [revoked, expiring]) {
    await eventually('the key is refused', async () => (await statusOf(key, slug)) === 401, {
      withinMs: expiryMs + endsWithinMs,
      everyMs: 100,
    });
    expect((await keyHolder(service(), { slug }, key).pull()).status).toBe(401);
  }
  expect(await statusOf(team.key, slug)).toBe(200);
});

test('a key that only reads is not offered push, and may not use it', async () => {
  const clients = await newTeam(service());
  const reader = await connectAgent(service(), clients, clients.readKey);
  const writer = await connectAgent(service(), clients, clients.teamKey);
  const names = async ({ client }: typeof reader) => (await client.listTools()).tools.map(({ name }) => name);
  expect(await names(writer)).toEqual(['search', 'fetch', 'ask', 'changes', 'tasks', 'push']);
  expect(await names(reader)).toEqual(['search', 'fetch', 'ask', 'changes', 'tasks']);
  const answer = await postMessage(service(), toolCall('push', note('a.md')), {
    headers: asKey(clients.readKey, clients.slug),
  });
  expect(answer.messages[0].error ?? answer.messages[0].result.isError).toBeTruthy();
  expect(await clients.team.rows()).toEqual([]);
});

test("a key with access to its own items edits those, and is told that another's are not its", async () => {
  const clients = await newTeam(service());
  await clients.team.push(item('ada.md', 'a'));
  const key = await clients.newKey('team', { member: 'bob', access: 'own' });
  const bob = await connectAgent(service(), clients, key);
  expect((await bob.call('push', note('bob.md'))).isError).toBe(false);
  expect((await bob.call('push', note('bob.md', 'b', item('', 'a').checksum))).isError).toBe(false);
  const refused = await bob.call('push', note('ada.md', 'b', item('', 'a').checksum));
  expect(refused).toMatchObject({ isError: true, text: expect.stringMatching(/may not|own|access/) });
  const rows = (await clients.team.rows()).map(({ row_key, content }) => [row_key, content]);
  expect(rows).toEqual([
    ['ada.md', 'a'],
    ['bob.md', 'b'],
  ]);
});

test('an external key pushes what is external, and nothing of tier team', async () => {
  const clients = await newTeam(service());
  const guest = await connectAgent(service(), clients, clients.externalKey);
  const refused = await guest.call('push', { ...note('a.md'), tier: 'team' });
  expect(refused).toMatchObject({ isError: true, text: expect.stringMatching(/tier/) });
  expect((await guest.call('push', { ...note('b.md'), tier: 'external' })).isError).toBe(false);
  expect((await clients.team.rows()).map(({ row_key, tier }) => [row_key, tier])).toEqual([
    ['b.md', 'external'],
  ]);
});

test('a connector that asks for search and fetch gets these two, within the tier of its key, and no other profile', async () => {
  const clients = await newTeam(service());
  await clients.team.push(
    item('secret.md', 'The ferry code is 4711.'),
    item('notes/open ferry.md', 'The ferry leaves at nine.', { tier: 'external' }),
  );
  const send = async (key: string, message: object, profile = 'search-fetch') => {
    const path = `/mcp/${clients.slug}?profile=${profile}`;
    return postMessage(service(), message, { path, headers: { authorization: `Bearer ${key}` } });
  };
  const dataOf = async (key: string, name: string, input: object) =>
    (await send(key, toolCall(name, input))).messages[0].result;
  const rowKeys = async (key: string) =>
    (await dataOf(key, 'search', { query: 'ferry' })).structuredContent.results.map(
      ({ id }: { id: string }) => id,
    );
  expect((await rowKeys(clients.teamKey)).toSorted()).toEqual(['notes/open ferry.md', 'secret.md']);
  expect(await rowKeys(clients.externalKey)).toEqual(['notes/open ferry.md']);
  const { structuredContent } = await dataOf(clients.externalKey, 'fetch', { id: 'notes/open ferry.md' });
  expect(structuredContent).toMatchObject({
    text: 'The ferry leaves at nine.',
    url: `${service().url}/memory/notes/open%20ferry.md`,
  });
  const [hidden, absent] = [
    await dataOf(clients.externalKey, 'fetch', { id: 'secret.md' }),
    await dataOf(clients.externalKey, 'fetch', { id: 'absent.md' }),
  ];
  expect(hidden).toEqual(absent);
  const push = await send(clients.teamKey, toolCall('push', note('a.md')));
  expect(push.messages[0].error.message).toMatch(/no tool push/);
  for (const profile of ['', 'all', 'search-fetch&profile=all', '__proto__']) {
    expect((await send(clients.teamKey, toolCall('tasks', {}), profile)).status).toBe(422);
  }
  const stranger = await postMessage(service(), toolCall('search', { query: 'ferry' }), {
    path: `/mcp/${clients.slug}?profile=search-fetch`,
  });
  expect(stranger.status).toBe(401);
});
