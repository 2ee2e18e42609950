import {
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';

/** A server that does not take a connection by then is down, or far too busy to write. */
const connectTimeoutMs = 10_000;
/** A server that has said its last ends the body within a round trip. */
const endOfBodyMs = 1_000;
/**
 * How long a connection waits for another call. Servers keep theirs for 5 seconds and more: a question sent on one that
 * the server is just closing would be lost, and nobody could tell whether it was paid for.
 */
const idle = { keepAlive: true, timeout: 2_000 };
const httpConnections = new HttpAgent(idle);
const httpsConnections = new HttpsAgent(idle);

/** One call to a model server. */
export interface ModelCall {
  /** Makes the call for the client library. Of the answer it gets the status and the headers; the body is for `read`. */
  fetch: typeof fetch;
  /** What has come of the body since the last time, or comes next; undefined at its end. @throws what the network says. */
  read(): Promise<readonly Buffer[] | undefined>;
  /** Breaks the call off. */
  end(): void;
  /** Lets a call end that has given all that is wanted; its connection may then serve another one. */
  finish(): void;
}

/**
 * Makes a call to a model server. It sends no header but those that are needed,
 * whatever the client library adds; follows no redirect, for the prompt is
 * meant for this address only; and ends with `signal`, the body included. Node's
 * own `fetch` is not used: its web streams cost more for each piece of an
 * answer than all that is done with the piece.
 */
export function createModelCall(
  apiKey: string | undefined,
  signal: AbortSignal,
  connectMs = connectTimeoutMs,
): ModelCall {
  const headers = {
    accept: 'text/event-stream',
    'content-type': 'application/json',
    'user-agent': 'node',
    ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
  };
  let request: ClientRequest | undefined;
  let body: ResponseBody | undefined;
  return {
    async fetch(url, { method = 'GET', body: sent } = {}) {
      const { protocol } = new URL(String(url));
      const isSecure = protocol === 'https:';
      const agent = isSecure ? httpsConnections : httpConnections;
      request = (isSecure ? httpsRequest : httpRequest)(String(url), { method, headers, signal, agent });
      limitConnecting(request, isSecure ? 'secureConnect' : 'connect', connectMs);
      request.end(sent);
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        request?.on('error', reject).once('close', () => reject(new Error('the connection was closed')));
        request?.once('response', (incoming) => {
          body = readBody(incoming);
          resolve(incoming);
        });
      });
      const retryAfter = response.headers['retry-after'];
      return new Response(null, {
        status: response.statusCode ?? 0,
        ...(retryAfter === undefined ? {} : { headers: { 'retry-after': retryAfter } }),
      });
    },
    read: async () => body?.read(),
    end: () => request?.destroy(),
    finish() {
      body?.passOver();
      const broken = setTimeout(() => request?.destroy(), endOfBodyMs).unref();
      request?.once('close', () => clearTimeout(broken));
    },
  };
}

/** Ends a call that has no connection in time. */
function limitConnecting(
  request: ClientRequest,
  connected: 'connect' | 'secureConnect',
  limitMs: number,
): void {
  const late = Object.assign(new Error('no connection in time'), { code: 'CONNECT_TIMEOUT' });
  const timer = setTimeout(() => request.destroy(late), limitMs);
  const over = () => clearTimeout(timer);
  request.once('close', over).once('socket', (socket) => {
    // One that served another call is connected already.
    if (request.reusedSocket) over();
    else socket.once(connected, over);
  });
}

interface ResponseBody {
  read: ModelCall['read'];
  /** Lets the rest go by. */
  passOver(): void;
}

/** Reads a body piece by piece; while nobody asks it is not read on. */
function readBody(incoming: IncomingMessage): ResponseBody {
  let arrived: Buffer[] = [];
  let failure: Error | undefined;
  let isOver = false;
  let wake: (() => void) | undefined;
  incoming.on('data', (bytes: Buffer) => {
    arrived.push(bytes);
    if (wake === undefined) incoming.pause();
    else wake();
  });
  const over = () => {
    isOver = true;
    wake?.();
  };
  incoming.once('end', over).once('close', over);
  incoming.on('error', (error) => {
    failure = error;
  });
  async function read() {
    if (arrived.length === 0 && !isOver) {
      incoming.resume();
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
      wake = undefined;
    }
    const pieces = arrived;
    arrived = [];
    if (pieces.length > 0) return pieces;
    if (failure !== undefined) throw failure;
    return undefined;
  }
  return { read, passOver: () => incoming.removeAllListeners('data').resume() };
}
