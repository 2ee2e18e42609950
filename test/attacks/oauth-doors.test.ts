import { eventually } from '@teammemory/testkit/eventually.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { attackedService, besideBystanders } from '../support/attacks/attacked-service.ts';
import { api, item } from '../support/http/api.ts';
import { browserRequest, openSession, sameOrigin } from '../support/http/browser-session.ts';
import { keyHolder, newTeam } from '../support/http/key-holder.ts';
import { problem } from '../support/http/problem.ts';
import {
  ask,
  attempt,
  codeForm,
  connectApp,
  decide,
  type OAuthApp,
  sendForm,
  startOAuthApp,
} from '../support/mcp/oauth-app.ts';
import { postMessage, toolCall } from '../support/mcp/raw-message.ts';
import { exchange } from '../support/rpc/caller-tokens.ts';
import { rpcCall } from '../support/rpc/rpc-call.ts';
import { asAdministrator } from '../support/service/as-administrator.ts';

const attacked = attackedService({ OAUTH_ALLOWED_ADDRESSES: '127.0.0.1' });
const [longMs, endsWithinMs] = [120_000, 5_000];
const authService = 'teammemory.auth.v1.AuthService';
const somebody = { team: 'rivers', member: 'ada', tier: 'team' };

let app: OAuthApp;
let evil: OAuthApp;
beforeAll(async () => {
  app = await startOAuthApp();
  evil = await startOAuthApp({ client_name: 'Otter', redirect_uris: ['https://evil.example/callback'] });
});
afterAll(async () => {
  await app?.close();
  await evil?.close();
});

const search = toolCall('search', { query: 'ferry mill' });
const call = (token: string, path = '/mcp', message: object = search) =>
  postMessage(attacked().service, message, { path, headers: { authorization: `Bearer ${token}` } });
const codeOf = (location: string) => new URL(location).searchParams.get('code') ?? '';
const token = (form: Record<string, string>) => sendForm(attacked().service, '/oauth/token', form);
const refresh = (clientId: string, refreshToken: string) =>
  token({ grant_type: 'refresh_token', client_id: clientId, refresh_token: refreshToken });
const ended = (accessToken: string) =>
  eventually('the end of the app', async () => (await call(accessToken)).status === 401, {
    withinMs: endsWithinMs,
  });

test('a stranger has no document fetched, decides nothing and guesses no token, and everybody works meanwhile', {
  timeout: longMs,
}, async () => {
  const { service } = attacked();
  const team = await service.createTeam();
  const connected = await connectApp(service, app.clientId, team.teamKey);
  const fetched = app.fetched();
  const { query } = attempt(service, `${app.clientId}?fresh`);
  const shape = (prefix: string) => `${prefix}_${'a'.repeat(16)}_${'b'.repeat(43)}`;
  await besideBystanders({ ...attacked(), name: 'invented tokens', boundMegabytes: 50 }, async () => {
    const statuses = new Set<number>();
    const flood = Array.from({ length: 40 }, async () => {
      for (let n = 0; n < 10; n += 1) {
        const consent = await browserRequest(service, '/oauth/consent', {
          body: { request: query, decision: { ...somebody, access: 'write', days: 90 } },
          headers: { ...sameOrigin, cookie: `tms_session=${shape('tmsn')}` },
        });
        expect(consent.status).toBe(401);
        statuses.add((await refresh(app.clientId, shape('tmsr'))).status);
      }
    });
    await Promise.all(flood);
    expect(statuses).toEqual(new Set([400]));
  });
  expect(app.fetched()).toBe(fetched);
  const large = await token({ client_id: 'x'.repeat(10_000) });
  expect(large.status).toBe(413);
  // Whoever holds a token is not kept from it by strangers.
  expect((await call(connected.accessToken)).status).toBe(200);
});

