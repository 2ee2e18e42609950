import { eventually } from '@teammemory/testkit/eventually.ts';
import { describe, expect, test } from 'vitest';
import { item } from './support/http/api.ts';
import {
  type BrowserRequest,
  browserRequest,
  openSession,
  sameOrigin,
} from './support/http/browser-session.ts';
import { newTeam } from './support/http/key-holder.ts';
import { problem } from './support/http/problem.ts';
import { asAdministrator } from './support/service/as-administrator.ts';
import { sharedService } from './support/service/shared-service.ts';

/** How long a session may go on working once its key is revoked, and what a loaded machine adds. */
const revocationLimitMs = 5_000 + 15_000;
const sessionSeconds = 12 * 60 * 60;
const service = sharedService();
const behindHttps = sharedService({ environment: { PUBLIC_URL: 'https://memory.example.org' } });

const signIn = (running: { url: string }, key: string, headers: Record<string, string> = {}) =>
  browserRequest(running, '/session', { body: { key }, headers: { ...sameOrigin, ...headers } });

/** The cookies that an answer sets: their name, value and attributes. */
const cookiesOf = ({ headers }: { headers: Headers }) =>
  headers.getSetCookie().map((line) => {
    const [pair = '', ...attributes] = line.split('; ');
    const [name, value] = pair.split('=');
    return { name, value, attributes: attributes.sort() };
  });

const attributes = (...more: string[]) =>
  ['HttpOnly', `Max-Age=${sessionSeconds}`, 'Path=/', 'SameSite=Strict', ...more].sort();

describe('the cookie of a session', () => {
  const session = expect.stringMatching(/^tmsn_[0-9A-Za-z]{16}_[0-9A-Za-z]{43}$/);

  test.each(['localhost:8080', '127.0.0.1:8080', '[::1]:8080'])(
    'is secure and bound to the host on this machine, as at %s',
    async (host) => {
      const { teamKey } = await service().createTeam();
      const [cookie, ...others] = cookiesOf(await signIn(service(), teamKey, { host }));
      expect(others).toEqual([]);
      expect(cookie).toEqual({ name: '__Host-tms_session', value: session, attributes: expect.any(Array) });
      expect(withoutSecond(cookie?.attributes)).toEqual(withoutSecond(attributes('Secure')));
    },
  );

  test('is secure behind HTTPS, whatever the host is that the gateway sees', async () => {
    const { teamKey } = await behindHttps().createTeam();
    const [cookie] = cookiesOf(await signIn(behindHttps(), teamKey, { host: 'gateway.internal' }));
    expect(cookie?.name).toBe('__Host-tms_session');
    expect(cookie?.attributes).toContain('Secure');
  });

  test('is not secure over plain HTTP to another machine, nor for Safari, because browsers would drop it', async () => {
    const { teamKey } = await service().createTeam();
    const safari =
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 14_5) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15';
    const browsers: Record<string, string>[] = [
      { host: 'memory.lan:8080' },
      { host: 'localhost:8080', 'user-agent': safari },
    ];
    for (const headers of browsers) {
      const [cookie] = cookiesOf(await signIn(service(), teamKey, headers));
      expect(cookie?.name).toBe('tms_session');
      expect(withoutSecond(cookie?.attributes)).toEqual(withoutSecond(attributes()));
    }
  });

  test('is removed when its session has ended, under both names', async () => {
    const { teamKey } = await service().createTeam();
    const session = await openSession(service(), { key: teamKey });
    const ended = await session.send('/session', { method: 'DELETE' });
    expect(ended.status).toBe(204);
    const removed = cookiesOf(ended).map(({ name, value, attributes }) => [name, value, attributes?.[1]]);
    expect(removed).toEqual([
      ['__Host-tms_session', '', 'Max-Age=0'],
      ['tms_session', '', 'Max-Age=0'],
    ]);
    expect((await session.send('/session')).body.session).toBeNull();
  });
});

/** A second may pass between making a session and writing its cookie. */
const withoutSecond = (list: string[] | undefined) =>
  list?.map((attribute) => attribute.replace(/^Max-Age=431(?:99|98)$/, `Max-Age=${sessionSeconds}`));

