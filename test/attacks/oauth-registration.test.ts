import { afterAll, beforeAll, expect, test } from 'vitest';
import { attackedService, besideBystanders } from '../support/attacks/attacked-service.ts';
import type { Answer } from '../support/http/api.ts';
import { browserRequest, openSession } from '../support/http/browser-session.ts';
import { newTeam } from '../support/http/key-holder.ts';
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
import { asAdministrator } from '../support/service/as-administrator.ts';

// The proxy lets a test come from many addresses.
const settings = { OAUTH_DCR: 'on', OAUTH_ALLOWED_ADDRESSES: '127.0.0.1', TRUSTED_PROXIES: '127.0.0.1' };
const attacked = attackedService(settings);
const longMs = 120_000;
/** What one address may register in a minute, and how many apps are kept that nobody let act, and that a member did. */
const [perMinute, maxUnused, maxOfMember] = [20, 500, 50];
const authService = 'teammemory.auth.v1.AuthService';
const redirect_uris = ['http://127.0.0.1/callback', 'https://app.example/callback'];

let withDocument: OAuthApp;
beforeAll(async () => {
  withDocument = await startOAuthApp();
});
afterAll(() => withDocument?.close());

const registerFrom = (address: string, body: unknown = { client_name: 'Otter', redirect_uris }) =>
  browserRequest(attacked().service, '/oauth/register', { body, headers: { 'x-forwarded-for': address } });
let addresses = 0;
/** An address that has not registered anything yet. */
const newAddress = () => {
  addresses += 1;
  return `10.${addresses >> 16}.${(addresses >> 8) & 255}.${addresses & 255}`;
};
const register = (body?: unknown): Promise<Answer> => registerFrom(newAddress(), body);
const newId = async (fields: object = {}): Promise<string> => {
  const { status, body } = await register({ client_name: 'Otter', redirect_uris, ...fields });
  expect(status).toBe(201);
  return body.client_id;
};
const token = (form: Record<string, string>) => sendForm(attacked().service, '/oauth/token', form);
const call = (accessToken: string) =>
  postMessage(attacked().service, toolCall('search', { query: 'ferry mill' }), {
    headers: { authorization: `Bearer ${accessToken}` },
  });

test('a flood of registrations fills nothing, pushes out no app in use, and everybody works meanwhile', {
  timeout: longMs,
}, async () => {
  const { service } = attacked();
  const { teamKey } = await service.createTeam();
  const inUse = await newId();
  await connectApp(service, inUse, teamKey);
  const first = await newId();
  await besideBystanders({ ...attacked(), name: 'registrations', boundMegabytes: 50 }, async () => {
    const address = newAddress();
    const ofOne: number[] = [];
    for (let n = 0; n < 2 * perMinute; n += 1) ofOne.push((await registerFrom(address)).status);
    expect(ofOne).toEqual([...Array(perMinute).fill(201), ...Array(perMinute).fill(429)]);
    const large = { client_name: 'Otter', redirect_uris: [`https://app.example/${'x'.repeat(9_000)}`] };
    expect((await register(large)).status).toBe(413);
    const deep = '['.repeat(1_000);
    expect((await register(Buffer.from(deep))).status).toBe(422);
    const ofMany = Array.from({ length: 10 }, async () => {
      for (let n = 0; n < maxUnused / 10; n += 1) await newId();
    });
    await Promise.all(ofMany);
  });
  const session = await openSession(service, { key: teamKey });
  expect((await ask(session, attempt(service, first))).body).toMatchObject(problem('invalid_request'));
  expect((await ask(session, attempt(service, inUse))).body).toMatchObject({ client: { name: 'Otter' } });
  await connectApp(service, await newId(), teamKey);
});

test('a member who lets many apps act pushes out the own ones, and none of another', {
  timeout: longMs,
}, async () => {
  const { service } = attacked();
  const team = await newTeam(service);
  const ofBystander = await newId();
  await connectApp(service, ofBystander, team.teamKey);
  const ids: string[] = [];
  await besideBystanders({ ...attacked(), name: 'many apps of a member', boundMegabytes: 50 }, async () => {
    // One key lets ten act at a time.
    for (let keys = 0; keys < 6; keys += 1) {
      const key = await team.newKey('team', { member: 'mal' });
      const session = await openSession(service, { key });
      // The same app as the bystander's, too: it does not become one of this member's.
      await decide(session, attempt(service, ofBystander));
      for (let n = 0; n < 9; n += 1) {
        const id = await newId();
        expect((await decide(session, attempt(service, id))).body).toHaveProperty('location');
        ids.push(id);
      }
    }
  });
  const session = await openSession(service, { key: team.teamKey });
  const isKept = async (id: string) => (await ask(session, attempt(service, id))).status === 200;
  expect(ids.length).toBeGreaterThan(maxOfMember);
  expect([await isKept(ofBystander), await isKept(ids.at(-1) ?? '')]).toEqual([true, true]);
  expect(await isKept(ids[0] ?? '')).toBe(false);
});

