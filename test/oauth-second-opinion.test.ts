import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BrowserSession, openSession } from './support/http/browser-session.ts';
import {
  type Attempt,
  ask,
  attempt,
  codeForm,
  decide,
  type OAuthApp,
  startOAuthApp,
} from './support/mcp/oauth-app.ts';
import { type OtherServer, startOtherServer } from './support/oidc/second-opinion.ts';
import { sharedService } from './support/service/shared-service.ts';

// Wrong requests go to this service and to `oidc-provider`, which is certified. Where the answers differ, the row says why.

const service = sharedService({ environment: { OAUTH_ALLOWED_ADDRESSES: '127.0.0.1', OAUTH_DCR: 'on' } });
const form = 'application/x-www-form-urlencoded';
const doors = {
  ours: { token: '/oauth/token', revoke: '/oauth/revoke', register: '/oauth/register' },
  theirs: { token: '/token', revoke: '/token/revocation', register: '/reg' },
};
type Server = keyof typeof doors;
const servers = ['ours', 'theirs'] as const;

let app: OAuthApp;
let otherApp: OAuthApp;
let other: OtherServer;
let session: BrowserSession;
beforeAll(async () => {
  [app, otherApp] = [await startOAuthApp(), await startOAuthApp()];
  session = await openSession(service(), { key: (await service().createTeam()).teamKey });
  other = await startOtherServer({
    clientIds: [app.clientId, otherApp.clientId],
    redirectUris: ['http://127.0.0.1/callback', 'https://app.example/callback'],
    resource: `${service().url}/mcp`,
  });
});
afterAll(() => Promise.all([app?.close(), otherApp?.close(), other?.close()]));

/** A wrong request, and where this service answers differently: what, and why. */
type Row<Sent> = [is: string, sent: Sent, ours?: unknown, because?: string];

/** Expects the answers of both servers to be equal, or to differ as the row says. */
async function compare<Sent>(
  rows: readonly Row<Sent>[],
  answerTo: (sent: Sent, server: Server) => Promise<unknown>,
): Promise<void> {
  const answers: { is: string; ours: unknown }[] = [];
  const expected: typeof answers = [];
  for (const [is, sent, differing, because] of rows) {
    const [ours, theirs] = [await answerTo(sent, 'ours'), await answerTo(sent, 'theirs')];
    if (because !== undefined) expect(ours, `${is} is no difference any more`).not.toEqual(theirs);
    answers.push({ is, ours });
    expected.push({ is, ours: differing ?? theirs });
  }
  expect(answers).toEqual(expected);
}

/** Sends a body; returns the status and the error, and what else was answered. */
async function send(server: Server, door: keyof typeof doors.ours, body: string, headers: object = {}) {
  const url = (server === 'ours' ? service() : other).url + doors[server][door];
  const type = door === 'register' ? 'application/json' : form;
  const response = await fetch(url, {
    method: 'POST',
    body,
    headers: { 'content-type': type, ...headers },
    signal: AbortSignal.timeout(30_000),
  });
  const text = await response.text();
  const answered = text === '' ? {} : JSON.parse(text);
  return { answer: [response.status, answered.error], answered };
}

/** What a client was given by a server. */
interface Given {
  attempt: Attempt;
  code: string;
  accessToken: string;
  refreshToken: string;
}

/** Codes of both servers for one attempt. */
async function newCodes(): Promise<Record<Server, Given>> {
  const made = attempt(service(), app.clientId);
  const decided = await decide(session, made);
  const ours = new URL(decided.body.location).searchParams.get('code') ?? '';
  const none = { attempt: made, accessToken: '', refreshToken: '' };
  const theirs = await other.codeFor(app.clientId, made);
  return { ours: { ...none, code: ours }, theirs: { ...none, code: theirs } };
}

/** What both servers exchanged codes for. */
async function newTokens(): Promise<Record<Server, Given>> {
  const given = await newCodes();
  for (const server of servers) {
    const { attempt: made, code } = given[server];
    const body = withFields(codeForm(app.clientId, made, code), {});
    const { answered } = await send(server, 'token', body);
    given[server].accessToken = answered.access_token;
    given[server].refreshToken = answered.refresh_token;
  }
  return given;
}

type Fields = Record<string, string | undefined>;
const withFields = (base: Record<string, string>, fields: Fields, more = '') => {
  const sent = Object.entries({ ...base, ...fields });
  const present = sent.filter((field): field is [string, string] => field[1] !== undefined);
  return new URLSearchParams(present).toString() + more;
};
const elsewhere = 'https://other.example/mcp';

