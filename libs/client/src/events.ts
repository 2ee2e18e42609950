import * as z from 'zod';
import { type ApiRequest, openEventStream, parseShape } from './api-request.ts';
import { type CallOptions, ownSignal, pauseAsClient, withinMs } from './call-options.ts';
import type { Endpoint } from './endpoint.ts';
import { parseEventStream, readChunks } from './event-stream.ts';
import { isTemporary, retryDelayMs } from './retries.ts';
import { toClientError } from './transport-error.ts';

/** The newest `updated_at` of each list that the key may see; null for an empty list. Unknown fields are kept. */
export const changedSchema = z.looseObject({
  items: z.string().nullable(),
  tasks: z.string().nullable(),
  decisions: z.string().nullable(),
});

export type ChangedEvent = z.infer<typeof changedSchema>;

/** Longest wait that an answer may ask for. */
const maxWaitMs = 5 * 60_000;

export interface EventsLimits extends CallOptions {
  /** Longest wait for a connection, and longest silence after that. */
  stallTimeoutMs: number;
}

/**
 * Yields each `changed` event, the first right after the connection, and connects again after an outage or the end of
 * a stream. Never ends by itself. Throws ProblemError for a refusal that waiting does not change, such as a revoked key
 * or `not_found` of an older service, and TransportError `cancelled` when the signal aborts.
 */
export async function* changedEvents(
  endpoint: Endpoint,
  { stallTimeoutMs, signal: caller }: EventsLimits,
): AsyncGenerator<ChangedEvent> {
  for (let failures = 0; ; ) {
    // A connection that ended, for whatever reason, without an event counts as a failure.
    failures += 1;
    let lastError: unknown;
    try {
      for await (const event of eventsOfOneConnection(endpoint, stallTimeoutMs, caller)) {
        failures = 0;
        yield event;
      }
    } catch (thrown) {
      if (!isTemporary(thrown)) throw thrown;
      lastError = thrown;
    }
    // `failures` is 0 here if the connection worked: then the wait is the shortest one.
    await pauseAsClient(Math.min(retryDelayMs(failures, lastError), maxWaitMs), caller);
  }
}

async function* eventsOfOneConnection(
  endpoint: Endpoint,
  stallTimeoutMs: number,
  caller: AbortSignal | undefined,
): AsyncGenerator<ChangedEvent> {
  const { signal, end } = ownSignal(caller);
  const request: ApiRequest = { method: 'GET', path: '/api/v1/events', signal };
  try {
    const body = await withinMs(openEventStream(endpoint, request), stallTimeoutMs);
    for await (const { event, data } of parseEventStream(readChunks(body, stallTimeoutMs))) {
      if (event === 'changed') yield parseShape(data, changedSchema);
    }
  } catch (thrown) {
    throw toClientError(thrown, signal);
  } finally {
    end();
  }
}
