import type { IncomingMessage } from 'node:http';
import { constants, createGunzip, createZstdDecompress, type ZlibOptions, type ZstdOptions } from 'node:zlib';
import type { PermitHolder } from '@teammemory/admission/permits.ts';
import { AppError } from '@teammemory/errors/app-error.ts';
import { createJsonScan, type JsonBounds } from '@teammemory/vocabulary/json-scan.ts';
import { type BodyBudget, smallBodyBytes, smallCharge } from './body-limits.ts';
import { readWithinBounds, type ScannedBody } from './json-body.ts';

/** The bounds of one body. */
export interface BodyBounds extends JsonBounds {
  maxBytes: number;
  /** Milliseconds in which the whole body must arrive; unset: as long as its bytes take at a low rate. */
  arrivalMs?: number;
}

/** A sender that sends nothing for so long is refused. */
const stallTimeoutMs = 10_000;
/** A whole body may take this long, plus the time of its bytes at this rate: 8 MiB take less than a minute. */
const [arrivalGraceMs, minBytesPerSecond] = [10_000, 192 * 1024];
/** Some chunks may be tiny, but not all: each costs as much as hundreds of bytes. Clients send 1 KiB or more. */
const [freeChunks, minBytesPerChunk] = [512, 64];
/** A body with more values is heavy, whatever its size. */
const maxLightValues = 1_000;

/** A complete body. */
export interface ReceivedBody extends ScannedBody {
  /** Whether it needs a turn of its own to be processed. */
  isHeavy: boolean;
}

/** The reading of one body. */
export interface BodyReading {
  /** Bytes received so far, or decoded of them if that is more. */
  readonly received: number;
  /**
   * Reads the body within its bounds and the budget. After an error the rest stays unread.
   * @throws AppError `payload_too_large`, `invalid_request`, `invalid_json`, `unavailable`.
   */
  read(): Promise<ReceivedBody>;
  /**
   * Waits for the turn of a heavy body. It keeps the turn until `release`.
   * @throws AppError `unavailable`.
   */
  takeTurn(): Promise<void>;
  /** Returns the body's share of the budget; may be called more than once. */
  release(): void;
}

/** The room that a chunk waits for, if any. */
type Room = Promise<void> | undefined;

/**
 * Prepares to read the body of a request on behalf of its key. No byte is read before `read` is called. It replaces
 * Fastify's own reading, which bounds the bytes of a body but not its values, its pace or the memory of all bodies.
 */
export function bodyReading(dependencies: {
  payload: IncomingMessage;
  /** Of the decoded body. */
  bounds: BodyBounds;
  encoding: BodyEncoding | undefined;
  holder: PermitHolder;
  budget: BodyBudget;
}): BodyReading {
  const { payload, bounds, encoding, holder, budget } = dependencies;
  // How much an encoded body declares says nothing about what it will take.
  const declared = encoding === undefined ? declaredBytes(payload) : undefined;
  const scan = createJsonScan(bounds);
  const bytes = byteCollector(declared);
  const permits: (() => void)[] = [];
  const released = new AbortController();
  let received = 0;
  /** Bytes of the JSON so far: the received ones, or what was decoded of them. */
  let decoded = 0;
  let chunks = 0;
  let hasLargeRoom = false;

  async function take(kind: keyof BodyBudget, amount: number): Promise<void> {
    const giveBack = await budget[kind].take(holder, amount, released.signal);
    // The permit may be granted in the same turn in which the request ends.
    if (released.signal.aborted) giveBack();
    else permits.push(giveBack);
  }

  /** Checks one chunk as it was sent. */
  function count(chunk: Buffer): void {
    chunks += 1;
    received += chunk.length;
    if (received > bounds.maxBytes) throw tooLarge(bounds.maxBytes);
    if (chunks > freeChunks + received / minBytesPerChunk) {
      throw new AppError('invalid_json', 'The chunks of the body are too small.');
    }
  }

  /** Checks and stores one piece of the JSON. When the body becomes large, returns a promise of the room for it. */
  function accept(piece: Buffer): Room {
    decoded += piece.length;
    if (decoded > bounds.maxBytes) throw tooLarge(bounds.maxBytes);
    readWithinBounds(scan, bounds, piece);
    if (hasLargeRoom || decoded <= smallBodyBytes) {
      bytes.add(piece);
      return undefined;
    }
    return takeLargeRoom().then(() => bytes.add(piece));
  }

  function takeLargeRoom(): Promise<void> {
    hasLargeRoom = true;
    return take('large', (declared ?? bounds.maxBytes) - smallBodyBytes);
  }

  async function receiveAll(): Promise<void> {
    // Its decoder may need a window of megabytes for a small body.
    if (encoding === 'zstd') await takeLargeRoom();
    const decoder = encoding === undefined ? undefined : createBodyDecoder(encoding, accept);
    try {
      await receive(payload, bounds.arrivalMs, (chunk) => {
        count(chunk);
        return decoder === undefined ? accept(chunk) : decoder.write(chunk);
      });
      await decoder?.end();
    } finally {
      decoder?.close();
    }
  }

  return {
    get received() {
      return Math.max(received, decoded);
    },
    async read() {
      if (payload.destroyed) throw cutShort();
      await take('small', smallCharge(declared, bounds.maxBytes));
      await receiveAll();
      const isHeavy = decoded > smallBodyBytes || scan.values > maxLightValues;
      return { bytes: bytes.whole(), hasLongNumber: scan.hasLongNumber, isHeavy };
    },
    takeTurn: () => take('work', 1),
    release() {
      released.abort();
      for (const giveBack of permits.splice(0)) giveBack();
    },
  };
}

