// What a server does that keeps rows as objects: node:http and JSON.stringify for each request. Takes the page as a
// message and answers its port; every further message it answers with the processor time it has used.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ProcessorTime } from './processor-time.ts';

process.once('message', (page: unknown) => {
  const server = createServer((_request, response) => {
    const body = Buffer.from(JSON.stringify(page));
    const headers = { 'content-type': 'application/json; charset=utf-8', 'content-length': body.length };
    response.writeHead(200, headers).end(body);
  });
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    const used: ProcessorTime = { reference: (user + system) / 1000 };
    process.send?.(used);
  });
});
process.on('disconnect', () => process.exit());
