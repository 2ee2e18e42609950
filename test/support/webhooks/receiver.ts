import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

/** An event as a receiver got it. */
export interface ReceivedEvent {
  id: string;
  path: string;
  /** The headers and the body as they came. */
  headers: Record<string, string>;
  text: string;
  type: string;
  timestamp: string;
  data: {
    team: string;
    tier: string;
    list: string;
    cursor: string;
    next_cursor: string;
    changes: { row_key?: string; task_id?: string; decision_id?: string; deleted?: boolean }[];
  };
}

/** A receiver of webhooks on this machine. */
export interface Receiver {
  url: string;
  /** Every event, repeated ones too, in their order. */
  events: ReceivedEvent[];
  /** Says how events are answered from now on: a status, or what to do with the answer. */
  answer(with_: number | ((response: ServerResponse, event: ReceivedEvent) => void)): void;
  close(): Promise<void>;
}

/** Starts a receiver that answers 204. */
export async function startReceiver(): Promise<Receiver> {
  const events: ReceivedEvent[] = [];
  let respond: (response: ServerResponse, event: ReceivedEvent) => void = (response) => end(response, 204);
  const server = createServer(async (request, response) => {
    const event = await eventOf(request);
    events.push(event);
    respond(response, event);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    events,
    answer(next) {
      respond = typeof next === 'number' ? (response) => end(response, next) : next;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function end(response: ServerResponse, status: number): void {
  response.writeHead(status).end();
}

async function eventOf(request: IncomingMessage): Promise<ReceivedEvent> {
  const text = Buffer.concat(await Array.fromAsync(request)).toString();
  const headers = request.headers as Record<string, string>;
  return { ...JSON.parse(text), text, headers, id: headers['webhook-id'] ?? '', path: request.url ?? '' };
}

/** Whether the library of Standard Webhooks accepts the signature of an event. */
export function isSignedWith(secret: string, { text, headers }: ReceivedEvent): boolean {
  try {
    new Webhook(secret).verify(text, headers);
    return true;
  } catch {
    return false;
  }
}
