// The least that answers the same bytes: node:http and a buffer. Takes the body as a message and sends its port back.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

process.once('message', (body: Uint8Array) => {
  const headers = { 'content-type': 'application/json; charset=utf-8', 'content-length': body.length };
  const server = createServer((_request, response) => response.writeHead(200, headers).end(body));
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
});
process.on('disconnect', () => process.exit());
