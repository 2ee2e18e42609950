import type { IncomingMessage } from 'node:http';

/**
 * How much of a body is still taken in once its request has been answered, and for how long. A client that is cut
 * while it writes may not get to read why it was refused, so what an honest one would send is let in and thrown away.
 */
const maxDiscardedBytes = 16 * 1024 * 1024;
const discardTimeoutMs = 5_000;
/**
 * Bodies thrown away at once; the others are not read meanwhile. Of each connection Node reads up to 2 MiB in one turn
 * of the event loop and accepts one new connection in it, so those who knock would wait for all who are turned away.
 */
const maxAtOnce = 2;
const lookEveryMs = 50;

/** Takes in the rest of bodies whose requests were answered before they had come. */
export interface Discards {
  /** Reads the rest of a body and holds none of it; cuts the connection when that takes too long. To be called once the answer has left. */
  start(request: IncomingMessage): void;
}

/** Makes what one server throws away. */
export function createDiscards(): Discards {
  /** What its connection had received, and until when it may send. The first of them are being read. */
  const unread = new Map<IncomingMessage, { receivedBefore: number; untilMs: number }>();
  let looking: NodeJS.Timeout | undefined;

  function readFirst(): void {
    let place = 0;
    for (const { socket } of unread.keys()) {
      // Node reads on by itself, as fast as the body comes; only the connection can be held.
      if (place < maxAtOnce) socket.resume();
      else socket.pause();
      place += 1;
    }
  }

  function leave(request: IncomingMessage): void {
    if (!unread.delete(request)) return;
    // It is here for the next request.
    request.socket.resume();
    readFirst();
    if (unread.size > 0) return;
    clearInterval(looking);
    looking = undefined;
  }

  function look(): void {
    for (const [request, { receivedBefore, untilMs }] of unread) {
      const { socket } = request;
      const isOverdue = performance.now() > untilMs || socket.bytesRead - receivedBefore > maxDiscardedBytes;
      if (isOverdue) socket.destroy();
      if (request.complete || socket.destroyed) leave(request);
    }
  }

  return {
    start(request) {
      const { socket } = request;
      if (request.complete || socket.destroyed) {
        socket.resume();
        return;
      }
      unread.set(request, {
        receivedBefore: socket.bytesRead,
        untilMs: performance.now() + discardTimeoutMs,
      });
      request.once('end', () => leave(request)).resume();
      looking ??= setInterval(look, lookEveryMs).unref();
      readFirst();
    },
  };
}
