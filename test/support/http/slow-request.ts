import { connect, type Socket } from 'node:net';
import type { RunningService, Team } from '../service/running-service.ts';

/** An answer as it came over the wire. */
export interface RawAnswer {
  status: number;
  /** Head and body. */
  text: string;
}

/** A request of which only a part was sent, so that it is surely under way. */
export interface SlowRequest {
  /** Sends the rest and returns what arrived until the server closed the connection. */
  finish(): Promise<RawAnswer>;
}

/** Sends a POST up to the middle of its body, and waits until the service took that in. */
export async function startSlowRequest(
  service: Pick<RunningService, 'url'>,
  team: Team,
  path: string,
  body: unknown,
): Promise<SlowRequest> {
  const bytes = Buffer.from(JSON.stringify(body));
  const socket = await connectTo(service);
  const received = receive(socket);
  const head = [
    `POST ${path} HTTP/1.1`,
    'host: service.test',
    `authorization: Bearer ${team.teamKey}`,
    `x-svc-team: ${team.slug}`,
    'content-type: application/json',
    `content-length: ${bytes.length}`,
    // The interim answer is the proof that the request has arrived.
    'expect: 100-continue',
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  await new Promise<void>((resolve) => socket.once('data', () => resolve()));
  socket.write(bytes.subarray(0, bytes.length / 2));
  return {
    async finish() {
      socket.write(bytes.subarray(bytes.length / 2));
      const text = (await received).replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, '');
      return { status: Number(text.split(' ', 2)[1]), text };
    },
  };
}

/** Opens a connection to the gateway. */
export function connectTo(service: Pick<RunningService, 'url'>): Promise<Socket> {
  const { hostname, port } = new URL(service.url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => resolve(socket));
    socket.once('error', reject);
  });
}

/** All that comes until the other side closes. */
export function receive(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    socket.once('close', () => resolve(text)).once('error', reject);
  });
}
