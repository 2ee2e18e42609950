import type { IncomingMessage } from 'node:http';

/**
 * How much of a body is still read after its request was answered, and for how long. A client whose connection is closed
 * while it writes may never read why it was refused, so the gateway reads and discards as much as an honest client sends.
 */
const maxDiscardedBytes = 16 * 1024 * 1024;
const discardTimeoutMs = 5_000;
/**
 * Bodies that are discarded at once; the others are paused. In one turn of the event loop Node reads up to 2 MiB of each
 * connection but accepts only one new connection, so new clients would wait for all who were refused.
 */
const maxAtOnce = 2;
const checkIntervalMs = 50;

/**
 * Reads and discards the rest of bodies whose requests were answered early. Written by hand because Node either reads such
 * a body to its end, however long, or closes the connection.
 */
export interface Discards {
  /** Discards the rest of a body, and closes the connection if that takes too long. Call it once the answer was sent. */
  start(request: IncomingMessage): void;
}

/** Creates the discards of one server. */
export function createDiscards(): Discards {
  /** By request: the bytes received before, and until when it may send. The first ones are being read. */
  const unread = new Map<IncomingMessage, { receivedBefore: number; untilMs: number }>();
  let checking: NodeJS.Timeout | undefined;

  function readFirst(): void {
    let index = 0;
    for (const { socket } of unread.keys()) {
      // Node keeps reading as fast as the body arrives; only the socket can be paused.
      if (index < maxAtOnce) socket.resume();
      else socket.pause();
      index += 1;
    }
  }

  function leave(request: IncomingMessage): void {
    if (!unread.delete(request)) return;
    // The connection is free for its next request.
    request.socket.resume();
    readFirst();
    if (unread.size > 0) return;
    clearInterval(checking);
    checking = undefined;
  }

  function checkAll(): void {
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
      checking ??= setInterval(checkAll, checkIntervalMs).unref();
      readFirst();
    },
  };
}
