import type { z } from 'zod';
import { problemFromAnswer } from './problem-error.ts';
import { TransportError } from './transport-error.ts';

/** A problem document has a few hundred bytes; one with 200 item errors stays below this. */
const maxProblemBytes = 1024 * 1024;
/** A page of 200 items of 1 MiB each; what is larger is not an answer of this service. */
const maxAnswerBytes = 256 * 1024 * 1024;

/** Where requests go and whose they are. */
export interface Endpoint {
  /** Base address without a slash at its end. */
  url: string;
  key: string;
  team: string;
  fetch: typeof fetch;
}

export interface ApiRequest {
  method: 'GET' | 'POST' | 'DELETE';
  /** Path and query from the base address on, already encoded. */
  path: string;
  /** Sent as JSON where given. */
  body?: unknown;
  accept?: string;
  /** Ends the request and the reading of its answer. */
  signal: AbortSignal;
}

/**
 * Sends one request and returns the answer, its body unread. Throws ProblemError
 * for every status outside 200 to 299. Redirects are not followed: the key is
 * meant for this server only.
 */
export async function sendRequest(endpoint: Endpoint, request: ApiRequest): Promise<Response> {
  const headers = new Headers({
    authorization: `Bearer ${endpoint.key}`,
    'x-svc-team': endpoint.team,
    accept: request.accept ?? 'application/json',
  });
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

/** Sends one request and returns its JSON answer in the given shape. Throws TransportError `invalid_answer` where it has another. */
export async function requestJson<Shape extends z.ZodType>(
  endpoint: Endpoint,
  request: ApiRequest,
  shape: Shape,
): Promise<z.infer<Shape>> {
  const text = await readText(await sendRequest(endpoint, request), maxAnswerBytes);
  return parseShape(text, shape);
}

/** Parses JSON into a shape. Throws TransportError `invalid_answer`, which quotes nothing of the text. */
export function parseShape<Shape extends z.ZodType>(text: string, shape: Shape): z.infer<Shape> {
  try {
    return shape.parse(JSON.parse(text));
  } catch (cause) {
    throw new TransportError(
      'invalid_answer',
      'The server answered something this client does not know.',
      cause,
    );
  }
}

/** Reads a whole body as UTF-8, but never more than `maxBytes` of it. */
async function readText(response: Response, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes)
      throw new TransportError('invalid_answer', 'The answer is too large; ask for a smaller page.');
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
