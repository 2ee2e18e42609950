import { once } from 'node:events';
import { createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What stands between a client and the service, passes every request on, and loses some of the answers. */
export interface LossyProxy {
  url: string;
  /** Answers that were lost: the service did what was asked, and the client saw a broken connection. */
  lost(): number;
  close(): void;
}

/** Opens a proxy of a service. `loses` decides for each request whether its answer is lost. */
export async function lossyProxy(serviceUrl: string, loses: () => boolean): Promise<LossyProxy> {
  const target = new URL(serviceUrl);
  let lost = 0;
  const server = createServer((request, response) => {
    const { method, url, headers } = request;
    const onward = forward(
      { host: target.hostname, port: target.port, method, path: url, headers },
      (answer) => {
        if (loses()) {
          lost += 1;
          answer.resume();
          // Only now has the service done everything.
          answer.once('end', () => response.destroy());
          return;
        }
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    onward.once('error', () => response.destroy());
    response.once('close', () => onward.destroy());
    request.pipe(onward);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lost: () => lost,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
