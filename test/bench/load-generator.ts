// Sends HTTP requests as fast as they are answered, as a process of its own, so that it takes no time from what it
// measures: raw sockets, requests made beforehand, answers counted but not kept. Driven by messages of `Load`.
import { connect, type Socket } from 'node:net';

/** What to send: each request once, or all of them in turn until the time is up. */
export interface Load {
  port: number;
  connections: number;
  /** Whole requests as bytes. */
  requests: Uint8Array[];
  durationMs?: number;
}

/** What came of it. */
export interface LoadResult {
  answers: number;
  milliseconds: number;
}

const headEnd = Buffer.from('\r\n\r\n');

async function run(load: Load): Promise<LoadResult> {
  const sockets = await Promise.all(Array.from({ length: load.connections }, () => open(load.port)));
  const started = performance.now();
  const deadline = started + (load.durationMs ?? Number.POSITIVE_INFINITY);
  let sent = 0;
  const next = () => {
    if (load.durationMs === undefined) return load.requests[sent++];
    return performance.now() < deadline ? load.requests[sent++ % load.requests.length] : undefined;
  };
  const answers = await Promise.all(sockets.map((socket) => converse(socket, next)));
  return {
    answers: answers.reduce((sum, count) => sum + count, 0),
    milliseconds: performance.now() - started,
  };
}

function open(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => resolve(socket));
    socket.once('error', reject);
  });
}

/** Sends one request after the other on one connection; returns how many were answered, all of them with 200. */
function converse(socket: Socket, next: () => Uint8Array | undefined): Promise<number> {
  return new Promise((resolve, reject) => {
    let answers = 0;
    let head: Buffer = Buffer.alloc(0);
    let bytesLeft: number | undefined;
    const send = () => {
      const request = next();
      if (request !== undefined) return socket.write(request);
      socket.destroy();
      return resolve(answers);
    };
    socket.on('data', (chunk: Buffer) => {
      let bytes = chunk.length;
      if (bytesLeft === undefined) {
        head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
        const end = head.indexOf(headEnd);
        if (end < 0) return;
        bytesLeft = bodyLength(head.toString('latin1', 0, end));
        bytes = head.length - end - headEnd.length;
        head = Buffer.alloc(0);
      }
      bytesLeft -= bytes;
      if (bytesLeft > 0) return;
      bytesLeft = undefined;
      answers += 1;
      send();
    });
    socket.once('error', reject).once('end', () => reject(new Error('the server closed a connection')));
    send();
  });
}

function bodyLength(head: string): number {
  const length = /^HTTP\/1\.1 200 .*\r\ncontent-length: (\d+)/is.exec(head)?.[1];
  if (length === undefined) throw new Error(`not the answer expected:\n${head}`);
  return Number(length);
}

process.on('message', async (load: Load) => {
  process.send?.(await run(load));
});
process.on('disconnect', () => process.exit());
