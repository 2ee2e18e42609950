import { createHash } from 'node:crypto';
import {
  auth,
  Client,
  type OAuthClientInformationMixed,
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
  register,
  sendForm,
  startOAuthApp,
} from './support/mcp/oauth-app.ts';
import { postMessage, toolCall } from './support/mcp/raw-message.ts';
import { asAdministrator } from './support/service/as-administrator.ts';
import { sharedService } from './support/service/shared-service.ts';

const service = sharedService({ environment: { OAUTH_ALLOWED_ADDRESSES: '127.0.0.1', OAUTH_DCR: 'on' } });
const allScopes = ['memory:read', 'memory:propose', 'memory:own', 'memory:write'];
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
  const told: {
    verifier: string;
    authorize?: URL;
    tokens?: OAuthTokens;
    registered?: OAuthClientInformationMixed;
  } = { verifier: '' };
  const provider: OAuthClientProvider = {
    redirectUrl: 'http://127.0.0.1:49152/callback',
    clientMetadata: { client_name: 'Otter', redirect_uris: ['http://127.0.0.1/callback'] },
    clientInformation: () => told.registered,
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
  test.each(['its document', 'its registration'])(
    'signs in by %s: from the first 401 to a tool call, and again after its access token is gone',
    async (way) => {
      const { provider, told } = createProvider(
        way === 'its document' ? { clientInformation: () => ({ client_id: app.clientId }) } : {},
      );
      if (way === 'its registration') {
        provider.saveClientInformation = (client) => {
          told.registered = client;
        };
      }
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
    },
  );

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
      registration_endpoint: `${url}/oauth/register`,
      scopes_supported: allScopes,
    });
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
interface Shape {
  fields: (url: string) => Record<string, string | undefined>;
  path: string;
  /** What it registers; absent: it has a document. */
  registers?: object;
}

