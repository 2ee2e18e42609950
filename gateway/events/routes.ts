import { AppError } from '@teammemory/errors/app-error.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { authenticateRequest } from '../caller.ts';
import { startEventStream } from '../event-stream.ts';
import { watchKey } from '../key-watch.ts';
import { holderOf } from '../request.ts';
import type { RouteDependencies } from '../route-dependencies.ts';
import type { ChangeSubscription } from './change-watch.ts';
import type { NewestTimes } from './contract.ts';

type EventDependencies = Pick<RouteDependencies, 'changes' | 'changeStreams' | 'callers' | 'closing'>;

/** GET /api/v1/events: a stream that tells when there is something to pull (docs/contract.md, "Additions"). */
export function followChanges({ changes, changeStreams, callers, closing }: EventDependencies) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    // Fastify passes HEAD to the handler of GET. A stream without a body would never end.
    if (request.method === 'HEAD') {
      return reply
        .headers({ 'cache-control': 'no-cache, no-transform', 'x-accel-buffering': 'no' })
        .type('text/event-stream; charset=utf-8')
        .send('');
    }
    const giveBack = await changeStreams.take(holderOf(request));
    try {
      await streamChanges(request, reply, { changes, callers, closing });
    } finally {
      giveBack();
    }
  };
}

async function streamChanges(
  request: FastifyRequest,
  reply: FastifyReply,
  { changes, callers, closing }: Pick<EventDependencies, 'changes' | 'callers' | 'closing'>,
): Promise<void> {
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  // The reader may have gone during authentication; then `close` is not emitted again.
  if (reply.raw.destroyed) gone.abort();
  let wake = () => {};
  const key = watchKey(
    () => authenticateRequest(callers, request),
    () => wake(),
  );
  const over = AbortSignal.any([gone.signal, closing, key.revoked]);
  const { caller, id: requestId } = request;
  let subscription: ChangeSubscription | undefined;
  try {
    subscription = await changes.subscribe({ caller, requestId, onChange: () => wake() });
    if (closing.aborted) throw new AppError('unavailable', 'The gateway is shutting down; connect again.');
    reply.hijack();
    const stream = startEventStream(reply.raw, reply.getHeaders());
    over.addEventListener('abort', () => wake(), { once: true });
    let sent: NewestTimes | undefined;
    while (!over.aborted) {
      const { promise, resolve } = Promise.withResolvers<void>();
      wake = resolve;
      const newest = subscription.newest();
      if (newest === sent || !key.isValid()) {
        await promise;
        continue;
      }
      sent = newest;
      // A slow reader misses what comes in between: the next event has the newest times.
      await stream.send('changed', sent)?.catch(() => gone.abort());
    }
    stream.end();
  } finally {
    subscription?.stop();
    key.stop();
  }
}
