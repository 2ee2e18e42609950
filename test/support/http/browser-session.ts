import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import type { RunningService } from '../service/running-service.ts';
import type { Answer } from './api.ts';

const answerTimeoutMs = 45_000;
/** What browsers say of a request that a page of the same origin makes; pages cannot set it. */
export const sameOrigin = { 'sec-fetch-site': 'same-origin' };

export interface BrowserRequest {
  /** `POST` where there is a body. */
  method?: string;
  headers?: Record<string, string>;
  /** Sent as JSON, unless it is bytes already. */
  body?: unknown;
}

/** Sends a request with the headers that a browser would add, which `fetch` here would not. */
export async function browserRequest(
  { url }: Pick<RunningService, 'url'>,
  path: string,
  { body, method = body === undefined ? 'GET' : 'POST', headers = {} }: BrowserRequest = {},
): Promise<Answer> {
  const bytes = Buffer.isBuffer(body) || body === undefined ? body : Buffer.from(JSON.stringify(body));
  const request = httpRequest(url + path, {
    method,
    headers: {
      ...(bytes === undefined
        ? {}
        : { 'content-type': 'application/json', 'content-length': bytes.byteLength }),
      ...headers,
    },
    signal: AbortSignal.timeout(answerTimeoutMs),
  });
  request.end(bytes);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const text = Buffer.concat(await Array.fromAsync(response)).toString();
  const answered = new Headers();
  for (const [name, value] of Object.entries(response.headersDistinct)) {
    for (const one of value ?? []) answered.append(name, one);
  }
  const isJson = text !== '' && /json/.test(response.headers['content-type'] ?? '');
  return { status: response.statusCode ?? 0, headers: answered, body: isJson ? JSON.parse(text) : text };
}

/** A page that is signed in, without the browser around it. */
export interface BrowserSession {
  /** What the browser sends as Cookie. */
  cookie: string;
  /** Sends a request of the page; with `method` `POST` where there is a body. */
  send(path: string, request?: BrowserRequest): Promise<Answer>;
  /** Calls an RPC of one message, as in `teammemory.auth.v1.AuthService/GetTeam`. */
  rpc(method: string, message?: object): Promise<Answer>;
}

/** Signs in with a key or the token of a link. @throws Error if that is refused. */
export async function openSession(
  service: Pick<RunningService, 'url'>,
  credential: { key: string } | { sign_in_token: string },
): Promise<BrowserSession> {
  const opened = await browserRequest(service, '/session', { body: credential, headers: sameOrigin });
  const [set] = opened.headers.getSetCookie();
  if (opened.status !== 200 || set === undefined) {
    throw new Error(`POST /session answered ${opened.status}: ${JSON.stringify(opened.body)}`);
  }
  const cookie = set.split(';', 1)[0] ?? '';
  const send: BrowserSession['send'] = (path, request = {}) =>
    browserRequest(service, path, { ...request, headers: { ...sameOrigin, cookie, ...request.headers } });
  return { cookie, send, rpc: (method, message = {}) => send(`/rpc/${method}`, { body: message }) };
}
