import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { createTeamMemoryClient, type TeamMemoryClient } from '../team-memory-client.ts';

/** A real HTTP server on a free port of this machine, for tests. Closing it also ends open connections. */
export interface TestServer {
  url: string;
  close(): Promise<void>;
}

/** Starts a server that answers every request with `handler`. */
export async function serve(handler: RequestListener): Promise<TestServer> {
  const server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A client of a server that answers every request with `handler` until the test ends; it tries nothing twice. */
export async function clientFor(handler: RequestListener, timeoutMs = 5_000): Promise<TeamMemoryClient> {
  const server = await serve(handler);
  onTestFinished(() => server.close());
  const settings = { key: 'tms_id_secret', team: 'demo', timeoutMs, retries: 0 };
  return createTeamMemoryClient({ url: `${server.url}/`, ...settings });
}

/** Reads the JSON body of a request. */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString());
}

/** Answers with JSON, as a problem where the status is one. */
export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  const type = status < 400 ? 'application/json' : 'application/problem+json';
  response.writeHead(status, { 'content-type': type, ...headers }).end(JSON.stringify(body));
}
