import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What stands between a client and the service, and passes on what it does not refuse. */
export interface RefusingProxy {
  url: string;
  /** Answered in place of the service, one after the other. */
  refusals: { status: number; 'retry-after': string }[];
  /** The `row_key`s of every push that reached the service. */
  pushed: string[][];
  close(): void;
}

/** Opens a front of a service. */
export async function refusingProxy(serviceUrl: string): Promise<RefusingProxy> {
  const refusals: RefusingProxy['refusals'] = [];
  const pushed: string[][] = [];
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await Array.fromAsync(request)).toString();
    const refusal = refusals.shift();
    if (refusal !== undefined) {
      response.writeHead(refusal.status, refusal).end(JSON.stringify({ detail: 'Not now.' }));
      return;
    }
    if (body !== '') pushed.push(JSON.parse(body).items.map((one: { row_key: string }) => one.row_key));
    const answer = await passOn(serviceUrl, request, body);
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    refusals,
    pushed,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function passOn(serviceUrl: string, { method = '', url, headers }: IncomingMessage, body: string) {
  const names = ['authorization', 'x-svc-team', 'content-type'];
  const given = names.flatMap((name) => (name in headers ? [[name, String(headers[name])]] : []));
  return fetch(`${serviceUrl}${url}`, {
    method,
    headers: Object.fromEntries(given),
    ...(body === '' ? {} : { body }),
  });
}
