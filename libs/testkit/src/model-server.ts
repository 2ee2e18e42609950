import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One call as the server got it. */
export interface ModelRequest {
  path: string;
  headers: IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into requests of every shape
  body: any;
}

/** Answers one call in the form of a streamed chat completion, or in any other. */
export interface ModelReply {
  /** Writes text as one event for each piece. */
  text(...pieces: string[]): void;
  /** Writes any value as one event. */
  event(data: unknown): void;
  /** Writes bytes as they are; resolves when there is room for more or the connection is gone. */
  raw(bytes: string): Promise<void>;
  /** Ends a complete stream, for this reason (`stop`), after the count of tokens where one is given. */
  finish(usage?: { prompt_tokens: unknown; completion_tokens: unknown }, reason?: string): void;
  /** Answers with a status and a body instead of a stream. */
  status(code: number, headers?: Record<string, string>, body?: string): void;
  /** Ends the stream without saying that it is complete. */
  end(): void;
  /** Breaks the connection. */
  die(): void;
  /** Resolves when the connection is closed, by whomever. */
  closed: Promise<void>;
}

/** What a server does with a call. */
export type ModelScript = (reply: ModelReply, request: ModelRequest) => unknown;

/** A server with the shape of OpenAI's chat completions, which does what a test tells it to. */
export interface ModelServer {
  /** As the setting OPENAI_BASE_URL wants it. */
  baseUrl: string;
  /** All calls so far. */
  requests: ModelRequest[];
  /** What it does with the next call. */
  script: ModelScript;
  stop(): Promise<void>;
}

/** Starts one on a free port of this machine. */
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
