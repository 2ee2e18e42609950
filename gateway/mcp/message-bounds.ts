import { AppError } from '@teammemory/errors/app-error.ts';
import { asksModel } from './open-messages.ts';

/** Messages of one batch; each may be a call of a tool. Only clients of the revision 2025-03-26 send batches. */
const maxBatchMessages = 16;
/** Characters of what answers and notices repeat: the id of a message, its method, its name and its progress token. */
const maxNameCharacters = 256;
/** Bytes of a message without the arguments of a tool, which may have the text of an item. */
const maxFrameBytes = 64 * 1024;

/** A message as far as its bounds go; any member may be missing or of another type. */
interface Frame {
  id?: unknown;
  method?: unknown;
  params?: { name?: unknown; arguments?: unknown; _meta?: { progressToken?: unknown } | null } | null;
}

/**
 * Refuses a body, a message or a batch, whose answer would grow with it: the protocol repeats names and ids in errors and
 * notices, and bounds none of them. What is no message at all is left to the protocol.
 * @param bytes of the whole body
 * @throws AppError `invalid_request`, `payload_too_large`.
 */
export function refuseLargeMessages(body: unknown, bytes: number): void {
  if (Array.isArray(body) && body.length > maxBatchMessages) {
    throw new AppError('invalid_request', `A batch may have at most ${maxBatchMessages} messages.`);
  }
  if (Array.isArray(body)) refuseUnanswerable(body);
  if (bytes > maxFrameBytes && asksModel(body)) {
    // Its body keeps no share of the memory of bodies while the model thinks.
    throw new AppError('payload_too_large', `A question must have at most ${maxFrameBytes} bytes.`);
  }
  for (const message of [body].flat()) {
    if (typeof message !== 'object' || message === null) continue;
    refuseLongNames(message);
    // A small body has small messages.
    if (bytes > maxFrameBytes) refuseLargeFrame(message);
  }
}

/**
 * Refuses a batch with a request that could never be answered: the protocol answers the last of those with one id, and
 * none that the batch itself cancels, so that the stream of the answers would stay open for good.
 */
function refuseUnanswerable(batch: readonly unknown[]): void {
  const frames = batch.map((message) => (message ?? {}) as Frame);
  const ids = frames.map(({ id }) => id).filter((id) => id !== undefined);
  if (new Set(ids).size < ids.length) {
    throw new AppError('invalid_request', 'Each message of a batch must have an id of its own.');
  }
  if (ids.length > 0 && frames.some(({ method }) => method === 'notifications/cancelled')) {
    throw new AppError(
      'invalid_request',
      'A batch of requests may not cancel any; close the connection to cancel them.',
    );
  }
}

function refuseLongNames({ id, method, params }: Frame): void {
  const names = {
    '/id': id,
    '/method': method,
    '/params/name': params?.name,
    '/params/_meta/progressToken': params?._meta?.progressToken,
  };
  for (const [pointer, name] of Object.entries(names)) {
    if (typeof name !== 'string' || name.length <= maxNameCharacters) continue;
    const detail = `must have at most ${maxNameCharacters} characters`;
    throw new AppError('invalid_request', 'The message has a name that is too long.', {
      violations: [{ pointer, detail }],
    });
  }
}

function refuseLargeFrame({ params, ...others }: Frame): void {
  // Only an object is taken apart: the parts of a text would be its characters, one by one.
  const { arguments: _, ...rest } =
    typeof params === 'object' && params !== null ? params : { arguments: undefined, params };
  if (Buffer.byteLength(JSON.stringify([rest, others])) <= maxFrameBytes) return;
  throw new AppError(
    'payload_too_large',
    `A message must have at most ${maxFrameBytes} bytes beside the arguments of a tool.`,
  );
}
