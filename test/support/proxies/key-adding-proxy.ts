import { once } from 'node:events';
import { createServer, request as forward, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What stands between the service and a client that can send no headers of its own. */
export interface KeyAddingProxy {
  url: string;
  close(): void;
}

/** What is changed on the way. */
export interface ProxyChanges {
  /** Sent with every request, whatever the client sends under these names. */
  headers: Record<string, string>;
  /** Returns the body to be sent for the body that came; unset: the same. */
  body?(text: string): string;
}

/**
 * Opens a proxy of a service that adds headers. Who names the proxy as host or origin names the service behind it; any
 * other host or origin goes through as it is.
 */
export async function keyAddingProxy(serviceUrl: string, changes: ProxyChanges): Promise<KeyAddingProxy> {
  const target = new URL(serviceUrl);
  const server = createServer(async (request, response) => {
    const own = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { host = '', origin } = request.headers;
    const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>)).toString();
    const sent = changes.body?.(body) ?? body;
    const onward = forward(
      {
        host: target.hostname,
        port: target.port,
        method: request.method,
        path: request.url,
        headers: {
          ...passedOn(request),
          ...changes.headers,
          host: host === own ? target.host : host,
          ...(origin === undefined ? {} : { origin: origin === `http://${own}` ? target.origin : origin }),
          'content-length': String(Buffer.byteLength(sent)),
        },
      },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    onward.once('error', () => response.destroy());
    response.once('close', () => onward.destroy());
    onward.end(sent);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** All headers but those of one connection, and the length, which may change. */
function passedOn({ headers }: IncomingMessage) {
  const { connection, 'transfer-encoding': encoding, 'content-length': length, ...others } = headers;
  return others;
}