test('an app that registers itself passes for none with a document, by no id and no name', async () => {
  const { service } = attacked();
  const { teamKey } = await service.createTeam();
  const session = await openSession(service, { key: teamKey });
  const ofOther = withDocument.clientId;
  const id = await newId({ client_id: ofOther, client_name: ofOther, client_uri: 'https://claude.ai' });
  expect(id).toMatch(/^registered-[0-9A-Za-z]{24}$/);
  const made = attempt(service, id);
  expect((await ask(session, made)).body.client).toEqual({ host: null, name: ofOther, redirect_host: null });
  const { origin } = new URL(ofOther);
  const ids = [
    ...[`${origin}/${id}`, `https://${id}`, `${id}/`, `${id}#`, ` ${id}`, `${id}\0`, id.toUpperCase()],
    ...[`registered-${origin}`, 'registered-', `registered-${'a'.repeat(24)}`, '$ne', '__proto__'],
  ];
  for (const client of ids) {
    const { body } = await ask(session, attempt(service, client));
    expect(body.client?.host, client).not.toBeNull();
    if (!client.startsWith(origin)) expect(body, client).toMatchObject(problem('invalid_request'));
  }
  const names = [
    ...['A\u202Egro.elpmaxe', 'A”.\nChecked.', 'A”.\u2028Checked.', 'A”.\u2029Checked.', 'A\u2066b\u2069'],
    ...['A\ud800', 'x'.repeat(101), 7, {}, ['a']],
  ];
  for (const client_name of names) {
    const { status, body } = await register({ client_name, redirect_uris });
    expect([status, body.error], JSON.stringify(client_name)).toEqual([400, 'invalid_client_metadata']);
  }
  const unnamed = await newId({ client_name: ' \u3000\u00a0' });
  expect((await ask(session, attempt(service, unnamed))).body.client.name).toBeNull();
});

test('no code goes to an address that an app did not register, and it registers none that harms', async () => {
  const { service } = attacked();
  const { teamKey } = await service.createTeam();
  const session = await openSession(service, { key: teamKey });
  const tricks = [
    ...['javascript:alert(1)', 'data:text/html,x', 'vscode://x/callback', 'http://app.example/callback'],
    ...['https://app.example@evil.example/', 'https://app.example/#x', 'http://127.0.0.1.evil.example/'],
    ...['//evil.example', '/callback', 'https://', '*', 'x'.repeat(2_049)],
  ];
  for (const address of tricks) {
    const { status, body } = await register({ redirect_uris: ['https://app.example/callback', address] });
    expect([status, body.error], address).toEqual([400, 'invalid_redirect_uri']);
  }
  const many = Array.from({ length: 21 }, (_, n) => `https://app.example/${n}`);
  expect((await register({ redirect_uris: many })).body.error).toBe('invalid_redirect_uri');
  const id = await newId();
  const others = ['https://evil.example/', 'https://app.example/callback/../x', 'http://127.0.0.1:1/other'];
  for (const redirect_uri of [...others, ...tricks]) {
    const made = attempt(service, id, { redirect_uri });
    for (const { body } of [await ask(session, made), await decide(session, made)]) {
      expect(body, redirect_uri).not.toHaveProperty('location');
      expect(body.code, redirect_uri).toBe('invalid_request');
    }
  }
});

test('an app that registered itself gets nothing with the code or token of another, at the same address', async () => {
  const { service } = attacked();
  const { teamKey } = await service.createTeam();
  const session = await openSession(service, { key: teamKey });
  const [own, evil] = [await newId(), await newId()];
  const victim = attempt(service, own);
  const code = new URL((await decide(session, victim)).body.location).searchParams.get('code') ?? '';
  for (const thief of [evil, withDocument.clientId, 'registered-', '']) {
    const { status, body } = await token(codeForm(thief, victim, code));
    expect([status, body.error]).toEqual([400, thief === '' ? 'invalid_request' : 'invalid_grant']);
  }
  const { body: given } = await token(codeForm(own, victim, code));
  const form = { grant_type: 'refresh_token', refresh_token: given.refresh_token };
  expect((await token({ ...form, client_id: evil })).body.error).toBe('invalid_grant');
  await sendForm(service, '/oauth/revoke', { client_id: evil, token: given.access_token });
  expect((await call(given.access_token)).status).toBe(200);
});

test('an app that registered itself has no more than the guest or former administrator who let it act', async () => {
  const { service } = attacked();
  const team = await newTeam(service);
  const id = await newId();
  const guest = await openSession(service, { key: team.externalKey });
  expect((await ask(guest, attempt(service, id))).body).toMatchObject({ tier: 'external' });
  const reader = await openSession(service, { key: team.readKey });
  expect((await ask(reader, attempt(service, id))).body.access).toEqual(['read']);
  const key = await team.newKey('team', { member: 'bo' });
  await asAdministrator(service, (admin) =>
    admin.setMemberRole({ team: team.slug, handle: 'bo', role: 'admin' }),
  );
  const former = await openSession(service, { key });
  const late = attempt(service, id);
  const code = new URL((await decide(former, late)).body.location).searchParams.get('code') ?? '';
  await asAdministrator(service, (admin) => admin.removeMember({ team: team.slug, handle: 'bo' }));
  expect((await token(codeForm(id, late, code))).body.error).toBe('invalid_grant');
  // What is registered is told and changed by the gateway alone.
  for (const session of [guest, reader, await openSession(service, { key: team.teamKey })]) {
    for (const [method, message] of [
      ['RegisterApp', { name: 'Otter', redirectUris: redirect_uris }],
      ['FindRegisteredApp', { clientId: id }],
    ] as const) {
      expect((await session.rpc(`${authService}/${method}`, message)).status).toBe(403);
    }
  }
});