test('wrong requests for a code are answered as by a certified server', async () => {
  const resource = `${service().url}/mcp`;
  const rows: Row<Fields | string>[] = [
    ['no client', { client_id: undefined }],
    ['an unknown client', { client_id: 'nobody' }],
    ['no address', { redirect_uri: undefined }],
    ['an address of somebody else', { redirect_uri: 'https://evil.example/callback' }],
    ['two clients', '&client_id=x'],
    ['two addresses', '&redirect_uri=https%3A%2F%2Fevil.example%2F'],
    ['two states', '&state=x', 'a person is told', 'an answer with either state could be for somebody else'],
    ['no type of response', { response_type: undefined }],
    ['a token at once', { response_type: 'token' }],
    ['another mode', { response_mode: 'x' }, 'invalid_request', 'RFC 6749 has no code of its own for it'],
    ['no challenge', { code_challenge: undefined, code_challenge_method: undefined }],
    ['a challenge without a method', { code_challenge_method: undefined }],
    ['the method plain', { code_challenge_method: 'plain' }],
    ['a challenge that is none', { code_challenge: 'x' }],
    ['a request object', { request: 'x' }],
    ['the address of a request object', { request_uri: 'https://x.example/' }],
    ['another resource', { resource: elsewhere }],
    ['a resource with a fragment', { resource: `${resource}#x` }],
    ['two resources', `&resource=${encodeURIComponent(elsewhere)}`],
    ['unknown scopes alone', { scope: 'admin' }, 'invalid_scope', 'nobody is asked to allow nothing'],
  ];
  await compare(rows, async (sent, server) => {
    const made = attempt(service(), app.clientId, typeof sent === 'string' ? {} : sent);
    if (typeof sent === 'string') made.query += sent;
    let location: string | null;
    if (server === 'ours') location = (await ask(session, made)).body.location ?? null;
    else {
      const options = { redirect: 'manual', signal: AbortSignal.timeout(30_000) } as const;
      const response = await fetch(`${other.url}/auth?${made.query}`, options);
      location = response.headers.get('location');
    }
    // What a person reads is the page's affair.
    if (location === null) return 'a person is told';
    const { searchParams, hash } = new URL(location, other.url);
    return searchParams.get('error') ?? new URLSearchParams(hash.slice(1)).get('error') ?? 'no error';
  });
});

test('wrong exchanges of a code are answered as by a certified server', async () => {
  const given = await newCodes();
  const stranger = 'apps need not be registered, so an unknown one is one without this code';
  const basic = `Basic ${Buffer.from(`${encodeURIComponent(app.clientId)}:secret`).toString('base64')}`;
  type Sent = Fields & { more?: string; authorization?: string; type?: string };
  const rows: Row<Sent>[] = [
    ['no client', { client_id: undefined }],
    ['an unknown client', { client_id: 'nobody' }, [400, 'invalid_grant'], stranger],
    ['another client', { client_id: otherApp.clientId }],
    ['a client with a secret', { authorization: basic }],
    ['no grant', { grant_type: undefined }],
    ['an unknown grant', { grant_type: 'password' }],
    ['no code', { code: undefined }],
    ['an unknown code', { code: 'none' }],
    ['no address', { redirect_uri: undefined }],
    ['another address', { redirect_uri: 'https://app.example/callback' }],
    [
      'no verifier',
      { code_verifier: undefined },
      [400, 'invalid_request'],
      'a parameter is missing (RFC 6749, 5.2)',
    ],
    ['a short verifier', { code_verifier: 'x' }],
    ['a wrong verifier', { code_verifier: 'x'.repeat(43) }],
    ['another resource', { resource: elsewhere }],
    ['two codes', { more: '&code=x' }],
    ['two clients', { more: '&client_id=x' }],
    ['two grants', { more: '&grant_type=x' }],
    [
      'an unknown parameter twice',
      { code: 'none', more: '&x=1&x=2' },
      [400, 'invalid_request'],
      'RFC 6749, 3.2, lets none be there twice',
    ],
    ['a form that is none', { type: 'text/plain' }],
    ['JSON', { type: 'application/json' }],
  ];
  await compare(rows, async ({ more, authorization, type, ...fields }, server) => {
    const { attempt: made, code } = given[server];
    const body = withFields(codeForm(app.clientId, made, code), fields, more);
    const headers = { ...(authorization && { authorization }), ...(type && { 'content-type': type }) };
    return (await send(server, 'token', body, headers)).answer;
  });
  for (const server of servers) {
    expect((await send(server, 'token', '%%%&=&&')).answer).toEqual([400, 'invalid_request']);
    expect((await send(server, 'token', '')).answer).toEqual([400, 'invalid_request']);
  }
});

