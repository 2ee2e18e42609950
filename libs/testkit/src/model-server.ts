import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A call as the server received it. */
export interface ModelRequest {
  path: string;
  headers: IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: tests read requests of every shape
  body: any;
}

/** Answers one call, as a streamed chat completion or in any other form. */
export interface ModelReply {
  /** Writes each piece of text as one event. */
  text(...pieces: string[]): void;
  /** Writes any value as one event. */
  event(data: unknown): void;
  /** Writes bytes unchanged. Resolves when there is room for more or the connection is closed. */
  raw(bytes: string): Promise<void>;
  /** Ends a complete stream with a reason (default `stop`), after the token counts if they are given. */
  finish(usage?: { prompt_tokens: unknown; completion_tokens: unknown }, reason?: string): void;
  /** Answers with a status and a body instead of a stream. */
  status(code: number, headers?: Record<string, string>, body?: string): void;
  /** Ends the stream without the event that marks it as complete. */
  end(): void;
  /** Breaks the connection. */
  die(): void;
  /** Resolves when either side has closed the connection. */
  closed: Promise<void>;
}

/** How the server handles a call. */
export type ModelScript = (reply: ModelReply, request: ModelRequest) => unknown;

/** A server with the API of OpenAI's chat completions that behaves as a test tells it to. */
export interface ModelServer {
  /** Value for the setting OPENAI_BASE_URL. */
  baseUrl: string;
  /** All calls received so far. */
  requests: ModelRequest[];
  /** How it handles the next call. */
  script: ModelScript;
  stop(): Promise<void>;
}

/** Starts a model server on a free port of this machine. */
export async function startModelServer(script: ModelScript): Promise<ModelServer> {
  const http = createServer(async (incoming, response) => {
    const request = await readRequest(incoming);
    server.requests.push(request);
    await server.script(replyTo(response), request);
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo;
  const server: ModelServer = {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests: [],
    script,
    stop: () =>
      new Promise((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  };
  return server;
}

async function readRequest(incoming: IncomingMessage): Promise<ModelRequest> {
  const body = Buffer.concat(await Array.fromAsync(incoming)).toString();
  return { path: incoming.url ?? '', headers: incoming.headers, body: JSON.parse(body) };
}

function replyTo(response: ServerResponse): ModelReply {
  const closed = new Promise<void>((resolve) => response.once('close', () => resolve()));
  response.setHeader('content-type', 'text/event-stream');
  const event = (data: unknown) => response.write(`data: ${JSON.stringify(data)}\n\n`);
  return {
    closed,
    event,
    text(...pieces) {
      for (const content of pieces) event({ choices: [{ index: 0, delta: { content } }] });
    },
    async raw(bytes) {
      if (response.write(bytes)) return;
      await Promise.race([new Promise<void>((resolve) => response.once('drain', () => resolve())), closed]);
    },
    finish(usage, reason = 'stop') {
      event({ choices: [{ index: 0, delta: {}, finish_reason: reason }] });
      if (usage !== undefined) event({ choices: [], usage });
      response.end('data: [DONE]\n\n');
    },
    status(code, headers = {}, body = '{"error":{"message":"no"}}') {
      response.writeHead(code, { 'content-type': 'application/json', ...headers }).end(body);
    },
    end: () => response.end(),
    die: () => response.destroy(),
  };
}
