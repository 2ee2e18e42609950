import * as z from 'zod';
import { type ApiRequest, openEventStream, parseShape } from './api-request.ts';
import { ownSignal, withinMs } from './call-options.ts';
import type { Endpoint } from './endpoint.ts';
import { parseEventStream, readChunks, type ServerSentEvent } from './event-stream.ts';
import { ProblemError } from './problem-error.ts';
import { TransportError, toClientError } from './transport-error.ts';

export const deltaSchema = z.looseObject({ text: z.string() });
export const sourcesSchema = z.array(
  z.looseObject({
    row_key: z.string(),
    title: z.string().default(''),
    tier: z.string().default(''),
    kind: z.string().optional(),
    date: z.string().optional(),
    status: z.string().optional(),
    /** A guest wrote it: a key of tier external. */
    by_guest: z.literal(true).optional(),
    /** YYYY-MM-DD: its day to be checked again has passed. */
    to_be_checked_since: z.string().optional(),
    quote: z.string().optional(),
  }),
);
const doneSchema = z.looseObject({
  closest: z.array(z.looseObject({ row_key: z.string(), title: z.string().default('') })).default([]),
});
export const errorSchema = z.looseObject({
  code: z.string().default('unknown'),
  detail: z.string().default('The answer broke off.'),
});

/**
 * An item, decision, project or task that an answer is based on. The text refers to the first source as `[1]`. `kind`
 * names its type, `date` (YYYY-MM-DD) the day it is about, and `status` its status, if they are known. `quote` is the
 * sentence of it that matched the question best, as it was written; no model's answer has one.
 */
export type Source = z.infer<typeof sourcesSchema>[number];

/** A note that comes closest to a question that nothing answers. */
export type ClosestNote = z.infer<typeof doneSchema>['closest'][number];

/** A piece of an answer, or at its end its sources; of an answer without sources, the notes that come closest. */
export type AnswerEvent =
  | { type: 'delta'; text: string }
  | { type: 'sources'; sources: Source[]; closest?: ClosestNote[] };

/**
 * Returns the part of the answer in an event, `done` with the closest notes for its end, or undefined for an event of a later service. Throws
 * ProblemError for an `error` event and TransportError `invalid_answer` for a payload of another shape.
 */
function answerEventFromWire({
  event,
  data,
}: ServerSentEvent): AnswerEvent | { type: 'done'; closest: ClosestNote[] } | undefined {
  if (event === 'delta') return { type: 'delta', text: parseShape(data, deltaSchema).text };
  if (event === 'sources') return { type: 'sources', sources: parseShape(data, sourcesSchema) };
  if (event === 'done') return { type: 'done', closest: parseShape(data, doneSchema).closest };
  if (event === 'error') throw new ProblemError(parseShape(data, errorSchema));
  return undefined;
}

/** A written answer takes seconds. After five minutes something is wrong. */
const answerTimeoutMs = 5 * 60_000;

export interface AskLimits {
  /** Longest wait for the first byte, and longest silence after that. */
  stallTimeoutMs: number;
  signal?: AbortSignal;
}

/**
 * Asks a question and yields the answer as it arrives. A caller that stops reading, by `return` or by the signal,
 * closes the connection and so ends the work of the service. Throws ProblemError if the service refuses or breaks off
 * with a reason, and TransportError if the stream ends without `done`, stalls or is malformed.
 */
export async function* ask(
  endpoint: Endpoint,
  question: string,
  { stallTimeoutMs, signal: caller }: AskLimits,
): AsyncGenerator<AnswerEvent> {
  const { signal, end } = ownSignal(caller, answerTimeoutMs);
  const request: ApiRequest = { method: 'POST', path: '/api/v1/query', body: { q: question }, signal };
  try {
    const body = await withinMs(openEventStream(endpoint, request), stallTimeoutMs);
    let sources: AnswerEvent | undefined;
    for await (const event of parseEventStream(readChunks(body, stallTimeoutMs))) {
      const piece = answerEventFromWire(event);
      if (piece?.type === 'sources') sources = piece;
      else if (piece?.type === 'delta') yield piece;
      else if (piece?.type === 'done') {
        const { closest } = piece;
        if (sources !== undefined) yield { ...sources, ...(closest.length > 0 && { closest }) };
        return;
      }
    }
    throw new TransportError('invalid_answer', 'The answer broke off before its end.');
  } catch (thrown) {
    throw toClientError(thrown, signal);
  } finally {
    end();
  }
}
