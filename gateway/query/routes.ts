import { within } from '@teammemory/async/bounded-wait.ts';
import type { AskResponse, ClosestNote } from '@teammemory/proto/query/v1/query_pb.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { validate } from '../contract/validate.ts';
import { type EventStream, startEventStream } from '../event-stream.ts';
import { requestFields } from '../request.ts';
import type { RouteDependencies } from '../route-dependencies.ts';
import { queryBody, searchQuery } from './contract.ts';
import { closestFromProto, type OpenAnswer, openAnswer, sourceFromProto } from './open-answer.ts';
import { searchPassages } from './search.ts';

/** The stream starts after this long even without a first part, so that heartbeats can be sent. */
const startStreamAfterMs = 10_000;

/** POST /api/v1/query: a streamed answer with its sources (docs/contract.md, "Questions"). */
export function askQuestion({ clients, questions, openAnswer: acquire, overdue, log }: RouteDependencies) {
  const asking = { clients, questions, openAnswer: acquire, overdue };
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const { q } = validate(queryBody, request.body);
    // Only the question is still needed of the body, and the answer may take minutes.
    request.reading.release();
    const gone = goneOf(reply);
    const answer = await openAnswer(asking, q, { request, answer: reply, signal: gone.signal });
    try {
      await streamAnswer(answer, { log, request, reply, gone });
    } finally {
      answer.end();
    }
  };
}

/** GET /api/v1/search: the passages that fit a question best (docs/contract.md, "Additions"). */
export function searchRoute({ clients, searches, openAnswer: acquire, overdue, answers }: RouteDependencies) {
  const searching = { clients, searches, openAnswer: acquire, overdue };
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const parameters = validate(searchQuery, request.query);
    const call = { request, answer: reply, signal: goneOf(reply).signal };
    const found = await searchPassages(searching, parameters, call);
    // In memory of its own, as pages are, which are known by their buffer.
    const body = Buffer.from(JSON.stringify(found));
    return answers.send(request, reply, { encoding: 'identity', body });
  };
}

/** Aborts when the reader goes away, so that everything behind the answer is cancelled. */
function goneOf(reply: FastifyReply): AbortController {
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  // The reader may have gone during authentication; then `close` is not emitted again.
  if (reply.raw.destroyed) gone.abort();
  return gone;
}

async function streamAnswer(
  { opening, failure }: OpenAnswer,
  dependencies: Pick<RouteDependencies, 'log'> & {
    request: FastifyRequest;
    reply: FastifyReply;
    gone: AbortController;
  },
): Promise<void> {
  const { log, request, reply, gone } = dependencies;
  const first = opening.then((parts) => parts.next());
  // Before the stream starts, a fault is an ordinary problem.
  await within(first, startStreamAfterMs).catch((error: unknown) => {
    throw failure(error);
  });
  reply.hijack();
  const stream = startEventStream(reply.raw, reply.getHeaders());
  try {
    let closest: readonly ClosestNote[] = [];
    let next = await first;
    for (const parts = await opening; next.done !== true; next = await parts.next()) {
      const { part } = next.value;
      if (part.case === 'sources') closest = part.value.closest;
      const noRoom = sendPart(stream, next.value);
      // Awaiting only without room saves a turn of the microtask queue for each part.
      if (noRoom !== undefined) await noRoom;
    }
    await stream.send('done', closest.length === 0 ? {} : { closest: closestFromProto(closest) });
  } catch (error) {
    if (!gone.signal.aborted) {
      const { code, message, cause } = failure(error);
      if (code === 'internal')
        log.error({ ...requestFields(request), err: cause ?? error }, 'an answer failed');
      await stream.send('error', { code, detail: message })?.catch(() => gone.abort());
    }
  } finally {
    gone.abort();
    stream.end();
  }
}

function sendPart(stream: EventStream, { part }: AskResponse): Promise<void> | undefined {
  if (part.case === 'delta') return stream.send('delta', { text: part.value.text });
  if (part.case !== 'sources') return undefined;
  return stream.send('sources', part.value.sources.map(sourceFromProto));
}