describe('who is signed in', () => {
  test('is told without secrets: team, member, role, tier, access and until when', async () => {
    const team = await service().createTeam();
    const session = await openSession(service(), { key: team.readKey });
    const { body, headers } = await session.send('/session');
    expect(body).toEqual({
      session: {
        team: team.slug,
        member: 'ada',
        role: expect.stringMatching(/^(?:admin|member)$/),
        tier: 'team',
        access: 'read',
        key_id: team.readKey.split('_')[1],
        expires_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      },
      sign_in: { oidc: false },
    });
    expect(headers.get('cache-control')).toBe('no-store');
  });

  test('is nobody without a cookie, and with one that is malformed, unknown or a key', async () => {
    const { teamKey } = await service().createTeam();
    const unknown = `tmsn_${'A'.repeat(16)}_${'B'.repeat(43)}`;
    for (const value of ['', 'x', unknown, teamKey, '%00', 'tmsn_', `${unknown}x`]) {
      for (const name of ['__Host-tms_session', 'tms_session']) {
        const { status, body } = await browserRequest(service(), '/session', {
          headers: { ...sameOrigin, cookie: `${name}=${value}` },
        });
        expect({ value, status, session: body.session }).toEqual({ value, status: 200, session: null });
      }
    }
  });

  test('is nobody seconds after the key of the session is revoked, and calls are refused', async () => {
    const { teamKey } = await service().createTeam();
    const session = await openSession(service(), { key: teamKey });
    await asAdministrator(service(), (admin) => admin.revokeKey(teamKey.split('_')[1] ?? ''));
    await eventually(
      'the session has ended',
      async () => (await session.send('/session')).body.session === null,
      { withinMs: revocationLimitMs, everyMs: 200 },
    );
    const called = await session.rpc('teammemory.content.v1.ContentService/ListItems');
    expect([called.status, called.body.code]).toEqual([401, 'unauthenticated']);
  });
});

describe('signing in', () => {
  test('refuses a wrong credential as the API refuses a wrong key, whatever is wrong with it', async () => {
    const { teamKey } = await service().createTeam();
    const { cookie } = await openSession(service(), { key: teamKey });
    const wrong = [
      { key: 'tms_wrong' },
      { key: `${teamKey}x` },
      { key: cookie.split('=')[1] ?? '' },
      { key: service().adminToken.slice(0, 256) },
      { sign_in_token: 'tmsl_wrong' },
      { sign_in_token: teamKey },
    ];
    for (const body of wrong) {
      const answer = await browserRequest(service(), '/session', { body, headers: sameOrigin });
      expect(answer.status).toBe(401);
      expect(answer.body).toEqual(problem('invalid_key'));
      expect(answer.headers.getSetCookie()).toEqual([]);
    }
  });

  test('takes a key or the token of a link, and refuses every other body', async () => {
    const { teamKey } = await service().createTeam();
    const bodies: [unknown, number][] = [
      [{}, 422],
      [[], 422],
      ['text', 422],
      [{ key: teamKey, sign_in_token: 'x' }, 422],
      [{ key: teamKey, more: 1 }, 422],
      [{ key: '' }, 422],
      [{ key: 1 }, 422],
      [{ key: 'x'.repeat(257) }, 422],
      [{ key: { $gt: '' } }, 422],
      [Buffer.from('{"key":'), 400],
      [Buffer.from(''), 400],
      [{ key: 'x'.repeat(5_000) }, 413],
    ];
    for (const [body, status] of bodies) {
      const answer = await browserRequest(service(), '/session', { body, headers: sameOrigin });
      expect([JSON.stringify(body).slice(0, 60), answer.status]).toEqual([
        JSON.stringify(body).slice(0, 60),
        status,
      ]);
    }
  });

  test('refuses other media types and methods', async () => {
    const text = { ...sameOrigin, 'content-type': 'text/plain' };
    const asText = await browserRequest(service(), '/session', { body: { key: 'x' }, headers: text });
    expect(asText.status).toBe(415);
    for (const method of ['PUT', 'PATCH']) {
      const { status, headers } = await browserRequest(service(), '/session', {
        method,
        headers: sameOrigin,
      });
      expect([method, status, headers.get('allow')]).toEqual([method, 405, 'GET, HEAD, POST, DELETE']);
    }
  });
});

