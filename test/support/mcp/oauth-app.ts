import { createHash, randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Answer } from '../http/api.ts';
import { type BrowserSession, openSession } from '../http/browser-session.ts';
import type { RunningService } from '../service/running-service.ts';

type Place = Pick<RunningService, 'url'>;

/** An app with its client-id metadata document on this machine. */
export interface OAuthApp {
  clientId: string;
  /** How often the document was asked for. */
  fetched(): number;
  close(): Promise<void>;
}

/** Serves the document of an app; `fields` are added to it, or replace what it has. */
export async function startOAuthApp(fields: object = {}): Promise<OAuthApp> {
  let fetched = 0;
  const server: Server = createServer((request, response) => {
    fetched += 1;
    const document = {
      client_id: `http://${request.headers.host}${request.url}`,
      client_name: 'Otter',
      redirect_uris: ['http://127.0.0.1/callback', 'https://app.example/callback'],
      token_endpoint_auth_method: 'none',
      ...fields,
    };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    clientId: `http://127.0.0.1:${(server.address() as AddressInfo).port}/client.json`,
    fetched: () => fetched,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Sends what an app without a document says of itself (RFC 7591); `body` is sent as JSON, or as the text that it is. */
export async function register({ url }: Place, body: object | string): Promise<Answer> {
  const response = await fetch(`${url}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    signal: AbortSignal.timeout(30_000),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

/** One attempt of an app to connect, with the secret of its PKCE. */
export interface Attempt {
  codeVerifier: string;
  redirectUri: string;
  /** The query that it sends the browser with. */
  query: string;
}

/** Makes an attempt; `fields` replace what a well-behaved app sends, and undefined leaves it out. */
export function attempt(
  { url }: Place,
  clientId: string,
  fields: Record<string, string | undefined> = {},
): Attempt {
  const codeVerifier = randomBytes(32).toString('base64url');
  const all = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: 'http://127.0.0.1:51234/callback',
    code_challenge: createHash('sha256').update(codeVerifier).digest('base64url'),
    code_challenge_method: 'S256',
    resource: `${url}/mcp`,
    scope: 'memory:read memory:own memory:write',
    state: 'a state',
    ...fields,
  };
  const sent = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return {
    codeVerifier,
    redirectUri: all.redirect_uri,
    query: new URLSearchParams(sent).toString(),
  };
}

/** Asks what an attempt is for, as the consent page does. */
export function ask(session: BrowserSession, { query }: Pick<Attempt, 'query'>): Promise<Answer> {
  return session.send('/oauth/consent', { body: { request: query } });
}

/** Decides on an attempt as the consent page does: it repeats whom it named. */
export async function decide(
  session: BrowserSession,
  made: Pick<Attempt, 'query'>,
  decision: object | 'decline' = { access: 'read', days: 30 },
): Promise<Answer> {
  const { team = 'none', member = 'none', tier = 'team' } = (await ask(session, made)).body;
  const sent = typeof decision === 'string' ? decision : { team, member, tier, ...decision };
  return session.send('/oauth/consent', { body: { request: made.query, decision: sent } });
}

/** Sends a form as an app does. */
export async function sendForm(
  { url }: Place,
  path: string,
  form: Record<string, string> | URLSearchParams,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await fetch(url + path, {
    method: 'POST',
    headers,
    body: new URLSearchParams(form),
    signal: AbortSignal.timeout(30_000),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? '' : JSON.parse(text) };
}

/** What an app exchanges a code with; `fields` replace what it sends. */
export function codeForm(
  clientId: string,
  { codeVerifier, redirectUri }: Attempt,
  code: string,
  fields: Record<string, string> = {},
): Record<string, string> {
  return {
    grant_type: 'authorization_code',
    client_id: clientId,
    code,
    code_verifier: codeVerifier,
    redirect_uri: redirectUri,
    ...fields,
  };
}

/** The tokens of an app that the holder of a key let act. */
export interface ConnectedApp {
  code: string;
  attempt: Attempt;
  accessToken: string;
  refreshToken: string;
}

/** Connects an app for the holder of a key. @throws Error if that is refused. */
export async function connectApp(
  service: Place,
  clientId: string,
  key: string,
  decision: object = { access: 'read', days: 30 },
): Promise<ConnectedApp> {
  const session = await openSession(service, { key });
  const made = attempt(service, clientId);
  const decided = await decide(session, made, decision);
  const code = new URL(decided.body.location).searchParams.get('code');
  if (code === null) throw new Error(`no code: ${JSON.stringify(decided.body)}`);
  const { status, body } = await sendForm(service, '/oauth/token', codeForm(clientId, made, code));
  if (status !== 200) throw new Error(`no tokens: ${JSON.stringify(body)}`);
  return { code, attempt: made, accessToken: body.access_token, refreshToken: body.refresh_token };
}
