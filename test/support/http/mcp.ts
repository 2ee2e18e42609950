import type { Team } from '../service/running-service.ts';
import type { Target } from './api.ts';
import { answerText } from './events.ts';

/** The revision that a message says it is of. */
const revision = '2026-07-28';

/** A message of JSON-RPC, or what is sent in its place. */
export type Message = object | Uint8Array<ArrayBuffer> | string | undefined;

/** How a request differs from a good one; undefined leaves a header out. */
export interface MessageOptions {
  method?: string;
  path?: string;
  headers?: Record<string, string | undefined>;
  signal?: AbortSignal;
}

/** Returns a request of the current revision. */
export function request(method: string, params: object = {}, id: number | string = 1) {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  return { jsonrpc: '2.0', id, method, params: { ...params, _meta: meta } };
}

/** Returns the request of a tool call. */
export const toolCall = (name: string, given: object) => request('tools/call', { name, arguments: given });

/** Sends a message to `/mcp` and returns the answer as soon as it begins. */
export function openMessage(
  { url }: Target,
  { slug }: Pick<Team, 'slug'>,
  key: string | undefined,
  message: Message,
  { method = 'POST', path = '/mcp', headers = {}, signal }: MessageOptions = {},
): Promise<Response> {
  const { method: called, params } = (typeof message === 'object' ? message : {}) as {
    method?: string;
    params?: { name?: string; uri?: string };
  };
  const name = params?.name ?? params?.uri;
  const sent = {
    accept: 'application/json, text/event-stream',
    'content-type': message === undefined ? undefined : 'application/json',
    authorization: key === undefined ? undefined : `Bearer ${key}`,
    'x-svc-team': slug,
    'mcp-protocol-version': revision,
    'mcp-method': called,
    'mcp-name': name,
    ...headers,
  };
  const given = Object.entries(sent).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return fetch(`${url}${path}`, {
    method,
    headers: given,
    ...(message === undefined ? {} : { body: isRaw(message) ? message : JSON.stringify(message) }),
    signal: signal ?? AbortSignal.timeout(30_000),
  });
}

/** Sends a message and reads its answer: JSON, or the last message of a stream. */
export async function sendMessage(...sent: Parameters<typeof openMessage>) {
  const response = await openMessage(...sent);
  const { status, headers } = response;
  const [, , , , { method = 'POST', path = '/mcp' } = {}] = sent;
  const text = await answerText(response.body ?? [], { method, path, status });
  const isStream = headers.get('content-type')?.startsWith('text/event-stream');
  const json = isStream
    ? (text
        .match(/^data: (.*)$/gm)
        ?.at(-1)
        ?.slice(6) ?? '')
    : text;
  return { status, headers, body: json === '' ? undefined : JSON.parse(json) };
}

function isRaw(message: Message): message is string | Uint8Array<ArrayBuffer> {
  return typeof message === 'string' || message instanceof Uint8Array;
}
