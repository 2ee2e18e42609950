import type { IncomingMessage } from 'node:http';
import { AppError } from '@teammemory/errors/app-error.ts';
import type { PermitHolder } from '../fair-permits.ts';
import { type BodyBudget, smallBodyBytes, smallCharge } from './body-budget.ts';
import { byteCollector } from './byte-collector.ts';
import type { ScannedBody } from './json-body.ts';
import { createJsonScan, type JsonBounds } from './json-scan.ts';

/** What a body may be. */
export interface BodyBounds extends JsonBounds {
  maxBytes: number;
}

/** A sender of whom nothing comes for so long is cut. */
const stallTimeoutMs = 10_000;
/** One that goes on gets this long, and the time that its bytes take at this rate: 8 MiB in less than a minute. */
const [arrivalGraceMs, slowestBytesPerSecond] = [10_000, 192 * 1024];
/** Chunks may be tiny, but not all of them: each costs as much as hundreds of bytes. Clients send 1 KiB or more. */
const [freeChunks, bytesPerChunk] = [512, 64];
/** More values make a body heavy, however few its bytes. */
const maxLightValues = 1_000;

/** A body that has arrived whole. */
export interface ReceivedBody extends ScannedBody {
  /** Whether it is worked on in a turn of its own. */
  isHeavy: boolean;
}

/** The reading of one body. */
export interface BodyReading {
  /** Bytes received so far. */
  readonly received: number;
  /**
   * Reads the body, as far as its bounds and the budget allow. After an error the rest is unread.
   * @throws AppError `payload_too_large`, `invalid_request`, `invalid_json`, `unavailable`.
   */
  read(): Promise<ReceivedBody>;
  /**
   * Waits for the turn of a heavy body to be worked on, which it has until `release`.
   * @throws AppError `unavailable`.
   */
  takeTurn(): Promise<void>;
  /** Gives back what the body holds of the budget; may be called more than once. */
  release(): void;
}

/** What a chunk waits for, or nothing. */
type Room = Promise<void> | undefined;

/** Prepares to read the body of a request in the name of its key; no byte is read before `read` is called. */
export function bodyReading(options: {
  payload: IncomingMessage;
  bounds: BodyBounds;
  holder: PermitHolder;
  budget: BodyBudget;
}): BodyReading {
  const { payload, bounds, holder, budget } = options;
  const declared = declaredBytes(payload);
  const scan = createJsonScan(bounds);
  const bytes = byteCollector(declared);
  const permits: (() => void)[] = [];
  const released = new AbortController();
  let received = 0;
  let chunks = 0;

  async function take(kind: keyof BodyBudget, amount: number): Promise<void> {
    const giveBack = await budget[kind].take(holder, amount, released.signal);
    // It was given in the very turn in which the request ended.
    if (released.signal.aborted) giveBack();
    else permits.push(giveBack);
  }

  /** Checks and keeps one chunk; where the body becomes a large one, returns a promise of the room for it. */
  function accept(chunk: Buffer): Room {
    const wasSmall = received <= smallBodyBytes;
    chunks += 1;
    received += chunk.length;
    if (received > bounds.maxBytes) throw tooLarge(bounds.maxBytes);
    if (chunks > freeChunks + received / bytesPerChunk) {
      throw new AppError('invalid_json', 'The body comes in chunks of hardly any bytes.');
    }
    scan.read(chunk);
    if (!wasSmall || received <= smallBodyBytes) {
      bytes.add(chunk);
      return undefined;
    }
    return take('large', (declared ?? bounds.maxBytes) - smallBodyBytes).then(() => bytes.add(chunk));
  }

  return {
    get received() {
      return received;
    },
    async read() {
      if (payload.destroyed) throw cutShort();
      await take('small', smallCharge(declared));
      await receive(payload, accept);
      const isHeavy = received > smallBodyBytes || scan.values > maxLightValues;
      return { bytes: bytes.whole(), hasLongNumber: scan.hasLongNumber, isHeavy };
    },
    takeTurn: () => take('work', 1),
    release() {
      released.abort();
      for (const giveBack of permits.splice(0)) giveBack();
    },
  };
}

/** The refusal of a body above its bound, which a request may declare or turn out to have. */
export function tooLarge(maxBytes: number): AppError {
  return new AppError('payload_too_large', `The body must be at most ${maxBytes} bytes.`);
}

/** What Content-Length says; undefined of a body that comes in chunks. Node accepts nothing but a whole number. */
export function declaredBytes({ headers }: IncomingMessage): number | undefined {
  const length = headers['content-length'];
  return length === undefined ? undefined : Number(length);
}

function cutShort(cause?: unknown): AppError {
  return new AppError('invalid_json', 'The request ended before its body did.', { cause });
}

/**
 * Hands the chunks of a body to `accept`, one at a time, until its end. After an
 * error the stream is paused, not destroyed, for an answer can still be sent.
 */
function receive(payload: IncomingMessage, accept: (chunk: Buffer) => Room): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let received = 0;
  /** When the whole body must be there, if no more comes. Time in which the gateway lets it wait does not count. */
  let dueMs = performance.now() + arrivalGraceMs;
  let stalled = setTimeout(onStall, stallTimeoutMs);

  function onStall(): void {
    fail(tooSlow());
  }
  function onData(chunk: Buffer): void {
    stalled.refresh();
    received += chunk.length;
    try {
      if (performance.now() > dueMs + (received / slowestBytesPerSecond) * 1_000) throw tooSlow();
      const room = accept(chunk);
      if (room !== undefined) waitFor(room);
    } catch (error) {
      fail(error);
    }
  }

  function waitFor(room: Promise<void>): void {
    pause();
    clearTimeout(stalled);
    const beganMs = performance.now();
    const goOn = () => {
      dueMs += performance.now() - beganMs;
      stalled = setTimeout(onStall, stallTimeoutMs);
      resume();
    };
    room.then(goOn, fail);
  }

  function fail(error: unknown): void {
    leave();
    pause();
    reject(error);
  }
  const onCut = (cause?: unknown) => fail(cutShort(cause));
  const onEnd = () => {
    leave();
    resolve();
  };
  function leave(): void {
    clearTimeout(stalled);
    payload.off('data', onData).off('end', onEnd).off('error', onCut).off('close', onCut);
  }

  // The connection too: of a paused body Node takes in 64 KiB more, which may be as many chunks.
  function pause(): void {
    payload.pause();
    payload.socket.pause();
  }
  function resume(): void {
    payload.socket.resume();
    payload.resume();
  }

  payload.on('end', onEnd).on('error', onCut).on('close', onCut).on('data', onData);
  resume();
  return promise;
}

function tooSlow(): AppError {
  return new AppError('invalid_json', 'The body came too slowly to be waited for.');
}
