import type * as z from 'zod';
import type { Endpoint } from './endpoint.ts';
import { problemFromAnswer } from './problem-error.ts';
import { TransportError } from './transport-error.ts';

/** A problem document has a few hundred bytes. Even with 200 item errors it stays below this. */
const maxProblemBytes = 1024 * 1024;
/** More than a page of 200 items of 1 MiB each. The service sends nothing larger. */
const maxAnswerBytes = 256 * 1024 * 1024;

export interface ApiRequest {
  method: 'GET' | 'POST' | 'DELETE';
  /** Path and query after the base address, already encoded. */
  path: string;
  /** Sent as JSON. */
  body?: unknown;
  accept?: string;
  /** Ends the request, even while its answer is read. */
  signal: AbortSignal;
}

/**
 * Sends a request and returns the answer with its body unread. Throws ProblemError for every status outside 200 to
 * 299. Redirects are not followed, because the key is for this server only.
 */
export async function sendRequest(endpoint: Endpoint, request: ApiRequest): Promise<Response> {
  const headers = new Headers({
    authorization: `Bearer ${endpoint.key}`,
    'x-svc-team': endpoint.team,
    accept: request.accept ?? 'application/json',
  });
  const client = endpoint.client();
  if (client !== undefined) headers.set('x-svc-client', client);
  if (request.body !== undefined) headers.set('content-type', 'application/json');
  const response = await endpoint.fetch(`${endpoint.url}${request.path}`, {
    method: request.method,
    headers,
    body: request.body === undefined ? undefined : JSON.stringify(request.body),
    redirect: 'manual',
    signal: request.signal,
  });
  if (response.ok) return response;
  throw problemFromAnswer(response.status, response.headers, await readText(response, maxProblemBytes));
}

/** Sends a request and returns its JSON answer. Throws TransportError `invalid_answer` if the answer has another shape. */
export async function requestJson<Shape extends z.ZodType>(
  endpoint: Endpoint,
  request: ApiRequest,
  shape: Shape,
): Promise<z.infer<Shape>> {
  const text = await readText(await sendRequest(endpoint, request), maxAnswerBytes);
  return parseShape(text, shape);
}

/** Parses JSON into a shape. Throws TransportError `invalid_answer`, which does not quote the text. */
export function parseShape<Shape extends z.ZodType>(text: string, shape: Shape): z.infer<Shape> {
  try {
    return shape.parse(JSON.parse(text));
  } catch (cause) {
    throw new TransportError(
      'invalid_answer',
      'The server sent an answer that this client does not understand.',
      cause,
    );
  }
}

/** Reads a body as UTF-8. Throws TransportError if it has more than `maxBytes`. */
async function readText(response: Response, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  const reader = response.body?.getReader();
  // Not `for await`, which not every browser has for a stream.
  for (let chunk = await reader?.read(); chunk?.value !== undefined; chunk = await reader?.read()) {
    bytes += chunk.value.byteLength;
    if (bytes > maxBytes) {
      await reader?.cancel().catch(() => undefined);
      throw new TransportError('invalid_answer', 'The answer is too large; ask for a smaller page.');
    }
    text += decoder.decode(chunk.value, { stream: true });
  }
  return text + decoder.decode();
}

/**
 * Opens a stream of server-sent events. Throws ProblemError, or TransportError `invalid_answer` if the server answers
 * with something else.
 */
export async function openEventStream(
  endpoint: Endpoint,
  request: ApiRequest,
): Promise<ReadableStream<Uint8Array>> {
  const response = await sendRequest(endpoint, { ...request, accept: 'text/event-stream' });
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
  if (isStream && response.body) return response.body;
  throw new TransportError('invalid_answer', 'The server did not answer with a stream of events.');
}
