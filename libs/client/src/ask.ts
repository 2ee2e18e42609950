import { type AnswerEvent, answerEventFromWire } from './answer-event.ts';
import { type Endpoint, sendRequest } from './api-request.ts';
import { parseEventStream } from './parse-event-stream.ts';
import { readChunks } from './read-chunks.ts';
import { toClientError } from './to-client-error.ts';
import { TransportError } from './transport-error.ts';
import { withinMs } from './within-ms.ts';

/** A written answer takes seconds; one that still trickles after five minutes will not get better. */
const answerTimeoutMs = 5 * 60_000;

export interface AskLimits {
  /** Longest wait for the first byte, and longest silence after it. */
  stallTimeoutMs: number;
  signal?: AbortSignal;
}

/**
 * Asks a question and yields the answer as it comes. Whoever stops reading, by
 * `return` or by the signal, closes the connection, and with it the work behind
 * it. Throws ProblemError where the service refuses or breaks off with a reason,
 * TransportError where the stream ends without `done`, stalls or is malformed.
 */
export async function* ask(
  endpoint: Endpoint,
  question: string,
  { stallTimeoutMs, signal: caller }: AskLimits,
): AsyncGenerator<AnswerEvent> {
  const ended = new AbortController();
  const deadline = AbortSignal.timeout(answerTimeoutMs);
  const signal = AbortSignal.any([ended.signal, deadline, ...(caller ? [caller] : [])]);
  try {
    const body = await withinMs(openAnswer(endpoint, question, signal), stallTimeoutMs);
    for await (const event of parseEventStream(readChunks(body, stallTimeoutMs))) {
      const piece = answerEventFromWire(event);
      if (piece === 'done') return;
      if (piece !== undefined) yield piece;
    }
    throw new TransportError('invalid_answer', 'The answer broke off before its end.');
  } catch (thrown) {
    throw toClientError(thrown, signal);
  } finally {
    ended.abort();
  }
}

async function openAnswer(
  endpoint: Endpoint,
  question: string,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  const response = await sendRequest(endpoint, {
    method: 'POST',
    path: '/api/v1/query',
    body: { q: question },
    accept: 'text/event-stream',
    signal,
  });
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
  if (isStream && response.body) return response.body;
  throw new TransportError(
    'invalid_answer',
    'The server answered a question with something else than a stream.',
  );
}