test('wrong refresh tokens and revocations, and what is used again, are answered as by a certified server', async () => {
  const given = await newTokens();
  const base = { grant_type: 'refresh_token', client_id: app.clientId };
  const refresh = (server: Server, fields: Fields = {}) =>
    send(server, 'token', withFields({ ...base, refresh_token: given[server].refreshToken }, fields));
  const refreshes: Row<Fields>[] = [
    ['no token', { refresh_token: undefined }],
    ['an unknown token', { refresh_token: 'none' }],
    ['the token of another client', { client_id: otherApp.clientId }],
  ];
  await compare(refreshes, async (fields, server) => (await refresh(server, fields)).answer);
  const unknown = 'an app that is none has no token to end, as every token that is none';
  const revocations: Row<Fields>[] = [
    ['no client', { client_id: undefined }],
    ['no token', { token: undefined }],
    ['an unknown token', { token: 'none' }],
    ['an unknown client', { client_id: 'nobody' }, [200, undefined], unknown],
    ['the token of another client', { client_id: otherApp.clientId }],
    ['an unknown hint', { token: 'none', token_type_hint: 'x' }],
  ];
  await compare(revocations, async (fields, server) => {
    const sent = { client_id: app.clientId, token: given[server].accessToken };
    return (await send(server, 'revoke', withFields(sent, fields))).answer;
  });
  const old = { ours: given.ours.refreshToken, theirs: given.theirs.refreshToken };
  for (const server of servers) {
    // Twice, because ours lets the last one be used again within 30 seconds: its answer may have been lost.
    for (let n = 0; n < 2; n += 1) {
      const { answer, answered } = await refresh(server);
      expect([server, ...answer]).toEqual([server, 200, undefined]);
      given[server].refreshToken = answered.refresh_token;
    }
  }
  const again: Row<string>[] = [
    ['an old token', 'old'],
    ['the newest one after that', 'newest'],
    ['the code again', 'code'],
  ];
  await compare(again, async (what, server) => {
    if (what === 'old') return (await refresh(server, { refresh_token: old[server] })).answer;
    if (what === 'newest') return (await refresh(server)).answer;
    const { attempt: made, code } = given[server];
    return (await send(server, 'token', withFields(codeForm(app.clientId, made, code), {}))).answer;
  });
  // That uses up the token of the other server.
  const misdirected = await newTokens();
  await compare([['another resource', { resource: elsewhere }]], async (fields, server) => {
    const { refreshToken } = misdirected[server];
    return (await refresh(server, { refresh_token: refreshToken, resource: fields.resource })).answer;
  });
  const replayed = await newTokens();
  await compare([['a code twice', {}]], async (_, server) => {
    const { attempt: made, code, refreshToken } = replayed[server];
    const { answer } = await send(server, 'token', withFields(codeForm(app.clientId, made, code), {}));
    return [answer, (await refresh(server, { refresh_token: refreshToken })).answer];
  });
});

test('wrong registrations are answered as by a certified server', async () => {
  const good = {
    redirect_uris: ['https://app.example/callback'],
    token_endpoint_auth_method: 'none',
    application_type: 'native',
    response_types: ['code'],
    grant_types: ['authorization_code'],
  };
  const uris = (redirect_uris: unknown) => ({ ...good, redirect_uris });
  const rows: Row<object | string>[] = [
    ['a good one', good],
    ['no addresses', uris(undefined)],
    ['an empty list of them', uris([])],
    ['one that is no list', uris('https://app.example/callback')],
    ['one that is no text', uris([7])],
    ['a script', uris(['javascript:alert(1)'])],
    ['a fragment', uris(['https://app.example/#x'])],
    ['http', uris(['http://app.example/'])],
    ['a path', uris(['/callback'])],
    [
      'the scheme of a program',
      uris(['com.example.app:/callback']),
      [400, 'invalid_redirect_uri'],
      'any program takes a scheme',
    ],
    ['a secret', { ...good, token_endpoint_auth_method: 'client_secret_basic' }],
    ['another grant alone', { ...good, grant_types: ['client_credentials'] }],
    ['grants that are no list', { ...good, grant_types: 'authorization_code' }],
    [
      'another grant beside',
      { ...good, grant_types: ['authorization_code', 'x'] },
      [201, undefined],
      'editors do, and go without',
    ],
    ['another response', { ...good, response_types: ['token'] }],
    ['a name that is no text', { ...good, client_name: 7 }],
    ['a list', []],
    ['a text', '"x"'],
    ['no JSON', '{'],
    ['nothing', ''],
  ];
  await compare(rows, async (body, server) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return (await send(server, 'register', text)).answer;
  });
  for (const server of servers) {
    const { answer } = await send(server, 'register', JSON.stringify(good), { 'content-type': form });
    expect([server, ...answer]).toEqual([server, 400, 'invalid_request']);
  }
});
