import { createHash } from 'node:crypto';
import {
  auth,
  Client,
  type OAuthClientProvider,
  type OAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { item } from './support/http/api.ts';
import { openSession } from './support/http/browser-session.ts';
import { newTeam, type TeamClients } from './support/http/key-holder.ts';
import { problem } from './support/http/problem.ts';
import {
  ask,
  attempt,
  codeForm,
  connectApp,
  decide,
  type OAuthApp,
  sendForm,
  startOAuthApp,
} from './support/mcp/oauth-app.ts';
import { postMessage, toolCall } from './support/mcp/raw-message.ts';
import { asAdministrator } from './support/service/as-administrator.ts';
import { sharedService } from './support/service/shared-service.ts';

const service = sharedService({ environment: { OAUTH_ALLOWED_ADDRESSES: '127.0.0.1' } });
const allScopes = ['memory:read', 'memory:own', 'memory:write'];
const endsWithinMs = 5_000;

let app: OAuthApp;
let team: TeamClients;
beforeAll(async () => {
  app = await startOAuthApp();
  team = await newTeam(service());
  await team.team.push(
    item('ferry.md', 'The ferry leaves at nine.'),
    item('mill.md', 'The mill grinds.', { tier: 'external' }),
  );
});
afterAll(() => app?.close());

const search = toolCall('search', { query: 'ferry mill' });
const push = toolCall('push', { row_key: 'note.md', content: 'text', base_checksum: null });
const call = (token: string, path = '/mcp', message: object = search) =>
  postMessage(service(), message, { path, headers: { authorization: `Bearer ${token}` } });
const refresh = (refreshToken: string) =>
  sendForm(service(), '/oauth/token', {
    grant_type: 'refresh_token',
    client_id: app.clientId,
    refresh_token: refreshToken,
  });

/** The official client's provider: it remembers what it is told, and where it would send the browser. */
function createProvider(fields: Partial<OAuthClientProvider>) {
  const told: { verifier: string; authorize?: URL; tokens?: OAuthTokens } = { verifier: '' };
  const provider: OAuthClientProvider = {
    redirectUrl: 'http://127.0.0.1:49152/callback',
    clientMetadata: { client_name: 'Otter', redirect_uris: ['http://127.0.0.1/callback'] },
    clientInformation: () => undefined,
    tokens: () => told.tokens,
    saveTokens: (tokens) => {
      told.tokens = tokens;
    },
    redirectToAuthorization: (url) => {
      told.authorize = url;
    },
    saveCodeVerifier: (verifier) => {
      told.verifier = verifier;
    },
    codeVerifier: () => told.verifier,
    ...fields,
  };
  return { provider, told };
}

describe('the official client', () => {
  test('signs in by itself: from the first 401 to a tool call, and again after its access token is gone', async () => {
    const { provider, told } = createProvider({ clientInformation: () => ({ client_id: app.clientId }) });
    const url = new URL(`${service().url}/mcp`);
    const connect = async () => {
      const client = new Client({ name: 'otter', version: '1' });
      const transport = new StreamableHTTPClientTransport(url, { authProvider: provider });
      await client.connect(transport);
      return { client, transport };
    };
    await expect(connect()).rejects.toThrow(UnauthorizedError);
    const asked = told.authorize?.searchParams;
    expect(told.authorize?.pathname).toBe('/oauth/authorize');
    expect(asked?.get('resource')).toBe(`${service().url}/mcp`);
    expect(asked?.get('scope')).toBe(allScopes.join(' '));
    const session = await openSession(service(), { key: team.teamKey });
    const who = { team: team.slug, member: 'ada', tier: 'team' };
    const decided = await session.send('/oauth/consent', {
      body: { request: asked?.toString(), decision: { ...who, access: 'read', days: 7 } },
    });
    const returned = new URL(decided.body.location);
    expect(returned.searchParams.get('iss')).toBe(service().url);
    const transport = new StreamableHTTPClientTransport(url, { authProvider: provider });
    await transport.finishAuth(returned.searchParams);
    const first = await connect();
    const { tools } = await first.client.listTools();
    expect(tools.map(({ name }) => name)).not.toContain('push');
    const found = await first.client.callTool({ name: 'search', arguments: { query: 'ferry' } });
    expect(JSON.stringify(found)).toContain('nine');
    await first.client.close();
    const before = told.tokens;
    if (before === undefined) throw new Error('no tokens');
    told.tokens = { ...before, access_token: 'gone' };
    const second = await connect();
    expect((await second.client.listTools()).tools.length).toBeGreaterThan(0);
    expect(told.tokens?.refresh_token).not.toBe(before.refresh_token);
    await second.client.close();
  });

  test('takes the address of its document as its name, and registers nowhere', async () => {
    const clientMetadataUrl = 'https://app.example/client.json';
    const { provider, told } = createProvider({ clientMetadataUrl, saveClientInformation: () => undefined });
    expect(await auth(provider, { serverUrl: `${service().url}/mcp/${team.slug}` })).toBe('REDIRECT');
    expect(told.authorize?.searchParams.get('client_id')).toBe(clientMetadataUrl);
  });
});

test('the metadata name this origin, PKCE with S256, clients by their document and no secret, on every path', async () => {
  const { url } = service();
  for (const path of ['', '/mcp', `/mcp/${team.slug}`, '/mcp/no-such-team']) {
    const server = await (await fetch(`${url}/.well-known/oauth-authorization-server${path}`)).json();
    expect(server).toMatchObject({
      issuer: url,
      authorization_endpoint: `${url}/oauth/authorize`,
      token_endpoint: `${url}/oauth/token`,
      revocation_endpoint: `${url}/oauth/revoke`,
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
      client_id_metadata_document_supported: true,
      authorization_response_iss_parameter_supported: true,
      scopes_supported: allScopes,
    });
    expect(server).not.toHaveProperty('registration_endpoint');
    const resource = await (await fetch(`${url}/.well-known/oauth-protected-resource${path}`)).json();
    expect(resource).toMatchObject({ authorization_servers: [url], scopes_supported: allScopes });
  }
  const refused = await postMessage(service(), search);
  const challenge = refused.headers.get('www-authenticate');
  expect(challenge).toBe(
    `Bearer resource_metadata="${url}/.well-known/oauth-protected-resource/mcp", scope="${allScopes.join(' ')}"`,
  );
});

/** Requests as the programs of others send them, by their documented shapes. */
const shapes: Record<string, { fields: (url: string) => Record<string, string | undefined>; path: string }> =
  {
    'a hosted connector, with an https address and the path of a team': {
      fields: (url) => ({
        redirect_uri: 'https://app.example/callback',
        resource: `${url}/mcp/${team.slug}`,
        scope: `${allScopes.join(' ')} offline_access`,
      }),
      path: '/mcp/TEAM',
    },
    'a connector that names the origin only': {
      fields: (url) => ({ redirect_uri: 'https://app.example/callback', resource: `${url}/` }),
      path: '/mcp/TEAM',
    },
    'an editor, at a loopback port of its own': {
      fields: () => ({ redirect_uri: 'http://127.0.0.1:33418/callback' }),
      path: '/mcp',
    },
    'a program of an earlier revision, without resource, scope and state': {
      fields: () => ({ resource: undefined, scope: undefined, state: undefined }),
      path: '/mcp',
    },
  };

test.each(Object.keys(shapes))('%s is connected', async (name) => {
  const { fields, path } = shapes[name] as (typeof shapes)[string];
  const session = await openSession(service(), { key: team.teamKey });
  const made = attempt(service(), app.clientId, fields(service().url));
  const asked = await ask(session, made);
  expect(asked.body).toMatchObject({
    client: { host: new URL(app.clientId).host, name: 'Otter' },
    team: team.slug,
    member: 'ada',
    tier: 'team',
    access: ['read', 'own', 'write'],
  });
  const returned = new URL((await decide(session, made, { access: 'own', days: 1 })).body.location);
  expect(returned.href.startsWith(made.redirectUri)).toBe(true);
  expect(returned.searchParams.get('state')).toBe(new URLSearchParams(made.query).get('state'));
  const form = codeForm(app.clientId, made, returned.searchParams.get('code') ?? '');
  const { status, body, headers } = await sendForm(service(), '/oauth/token', form);
  expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
  expect(body).toMatchObject({
    token_type: 'Bearer',
    scope: 'memory:read memory:own',
    expires_in: expect.any(Number),
  });
  expect(body.expires_in).toBeGreaterThan(3_500);
  expect(body.expires_in).toBeLessThanOrEqual(3_600);
  const answer = await call(body.access_token, path.replace('TEAM', team.slug));
  expect([answer.status, answer.text.includes('nine')]).toEqual([200, true]);
});

test('what is wrong with a request is told to the person, and to the app with its state and this issuer', async () => {
  const session = await openSession(service(), { key: team.teamKey });
  const { url } = service();
  const wrong: [Record<string, string | undefined>, string][] = [
    [{ response_type: 'token' }, 'unsupported_response_type'],
    [{ response_mode: 'fragment' }, 'invalid_request'],
    [{ code_challenge_method: 'plain' }, 'invalid_request'],
    [{ code_challenge: undefined }, 'invalid_request'],
    [{ code_challenge: createHash('sha256').update('x').digest('hex') }, 'invalid_request'],
    [{ request: 'x' }, 'request_not_supported'],
    [{ resource: 'https://other.example/mcp' }, 'invalid_target'],
    [{ resource: `${url}/api/v1` }, 'invalid_target'],
    [{ resource: `${url}.evil.example/mcp` }, 'invalid_target'],
    [{ scope: 'admin' }, 'invalid_scope'],
  ];
  for (const [fields, error] of wrong) {
    const { body } = await ask(session, attempt(service(), app.clientId, fields));
    expect(body, JSON.stringify(fields)).toMatchObject({
      client: { host: new URL(app.clientId).host },
      refused: expect.any(String),
    });
    const told = Object.fromEntries(new URL(body.location).searchParams);
    expect(told, JSON.stringify(fields)).toMatchObject({ error, state: 'a state', iss: url });
    expect(told).not.toHaveProperty('code');
  }
  const declined = await decide(session, attempt(service(), app.clientId), 'decline');
  expect(new URL(declined.body.location).searchParams.get('error')).toBe('access_denied');
});

test('the token endpoint answers in the words of OAuth', async () => {
  const form = { grant_type: 'refresh_token', client_id: app.clientId, refresh_token: 'none' };
  const answers: [Record<string, string>, string][] = [
    [form, 'invalid_grant'],
    [{ ...form, client_id: '' }, 'invalid_request'],
    [{ ...form, grant_type: 'password' }, 'unsupported_grant_type'],
    [{ ...form, resource: 'https://other.example/mcp' }, 'invalid_target'],
    [{ ...form, grant_type: 'authorization_code' }, 'invalid_request'],
  ];
  for (const [sent, error] of answers) {
    const { status, body } = await sendForm(service(), '/oauth/token', sent);
    expect([status, body.error], JSON.stringify(sent)).toEqual([400, error]);
  }
  const secret = await sendForm(service(), '/oauth/token', form, { authorization: 'Basic eDp5' });
  expect([secret.status, secret.body.error]).toEqual([401, 'invalid_client']);
});

test('an app ends within 5 seconds: by its own request, by its key, and a refreshed one goes on until then', async () => {
  const { clientId } = app;
  const ends: ((app: { accessToken: string; keyId: string }) => Promise<unknown>)[] = [
    ({ accessToken: token }) => sendForm(service(), '/oauth/revoke', { client_id: clientId, token }),
    ({ keyId }) => asAdministrator(service(), (admin) => admin.revokeKey(keyId)),
  ];
  for (const end of ends) {
    const connected = await connectApp(service(), clientId, team.teamKey);
    const { body } = await refresh(connected.refreshToken);
    expect((await call(body.access_token)).status).toBe(200);
    const keys = await asAdministrator(service(), async (admin) =>
      (await Array.fromAsync(admin.listKeys(team.slug))).flat(),
    );
    const key = keys.findLast((one) => one.client_id === clientId && one.revoked_at === null);
    expect(key).toMatchObject({ member: 'ada', tier: 'team', access: 'read' });
    await end({ accessToken: body.access_token, keyId: key?.key_id ?? '' });
    const ended = async () => (await call(body.access_token)).status === 401;
    await eventually('the end of the app', ended, { withinMs: endsWithinMs });
    expect((await refresh(body.refresh_token)).body.error).toBe('invalid_grant');
  }
});

test('with access read an app changes nothing, and beyond what it asked for nothing is given', async () => {
  const { accessToken } = await connectApp(service(), app.clientId, team.teamKey);
  const answer = await call(accessToken, '/mcp', push);
  expect(answer.text).not.toContain('"accepted"');
  expect((await team.team.rows()).map((row) => row.row_key)).not.toContain('note.md');
  const session = await openSession(service(), { key: team.teamKey });
  const made = attempt(service(), app.clientId, { scope: 'memory:read' });
  expect((await ask(session, made)).body.access).toEqual(['read']);
  const more = await decide(session, made, { access: 'write', days: 1 });
  expect([more.status, more.body]).toEqual([422, expect.objectContaining(problem('invalid_request'))]);
});