const publicApp = {
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
};
const claude = 'https://claude.ai/api/mcp/auth_callback';
const inspector = 'http://localhost:6274/oauth/callback';
const chatGpt = 'https://chatgpt.com/connector/oauth/9f2c';
const editor = {
  client_name: 'Visual Studio Code',
  client_uri: 'https://code.visualstudio.com',
  redirect_uris: ['http://127.0.0.1/', 'http://127.0.0.1:33418/', 'https://vscode.dev/redirect'],
  ...publicApp,
  grant_types: [...publicApp.grant_types, 'urn:ietf:params:oauth:grant-type:device_code'],
  scope: allScopes.join(' '),
  application_type: 'native',
};
const shapes: Record<string, Shape> = {
  'a hosted connector with a document, and the path of a team': {
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
  'claude.ai': {
    registers: { client_name: 'Claude', redirect_uris: [claude], ...publicApp, scope: allScopes.join(' ') },
    fields: (url) => ({ redirect_uri: claude, resource: `${url}/mcp/${team.slug}` }),
    path: '/mcp/TEAM',
  },
  ChatGPT: {
    registers: { client_name: 'ChatGPT', redirect_uris: [chatGpt], ...publicApp },
    fields: (url) => ({ redirect_uri: chatGpt, resource: `${url}/mcp/${team.slug}?profile=search-fetch` }),
    path: '/mcp/TEAM?profile=search-fetch',
  },
  'VS Code at a loopback port of its own': {
    registers: editor,
    fields: () => ({ redirect_uri: 'http://127.0.0.1:51873/' }),
    path: '/mcp',
  },
  'VS Code in a browser': {
    registers: editor,
    fields: () => ({ redirect_uri: 'https://vscode.dev/redirect' }),
    path: '/mcp',
  },
  'Codex, which names no resource': {
    registers: { client_name: 'Codex', redirect_uris: ['http://127.0.0.1:41951/callback'], ...publicApp },
    fields: () => ({ redirect_uri: 'http://127.0.0.1:41951/callback', resource: undefined }),
    path: '/mcp',
  },
  'a program that says no more than its address, and names neither resource nor scope nor state': {
    registers: { redirect_uris: [inspector] },
    fields: () => ({ redirect_uri: inspector, resource: undefined, scope: undefined, state: undefined }),
    path: '/mcp',
  },
};

test.each(Object.keys(shapes))('%s is connected', async (name) => {
  const { fields, path, registers } = shapes[name] as Shape;
  let { clientId } = app;
  if (registers !== undefined) {
    // claude.ai does so twice, and goes on with either.
    const ids = [await register(service(), registers), await register(service(), registers)];
    expect(ids.map(({ status }) => status)).toEqual([201, 201]);
    expect(ids[0]?.body.client_id).not.toBe(ids[1]?.body.client_id);
    clientId = ids[1]?.body.client_id;
  }
  const session = await openSession(service(), { key: await team.newKey('team') });
  const made = attempt(service(), clientId, fields(service().url));
  const asked = await ask(session, made);
  const client =
    registers === undefined
      ? { host: new URL(app.clientId).host, name: 'Otter' }
      : { host: null, name: (registers as { client_name?: string }).client_name ?? null };
  expect(asked.body).toMatchObject({
    client,
    team: team.slug,
    member: 'ada',
    tier: 'team',
    access: ['read', 'propose', 'own', 'write'],
  });
  const returned = new URL((await decide(session, made, { access: 'own', days: 1 })).body.location);
  expect(returned.href.startsWith(made.redirectUri)).toBe(true);
  expect(returned.searchParams.get('state')).toBe(new URLSearchParams(made.query).get('state'));
  const form = codeForm(clientId, made, returned.searchParams.get('code') ?? '');
  const { status, body, headers } = await sendForm(service(), '/oauth/token', form);
  expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
  expect(body).toMatchObject({
    token_type: 'Bearer',
    scope: 'memory:read memory:propose memory:own',
    expires_in: expect.any(Number),
  });
  expect(body.expires_in).toBeGreaterThan(3_500);
  expect(body.expires_in).toBeLessThanOrEqual(3_600);
  const answer = await call(body.access_token, path.replace('TEAM', team.slug));
  expect([answer.status, answer.text.includes('ferry.md')]).toEqual([200, true]);
});

test('what an app registers is answered as it is kept, and what it may not have is refused by name', async () => {
  const redirect_uris = ['http://127.0.0.1/callback', 'https://app.example/callback'];
  const wanted = {
    client_name: 'Otter',
    redirect_uris,
    client_id: app.clientId,
    client_secret: 'x',
    jwks: {},
  };
  const { status, headers, body } = await register(service(), wanted);
  expect([status, headers.get('cache-control')]).toEqual([201, 'no-store']);
  expect(body).toEqual({
    client_id: expect.stringMatching(/^registered-[0-9A-Za-z]{24}$/),
    client_id_issued_at: expect.any(Number),
    client_name: 'Otter',
    redirect_uris,
    ...publicApp,
  });
  expect(Math.abs(body.client_id_issued_at - Date.now() / 1000)).toBeLessThan(60);
  const refused: [object | string, string][] = [
    [{ ...wanted, token_endpoint_auth_method: 'client_secret_basic' }, 'invalid_client_metadata'],
    [{ ...wanted, grant_types: ['client_credentials'] }, 'invalid_client_metadata'],
    [{ ...wanted, response_types: ['token'] }, 'invalid_client_metadata'],
    [{ ...wanted, client_name: 'x'.repeat(101) }, 'invalid_client_metadata'],
    [[], 'invalid_request'],
    [{ client_name: 'Otter' }, 'invalid_redirect_uri'],
    [{ redirect_uris: [] }, 'invalid_redirect_uri'],
    [{ redirect_uris: 'https://app.example/callback' }, 'invalid_redirect_uri'],
    [{ redirect_uris: [...redirect_uris, 'cursor://anysphere.cursor-mcp/oauth'] }, 'invalid_redirect_uri'],
    ['{', 'invalid_request'],
  ];
  for (const [sent, error] of refused) {
    const answer = await register(service(), sent);
    expect([answer.status, answer.body.error], JSON.stringify(sent)).toEqual([400, error]);
  }
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
