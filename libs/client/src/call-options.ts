import { TransportError } from './transport-error.ts';

/** The options of every call of a client. */
export interface CallOptions {
  /** Ends the call. */
  signal?: AbortSignal;
  /** How often this request may be sent again, instead of what the client was made with. */
  retries?: number;
  /** False throws a refusal for a limit per minute at once, for a caller that tells its user about the wait. */
  retryLimited?: boolean;
}

/** A signal that a call owns. */
export interface OwnSignal {
  signal: AbortSignal;
  /** Lets go of the caller's signal and of the deadline, and ends whatever still listens to `signal`. */
  end(): void;
}

/**
 * Returns a signal that aborts when the caller's signal does, or after `timeoutMs` with a TimeoutError. It has to be
 * ended: unlike `AbortSignal.any`, which on Node 20 keeps memory for as long as the caller's signal lives, it then
 * leaves nothing behind.
 */
export function ownSignal(caller: AbortSignal | undefined, timeoutMs?: number): OwnSignal {
  const own = new AbortController();
  const follow = () => own.abort(caller?.reason);
  if (caller?.aborted) follow();
  caller?.addEventListener('abort', follow, { once: true });
  const timer = timeoutMs === undefined ? undefined : setTimeout(() => own.abort(timeoutReason()), timeoutMs);
  return {
    signal: own.signal,
    end: () => {
      clearTimeout(timer);
      caller?.removeEventListener('abort', follow);
      own.abort();
    },
  };
}

/** Waits for `work`, but rejects with a TimeoutError after `timeoutMs`. The caller has to end the work itself. */
export async function withinMs<Value>(work: Promise<Value>, timeoutMs: number): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const expired = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(timeoutReason()), timeoutMs);
  });
  try {
    return await Promise.race([work, expired]);
  } finally {
    clearTimeout(timer);
  }
}

/** Waits for `ms` milliseconds. Rejects with the reason of the signal as soon as it aborts. */
export async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', abort, { once: true });
  });
}

/** Waits, and throws TransportError `cancelled` if the signal aborts. */
export async function pauseAsClient(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await pause(ms, signal).catch((thrown) => {
    throw new TransportError('cancelled', 'The call was cancelled.', thrown);
  });
}

function timeoutReason(): DOMException {
  return new DOMException('nothing arrived in time', 'TimeoutError');
}