/** Copies each piece into one buffer: a list of them would keep objects, and whatever else was read from the socket. */
function byteCollector(declared: number | undefined) {
  let buffer = Buffer.allocUnsafeSlow(0);
  let used = 0;
  return {
    add(piece: Uint8Array) {
      const needed = used + piece.length;
      if (needed > buffer.length) {
        const most = needed <= smallBodyBytes ? smallBodyBytes : Number.POSITIVE_INFINITY;
        const next = Buffer.allocUnsafeSlow(Math.max(needed, Math.min(most, declared ?? 2 * needed)));
        buffer.copy(next, 0, 0, used);
        buffer = next;
      }
      buffer.set(piece, used);
      used = needed;
    },
    whole: () => buffer.subarray(0, used),
  };
}

/** Returns the refusal of a body that declares, or turns out to have, too many bytes. */
export function tooLarge(maxBytes: number): AppError {
  return new AppError('payload_too_large', `The body must be at most ${maxBytes} bytes.`);
}

/** Returns Content-Length, or undefined for a chunked body. Node accepts whole numbers only. */
export function declaredBytes({ headers }: IncomingMessage): number | undefined {
  const length = headers['content-length'];
  return length === undefined ? undefined : Number(length);
}

function cutShort(cause?: unknown): AppError {
  return new AppError('invalid_json', 'The request ended before its body did.', { cause });
}

/**
 * Passes the chunks of a body to `accept`, one at a time, until all were accepted. After an
 * error the stream is paused, not destroyed, so that an answer can still be sent.
 */
function receive(
  payload: IncomingMessage,
  arrivalMs: number | undefined,
  accept: (chunk: Buffer) => Room,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let received = 0;
  /** When the body must be complete, without the time of its bytes. Time that the gateway makes it wait does not count. */
  let dueMs = performance.now() + arrivalGraceMs;
  let stalled = setTimeout(onStall, stallTimeoutMs);
  const due = arrivalMs === undefined ? undefined : setTimeout(onStall, arrivalMs);
  /** What the last chunk waits for. A body that Node had received whole ends even so. */
  let waitsFor: Room;
  let isOver = false;

  function onStall(): void {
    fail(tooSlow());
  }
  function onData(chunk: Buffer): void {
    stalled.refresh();
    received += chunk.length;
    try {
      if (performance.now() > dueMs + (received / minBytesPerSecond) * 1_000) throw tooSlow();
      const room = accept(chunk);
      if (room !== undefined) waitFor(room);
    } catch (error) {
      fail(error);
    }
  }
  function waitFor(room: Promise<void>): void {
    waitsFor = room;
    pause();
    clearTimeout(stalled);
    const beganMs = performance.now();
    room.then(() => {
      if (isOver) return;
      waitsFor = undefined;
      dueMs += performance.now() - beganMs;
      stalled = setTimeout(onStall, stallTimeoutMs);
      resume();
    }, fail);
  }

  function fail(error: unknown): void {
    if (isOver) return;
    leave();
    pause();
    reject(error);
  }
  const onCut = (cause?: unknown) => fail(cutShort(cause));
  const onEnd = () => {
    leave();
    resolve(waitsFor);
  };
  /** After this the connection may belong to another request. */
  function leave(): void {
    isOver = true;
    clearTimeout(stalled);
    clearTimeout(due);
    payload.off('data', onData).off('end', onEnd).off('error', onCut).off('close', onCut);
  }

  // The socket too: Node reads 64 KiB more of a paused body, which may be as many chunks.
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
  return new AppError('invalid_json', 'The body arrived too slowly.');
}

