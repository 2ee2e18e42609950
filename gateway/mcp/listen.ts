import type { ServerEventBus } from '@modelcontextprotocol/server';
import { AppError } from '@teammemory/errors/app-error.ts';
import type { Memory } from '@teammemory/mcp/memory.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ChangeSubscription } from '../events/change-watch.ts';
import { watchKey } from '../key-watch.ts';
import { holderOf } from '../request.ts';
import type { RouteDependencies } from '../route-dependencies.ts';
import { followChanges } from './change-feed.ts';
import { memoryErrorFrom } from './memory-error.ts';
import { authenticateForTeam } from './team-caller.ts';

/** Bytes of a subscription: it is kept as long as its stream, of which there may be thousands. */
const maxSubscriptionBytes = 64 * 1024;
/** Resources of one subscription: each is compared with each resource that changes. */
const maxSubscribedResources = 1_000;

type ListenDependencies = Pick<
  RouteDependencies,
  'changes' | 'changeStreams' | 'callers' | 'closing' | 'log' | 'refusals'
> & { clock: () => number };

/**
 * Serves a stream of changes: `serve` writes it, from the events of a bus, until `end` was called or the reader goes. The
 * bus is made for this request and hands out only what its caller may see, so no event can reach another reader. The
 * stream is bounded like those of GET /events, and ends when the key is revoked or expires, and when the gateway closes.
 * @throws AppError `unavailable`, `payload_too_large`, `invalid_request`.
 */
export async function listen(
  dependencies: ListenDependencies,
  call: { request: FastifyRequest; reply: FastifyReply; memory: Memory },
  serve: (bus: ServerEventBus, onEnd: (end: () => void) => void) => Promise<void>,
): Promise<void> {
  const { changes, changeStreams, callers, closing } = dependencies;
  const { request, reply, memory } = call;
  const { caller, id: requestId } = request;
  refuseLargeSubscription(request);
  // The subscription itself is counted by the streams.
  request.reading.release();
  const giveBack = await changeStreams.take(holderOf(request));
  const gone = new AbortController();
  const leave = () => gone.abort();
  reply.raw.once('close', leave);
  // The reader may have gone during authentication; then `close` is not emitted again.
  if (reply.raw.destroyed) leave();
  let wake = () => {};
  const wakeUp = () => wake();
  const key = watchKey(() => authenticateForTeam(callers, request), wakeUp);
  const over = AbortSignal.any([gone.signal, closing, key.revoked]);
  over.addEventListener('abort', wakeUp, { once: true });
  reply.raw.on('drain', wakeUp);
  let subscription: ChangeSubscription | undefined;
  try {
    const { newest, stop } = await changes.subscribe({ caller, requestId, onChange: wakeUp });
    subscription = { newest, stop };
    if (closing.aborted) throw new AppError('unavailable', 'The gateway is shutting down; connect again.');
    const feed = {
      memory,
      newest,
      over,
      mayTell: key.isValid,
      hasRoom: () => !reply.raw.writableNeedDrain,
      changed: () =>
        new Promise<void>((resolve) => {
          wake = resolve;
        }),
    };
    const bus: ServerEventBus = {
      // Everything that is told comes from the feed.
      publish: () => undefined,
      subscribe(tell) {
        followChanges(feed, tell).catch((error: unknown) => {
          memoryErrorFrom(error, { ...dependencies, request });
          leave();
        });
        return leave;
      },
    };
    await serve(bus, (end) => over.addEventListener('abort', end, { once: true }));
  } finally {
    leave();
    subscription?.stop();
    key.stop();
    giveBack();
  }
}

function refuseLargeSubscription({ reading, body }: FastifyRequest): void {
  if (reading.received > maxSubscriptionBytes) {
    throw new AppError(
      'payload_too_large',
      `A subscription must have at most ${maxSubscriptionBytes} bytes.`,
    );
  }
  const { params } = body as { params?: { notifications?: { resourceSubscriptions?: unknown } } };
  const resources = params?.notifications?.resourceSubscriptions;
  if (!Array.isArray(resources) || resources.length <= maxSubscribedResources) return;
  throw new AppError(
    'invalid_request',
    `A subscription may name at most ${maxSubscribedResources} resources.`,
  );
}