test('no page of another origin decides, frames the page or has an answer of another issuer', async () => {
  const { service } = attacked();
  const team = await service.createTeam();
  const session = await openSession(service, { key: team.teamKey });
  const decision = { access: 'read', days: 1, team: team.slug, member: 'ada', tier: 'team' };
  const body = { request: attempt(service, app.clientId).query, decision };
  const { host } = new URL(service.url);
  const foreign: Record<string, string>[] = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { host: 'evil.example', origin: 'http://evil.example' },
    { host: `${host}.evil.example` },
  ];
  for (const headers of foreign) {
    const answer = await session.send('/oauth/consent', { body, headers });
    expect(answer.body, JSON.stringify(headers)).toMatchObject({ code: 'forbidden_origin', status: 403 });
  }
  const form = await session.send('/oauth/consent', {
    body: Buffer.from(new URLSearchParams({ request: body.request }).toString()),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  expect(form.body).toMatchObject(problem('unsupported_media_type'));
  const decides = await browserRequest(service, `/oauth/consent?${body.request}`, {
    headers: { ...sameOrigin, cookie: session.cookie },
  });
  expect(decides.status).toBe(405);
  const page = await fetch(`${service.url}/oauth/authorize?${body.request}`);
  expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  expect(page.headers.get('referrer-policy')).toBe('same-origin');
  for (const path of ['oauth-authorization-server', 'oauth-protected-resource/mcp']) {
    const answer = await browserRequest(service, `/.well-known/${path}`, {
      headers: { host: 'evil.example' },
    });
    expect(answer.body).toMatchObject({ code: 'forbidden_origin', status: 403 });
  }
  const { keys } = (await session.rpc(`${authService}/ListKeys`, { teamSlug: team.slug })).body;
  expect(JSON.stringify(keys)).not.toContain(app.clientId);
});

test('no address but those of the app gets an answer, however it is written', async () => {
  const { service } = attacked();
  const { teamKey } = await service.createTeam();
  const session = await openSession(service, { key: teamKey });
  const tricks = [
    ...[
      'https://evil.example/callback',
      'https://app.example/callback/../x',
      'https://app.example/callback?x=1',
    ],
    ...['https://app.example.evil.example/callback', 'https://app.example@evil.example/callback'],
    ...['https://app.example/callback#x', 'http://127.0.0.1.evil.example/callback', '//evil.example'],
    ...['http://127.0.0.1:1@evil.example/callback', 'javascript:alert(1)//', 'http://[::1]/callback', ''],
    'https://app.example/callback\nhttps://evil.example',
  ];
  for (const redirect_uri of tricks) {
    const made = attempt(service, app.clientId, { redirect_uri });
    for (const answer of [await ask(session, made), await decide(session, made)]) {
      expect(answer.body, redirect_uri).toMatchObject(problem('invalid_request'));
      expect(answer.body).not.toHaveProperty('location');
    }
  }
  const twice = attempt(service, app.clientId);
  twice.query += '&redirect_uri=https%3A%2F%2Fevil.example%2Fcallback';
  expect((await decide(session, twice)).body).toMatchObject(problem('invalid_request'));
  // Documents are read from nowhere but public addresses and those that the operator allows.
  const { port } = new URL(app.clientId);
  const ids = [
    ...[`http://127.0.0.2:${port}/client.json`, `http://localhost:${port}/client.json`],
    ...['https://169.254.169.254/latest', 'https://10.0.0.1/c', 'file:///etc/passwd', `${app.clientId}#x`],
  ];
  for (const id of ids) {
    expect((await ask(session, attempt(service, id))).body, id).toMatchObject(problem('invalid_request'));
  }
});

test('a link to the page tells an app nothing about who opens it, and sends nobody anywhere', async () => {
  const { service, other } = attacked();
  const { teamKey, slug } = await service.createTeam();
  const session = await openSession(service, { key: teamKey });
  const redirect_uri = 'https://evil.example/callback';
  const link = (fields: Record<string, string | undefined>) =>
    ask(session, attempt(service, evil.clientId, { redirect_uri, ...fields }));
  const answers = [other.slug, 'no-such-team'].map((team) =>
    link({ resource: `${service.url}/mcp/${team}` }),
  );
  const [ofOther, ofNone] = await Promise.all(answers);
  expect(ofOther?.body).toMatchObject(problem('invalid_request'));
  expect(ofOther?.body).not.toHaveProperty('location');
  expect({ ...ofNone?.body, request_id: '' }).toEqual({ ...ofOther?.body, request_id: '' });
  // Of a wrong request the page says what is wrong first; the address is for its button.
  const wrong = [{ response_type: 'token' }, { scope: 'x' }, { code_challenge: undefined }];
  for (const fields of wrong) {
    const { body } = await link(fields);
    expect(body, JSON.stringify(fields)).toMatchObject({ refused: expect.any(String) });
    expect(JSON.stringify(body)).not.toContain(slug);
  }
  for (const client_name of ['A\u202Egro.elpmaxe', 'A”.\nChecked.', 'A\u2066b\u2069']) {
    const named = await startOAuthApp({ client_name });
    expect((await ask(session, attempt(service, named.clientId))).body).toMatchObject(
      problem('invalid_request'),
    );
    await named.close();
  }
});

test('a decision is good for those whom the page named, not for who signed in meanwhile', async () => {
  const { service } = attacked();
  const shownTo = await service.createTeam();
  const meanwhile = await newTeam(service);
  const made = attempt(service, app.clientId);
  const { team, member, tier } = (await ask(await openSession(service, { key: shownTo.teamKey }), made)).body;
  const decision = { access: 'read', days: 1, team, member, tier };
  for (const key of [meanwhile.teamKey, meanwhile.externalKey]) {
    const session = await openSession(service, { key });
    const { body } = await session.send('/oauth/consent', { body: { request: made.query, decision } });
    expect(body).toMatchObject(problem('conflict'));
    const { team: _, ...less } = decision;
    const without = await session.send('/oauth/consent', { body: { request: made.query, decision: less } });
    expect(without.body).toMatchObject(problem('invalid_request'));
  }
});

test('a thief who refreshes a stolen token without end is found out by the app that has it too', {
  timeout: longMs,
}, async () => {
  const { service } = attacked();
  const { teamKey } = await service.createTeam();
  const { refreshToken: stolen } = await connectApp(service, app.clientId, teamKey);
  let thief = (await refresh(app.clientId, stolen)).body;
  for (let n = 0; n < 10; n += 1) thief = (await refresh(app.clientId, thief.refresh_token)).body;
  expect((await call(thief.access_token)).status).toBe(200);
  // Not even within the time for a lost answer: the thief has used the token that followed.
  expect((await refresh(app.clientId, stolen)).body.error).toBe('invalid_grant');
  await ended(thief.access_token);
  expect((await refresh(app.clientId, thief.refresh_token)).body.error).toBe('invalid_grant');
});

test('an app ends with the replaced key that let it act', async () => {
  const { service } = attacked();
  const team = await service.createTeam();
  const key = await team.newKey('team', { member: 'bo' });
  const connected = await connectApp(service, app.clientId, key);
  const keyId = key.split('_')[1] ?? '';
  await asAdministrator(service, (admin) => admin.rotateKey(keyId, { overlapSeconds: 0 }));
  await ended(connected.accessToken);
  expect((await refresh(app.clientId, connected.refreshToken)).body.error).toBe('invalid_grant');
});

test('a guest fills neither the list of keys nor the apps of the member, and ends own apps alone', async () => {
  const { service } = attacked();
  const team = await newTeam(service);
  const owner = await connectApp(service, app.clientId, team.teamKey);
  const guest = await openSession(service, { key: team.externalKey });
  let last = await decide(guest, attempt(service, app.clientId));
  for (let n = 0; n < 10 && last.status === 200; n += 1) {
    last = await decide(guest, attempt(service, app.clientId));
  }
  expect(last.body).toMatchObject(problem('conflict'));
  await connectApp(service, app.clientId, team.teamKey);
  for (const key of [team.externalKey, team.readKey]) {
    const session = await openSession(service, { key });
    if (key === team.readKey) await connectApp(service, app.clientId, key);
    const { keys } = (await session.rpc(`${authService}/ListKeys`, { teamSlug: team.slug })).body;
    expect(keys).toHaveLength(key === team.readKey ? 1 : 10);
    expect(JSON.stringify(keys)).not.toContain(team.teamKey.split('_')[1]);
    const revoke = (keyId: string) => session.rpc(`${authService}/RevokeKey`, { keyId });
    expect((await revoke(team.teamKey.split('_')[1] ?? '')).status).toBe(404);
    expect((await revoke(keys[0].keyId)).status).toBe(200);
  }
  expect((await call(owner.accessToken)).status).toBe(200);
});

test('a code that was stolen, injected or replayed gives nothing, and its replay ends what it gave', async () => {
  const { service } = attacked();
  const { teamKey } = await service.createTeam();
  const session = await openSession(service, { key: teamKey });
  const redirect_uri = 'https://evil.example/callback';
  const victim = attempt(service, app.clientId);
  const attacker = attempt(service, evil.clientId, { redirect_uri });
  const code = codeOf((await decide(session, victim)).body.location);
  const other = attempt(service, app.clientId);
  const stolen = [
    // By somebody without the secret of PKCE, by another app, and into another attempt of the same app.
    codeForm(app.clientId, { ...victim, codeVerifier: 'x'.repeat(43) }, code),
    codeForm(evil.clientId, victim, code),
    codeForm(evil.clientId, attacker, code),
    codeForm(app.clientId, other, code),
    codeForm(app.clientId, { ...victim, redirectUri: redirect_uri }, code),
    codeForm(app.clientId, victim, code, { resource: `${service.url}/mcp/other` }),
    { grant_type: 'refresh_token', client_id: app.clientId, refresh_token: code },
  ];
  for (const form of stolen) expect((await token(form)).body.error).toBe('invalid_grant');
  const given = await token(codeForm(app.clientId, victim, code));
  expect(given.status).toBe(200);
  expect((await call(given.body.access_token)).status).toBe(200);
  expect((await refresh(evil.clientId, given.body.refresh_token)).body.error).toBe('invalid_grant');
  await sendForm(service, '/oauth/revoke', { client_id: evil.clientId, token: given.body.access_token });
  expect((await call(given.body.access_token)).status).toBe(200);
  expect((await token(codeForm(app.clientId, victim, code))).body.error).toBe('invalid_grant');
  await ended(given.body.access_token);
  expect((await refresh(app.clientId, given.body.refresh_token)).body.error).toBe('invalid_grant');
});

test('an access token opens /mcp of its team, and no other door', async () => {
  const { service, other } = attacked();
  const team = await service.createTeam();
  const { accessToken, refreshToken } = await connectApp(service, app.clientId, team.teamKey, {
    access: 'write',
    days: 1,
  });
  expect((await call(accessToken, `/mcp/${team.slug}`)).status).toBe(200);
  for (const slug of [other.slug, 'no-such-team']) {
    expect((await call(accessToken, `/mcp/${slug}`)).status).toBe(403);
  }
  for (const text of [accessToken, refreshToken]) {
    expect((await api(service, team, text, '/api/v1/items')).status).toBe(401);
    expect((await api(service, team, text, '/api/v1/sign-in-links', { method: 'POST' })).status).toBe(401);
    const opened = await browserRequest(service, '/session', { body: { key: text }, headers: sameOrigin });
    expect(opened.status).toBe(401);
    const message = { credential: text, audience: 'auth' };
    const method = `${authService}/ExchangeCredential`;
    const { code } = await rpcCall({ rpcUrl: service.rpcUrl, protocol: 'connect', method, message });
    expect(code).toBe('unauthenticated');
  }
  expect((await call(refreshToken)).status).toBe(401);
  const elsewhere = { host: new URL(service.url).host.replace('127.0.0.1', 'localhost') };
  const moved = await browserRequest(service, '/mcp', {
    body: search,
    headers: { ...elsewhere, authorization: `Bearer ${accessToken}` },
  });
  expect(moved.status).toBe(401);
});

test('a guest and a weak key give an app no more than they have, and it ends with them', {
  timeout: longMs,
}, async () => {
  const { service } = attacked();
  const team = await newTeam(service);
  await team.team.push(
    item('ferry.md', 'The ferry leaves at nine.'),
    item('mill.md', 'The mill grinds.', { tier: 'external' }),
  );
  await besideBystanders({ ...attacked(), name: 'apps of weak keys', boundMegabytes: 50 }, async () => {
    const guest = await openSession(service, { key: team.externalKey });
    const asked = await ask(guest, attempt(service, app.clientId));
    expect(asked.body).toMatchObject({ tier: 'external', team: team.slug });
    const ofGuest = await connectApp(service, app.clientId, team.externalKey);
    await eventually('the guest finds', async () =>
      (await call(ofGuest.accessToken)).text.includes('grinds'),
    );
    expect((await call(ofGuest.accessToken)).text).not.toMatch(/nine|ferry\.md/);

    const reader = await openSession(service, { key: team.readKey });
    expect((await ask(reader, attempt(service, app.clientId))).body.access).toEqual(['read']);
    for (const access of ['propose', 'own', 'write']) {
      const more = await decide(reader, attempt(service, app.clientId), { access, days: 1 });
      expect(more.body).toMatchObject(problem('forbidden_access'));
    }
    const days = await decide(reader, attempt(service, app.clientId), { access: 'read', days: 365 });
    expect(days.body).toMatchObject(problem('invalid_request'));
    const ofReader = await connectApp(service, app.clientId, team.readKey);
    const message = {
      clientId: app.clientId,
      redirectUri: 'https://app.example/callback',
      access: 'ACCESS_READ',
    };
    const more = { codeChallenge: 'c'.repeat(43), resource: `${service.url}/mcp`, lifetimeSeconds: 60 };
    const viaPage = await reader.rpc(`${authService}/ConnectApp`, { ...message, ...more });
    expect(viaPage.status).toBe(403);
    const direct = await exchange(service, team.teamKey, 'auth');
    const { code } = await rpcCall({
      rpcUrl: service.rpcUrl,
      protocol: 'connect',
      method: `${authService}/ConnectApp`,
      message: { ...message, ...more },
      authorization: direct,
    });
    expect(code).toBe('permission_denied');

    for (const [connected, key] of [
      [ofGuest, team.externalKey],
      [ofReader, team.readKey],
    ] as const) {
      await asAdministrator(service, (admin) => admin.revokeKey(key.split('_')[1] ?? ''));
      await ended(connected.accessToken);
      expect((await refresh(app.clientId, connected.refreshToken)).body.error).toBe('invalid_grant');
    }
  });
});

test('a former administrator keeps no app, and gets none with a session from before', async () => {
  const { service } = attacked();
  const team = await service.createTeam();
  const key = await team.newKey('team', { member: 'bo' });
  await asAdministrator(service, (admin) =>
    admin.setMemberRole({ team: team.slug, handle: 'bo', role: 'admin' }),
  );
  const connected = await connectApp(service, app.clientId, key, { access: 'write', days: 90 });
  const session = await openSession(service, { key });
  const late = attempt(service, app.clientId);
  const code = codeOf((await decide(session, late)).body.location);
  await asAdministrator(service, (admin) => admin.removeMember({ team: team.slug, handle: 'bo' }));
  const after = await decide(session, attempt(service, app.clientId));
  expect(after.body).not.toHaveProperty('location');
  expect((await token(codeForm(app.clientId, late, code))).body.error).toBe('invalid_grant');
  await ended(connected.accessToken);
  expect((await refresh(app.clientId, connected.refreshToken)).body.error).toBe('invalid_grant');
  const bystander = keyHolder(service, team, team.teamKey);
  expect((await bystander.pull()).status).toBe(200);
});