describe('a request with the cookie', () => {
  /** Everything that a cookie opens. */
  async function requestsOf(slug: string): Promise<[string, BrowserRequest][]> {
    return [
      ['/rpc/teammemory.content.v1.ContentService/ListItems', { body: {} }],
      ['/api/v1/items', { headers: { 'x-svc-team': slug }, body: { items: [item('a.md')] } }],
      ['/session', { method: 'DELETE' }],
    ];
  }
  const foreign: Record<string, string>[] = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
    { origin: 'https://evil.test' },
    { origin: 'null' },
    { origin: 'http://127.0.0.1:1' },
    { ...sameOrigin, origin: 'https://evil.test' },
    {},
  ];

  test.each(foreign)('is refused from a page of another origin, or from nowhere: %j', async (headers) => {
    const { slug, teamKey } = await service().createTeam();
    const { cookie, send } = await openSession(service(), { key: teamKey });
    for (const [path, request] of await requestsOf(slug)) {
      const answer = await browserRequest(service(), path, {
        ...request,
        headers: { ...request.headers, ...headers, cookie },
      });
      // An RPC is refused with a code of its protocol.
      const code = path.startsWith('/rpc') ? 'permission_denied' : 'forbidden_origin';
      expect([path, answer.status, answer.body.code]).toEqual([path, 403, code]);
    }
    // Nothing was ended or written.
    expect((await send('/session')).body.session?.member).toBe('ada');
    expect((await send('/api/v1/items', { headers: { 'x-svc-team': slug } })).body.items).toEqual([]);
  });

  test('is accepted from a page of this origin, by either header of the browser', async () => {
    const { slug, teamKey } = await service().createTeam();
    const { cookie } = await openSession(service(), { key: teamKey });
    for (const headers of [sameOrigin, { origin: service().url }]) {
      const answers = [];
      for (const [path, request] of (await requestsOf(slug)).slice(0, 2)) {
        const all = { ...request.headers, ...headers, cookie };
        answers.push((await browserRequest(service(), path, { ...request, headers: all })).status);
      }
      expect(answers).toEqual([200, 200]);
    }
  });

  test('to the API must name the team of the session, as every request there', async () => {
    const [mine, other] = [await newTeam(service()), await newTeam(service())];
    await mine.team.push(item('mine.md'));
    await other.team.push(item('theirs.md'));
    const { send } = await openSession(service(), { key: mine.teamKey });
    const rows = await send('/api/v1/items', { headers: { 'x-svc-team': mine.slug } });
    expect(rows.body.items.map(({ row_key }: { row_key: string }) => row_key)).toEqual(['mine.md']);
    for (const named of ['', other.slug, 'no-such-team']) {
      const { status, body } = await send('/api/v1/items', { headers: { 'x-svc-team': named } });
      expect([status, body]).toEqual([403, problem('team_forbidden')]);
    }
  });

  test('and a key as well is who the key says, so that a client behind a browser is not somebody else', async () => {
    const [mine, other] = [await service().createTeam(), await service().createTeam()];
    const { send } = await openSession(service(), { key: mine.teamKey });
    const headers = { authorization: `Bearer ${other.teamKey}`, 'x-svc-team': other.slug };
    const { body } = await send('/api/v1/whoami', { headers });
    expect(body.team).toBe(other.slug);
  });
});

test('a session is no key, and a key is no session', async () => {
  const team = await service().createTeam();
  const { cookie } = await openSession(service(), { key: team.teamKey });
  const [name, text = ''] = cookie.split('=');
  const asKey = await browserRequest(service(), '/api/v1/items', {
    headers: { authorization: `Bearer ${text}`, 'x-svc-team': team.slug },
  });
  expect([asKey.status, asKey.body]).toEqual([401, problem('invalid_key')]);
  const asSession = await browserRequest(service(), '/rpc/teammemory.content.v1.ContentService/ListItems', {
    body: {},
    headers: { ...sameOrigin, cookie: `${name}=${team.teamKey}` },
  });
  expect(asSession.status).toBe(401);
  const bearer = await browserRequest(service(), '/rpc/teammemory.content.v1.ContentService/ListItems', {
    body: {},
    headers: { ...sameOrigin, authorization: `Bearer ${team.teamKey}` },
  });
  expect(bearer.status).toBe(401);
});

test('ending all sessions ends those of this member and tier, and nobody else’s', async () => {
  const team = await service().createTeam();
  const key = await team.newKey('team', { member: 'bo' });
  const [first, second, bo, guest] = await Promise.all(
    [team.teamKey, team.readKey, key, team.externalKey].map((one) => openSession(service(), { key: one })),
  );
  expect((await guest?.send('/session?everywhere=true', { method: 'DELETE' }))?.status).toBe(204);
  expect((await first?.send('/session'))?.body.session?.member).toBe('ada');
  expect((await first?.send('/session?everywhere=true', { method: 'DELETE' }))?.status).toBe(204);
  await eventually(
    'the other session of the member has ended',
    async () => (await second?.send('/session'))?.body.session === null,
    { withinMs: revocationLimitMs, everyMs: 200 },
  );
  expect((await bo?.send('/session'))?.body.session?.member).toBe('bo');
});
