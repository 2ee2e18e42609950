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
const maxAtOnce = 4;
const lookEveryMs = 100;

/** Takes in the rest of bodies whose requests were answered before they had come. */
export interface Discards {
  /** Keeps Node from reading on by itself, as fast as the body comes; to be called before the answer leaves. */
  hold(request: IncomingMessage): void;
  /** Reads the rest and holds none of it; cuts the connection when that takes too long. Called once the answer has left. */
  start(request: IncomingMessage): void;
}

/** Makes what one server throws away. */
export function createDiscards(): Discards {
  /** By request: how much its connection had received, and until when it may send. The first of them are being read. */
  const unread = new Map<IncomingMessage, { receivedBefore: number; untilMs: number }>();
  let looking: NodeJS.Timeout | undefined;

  function readFirst(): void {
    for (const request of unread.keys().take(maxAtOnce)) request.resume();
  }

  function cutOverdue(): void {
    for (const [{ socket }, { receivedBefore, untilMs }] of unread) {
      const isOverdue = performance.now() > untilMs || socket.bytesRead - receivedBefore > maxDiscardedBytes;
      if (isOverdue) socket.destroy();
    }
  }

  function leave(request: IncomingMessage): void {
    unread.delete(request);
    readFirst();
    if (unread.size > 0) return;
    clearInterval(looking);
    looking = undefined;
  }

  return {
    hold(request) {
      // Node takes a body that somebody has begun to read for theirs.
      if (!request.complete) request.pause().read(0);
    },
    start(request) {
      if (request.complete || request.destroyed) return;
      const receivedBefore = request.socket.bytesRead;
      unread.set(request, { receivedBefore, untilMs: performance.now() + discardTimeoutMs });
      request.once('close', () => leave(request));
      looking ??= setInterval(cutOverdue, lookEveryMs).unref();
      readFirst();
    },
  };
}