/** Encodings of request bodies, beside none. */
export type BodyEncoding = 'gzip' | 'zstd';

/** Bytes that are decoded at a time: the reader may stop after each piece. */
const pieceBytes = 64 * 1024;
/**
 * A zstd decoder allocates the window that the body names, so that is bounded: 8 MiB (2^23), which every decoder should
 * support (RFC 8878, 3.1.1.1.2). Node's own bound is 128 MiB.
 */
const maxWindowLog = 23;

/** Decodes one body while it arrives. */
export interface BodyDecoder {
  /** Decodes some bytes; resolves when the reader has taken all that came of them. */
  write(bytes: Uint8Array): Promise<void>;
  /** Ends the body; resolves when the reader has taken all of it. */
  end(): Promise<void>;
  /** Frees the decoder. May be called at any time, and more than once. */
  close(): void;
}

/**
 * Returns the encoding of a body by its header `Content-Encoding`, undefined for none.
 * @throws AppError `unsupported_media_type` for any other encoding and for several at once.
 */
export function bodyEncoding(header: string | undefined): BodyEncoding | undefined {
  const name = header?.trim().toLowerCase() ?? 'identity';
  if (name === 'identity') return undefined;
  if (name === 'gzip' || name === 'zstd') return name;
  throw new AppError(
    'unsupported_media_type',
    'The content encoding of the body must be gzip, zstd or none.',
  );
}

/**
 * Creates the decoder of a body. `read` is called with each piece, one at a time, and nothing more is decoded until it has
 * returned: a few bytes may stand for gigabytes, and what the reader refuses is never decoded. To write and to end throw
 * AppError `invalid_json` for a body that is cut short or not of the encoding, and whatever the reader throws.
 */
function createBodyDecoder(
  encoding: BodyEncoding,
  read: (piece: Buffer) => Promise<void> | undefined,
): BodyDecoder {
  const stream = encoding === 'gzip' ? createGunzip(gunzipOptions) : createZstdDecompress(zstdOptions);
  // Every error reaches the reader through `over`.
  stream.on('error', () => undefined);
  const over = consume();
  // Whoever writes or ends is told; the decoder may also be closed before either.
  over.catch(() => undefined);

  async function consume(): Promise<void> {
    try {
      for await (const piece of stream) {
        const room = read(piece as Buffer);
        if (room !== undefined) await room;
      }
    } catch (cause) {
      if (cause !== stream.errored) throw cause;
      throw new AppError('invalid_json', `The body is not valid ${encoding}.`, { cause });
    } finally {
      stream.destroy();
    }
  }

  return {
    write(bytes) {
      const { promise: written, resolve } = Promise.withResolvers<void>();
      // An error reaches the writer through `over`.
      stream.write(bytes, () => resolve());
      return Promise.race([written.then(() => undefined), over]);
    },
    end() {
      stream.end();
      return over;
    },
    close: () => stream.destroy(),
  };
}

// Node has this option for its DecompressionStream; its types do not.
const strict = { rejectGarbageAfterEnd: true };
const gunzipOptions: ZlibOptions = { chunkSize: pieceBytes, ...strict };
const zstdOptions: ZstdOptions = {
  chunkSize: pieceBytes,
  params: { [constants.ZSTD_d_windowLogMax]: maxWindowLog },
  ...strict,
};
