import type { RunningService } from '../service/running-service.ts';

/** What came back over HTTP, with the messages in it. */
export interface McpAnswer {
  status: number;
  headers: Headers;
  text: string;
  /** The messages of the body, be it JSON or a stream of events; of anything else none. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into messages of every shape
  messages: any[];
}

/** How a message is sent. */
export interface RawMessageOptions {
  headers?: Record<string, string>;
  path?: string;
  method?: string;
}

/** Sends a body to /mcp as it is, without a client, which would not send what is wrong. */
export async function postMessage(
  service: Pick<RunningService, 'url'>,
  body: string | object | undefined,
  { headers = {}, path = '/mcp', method = 'POST' }: RawMessageOptions = {},
): Promise<McpAnswer> {
  const response = await fetch(`${service.url}${path}`, {
    method,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    signal: AbortSignal.timeout(30_000),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, messages: messagesIn(response, text) };
}

/** Who sends: the headers of a key. */
export function asKey(key: string, slug: string): Record<string, string> {
  return { authorization: `Bearer ${key}`, 'x-svc-team': slug };
}

/** A call of a tool, as a client of 2025 writes it. */
export function toolCall(name: string, input: unknown, id: number | string = 1): object {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: input } };
}

/** A request that says of itself what it is, and its headers, which repeat that. */
export interface ModernRequest {
  body: object;
  headers: Record<string, string>;
}

/** A request of the revision 2026-07-28. */
export function modernRequest(
  method: string,
  params: { name?: string; arguments?: unknown } = {},
  id: number | string = 1,
): ModernRequest {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test-agent', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  return {
    body: { jsonrpc: '2.0', id, method, params: { ...params, _meta: meta } },
    headers: {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(params.name === undefined ? {} : { 'mcp-name': params.name }),
    },
  };
}

function messagesIn({ headers }: Response, text: string): unknown[] {
  const type = headers.get('content-type') ?? '';
  if (type.startsWith('application/json') && text !== '') return [JSON.parse(text)].flat();
  if (!type.startsWith('text/event-stream')) return [];
  return [...text.matchAll(/^data: (.+)$/gm)].map(([, data]) => JSON.parse(data ?? ''));
}
