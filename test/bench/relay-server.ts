// The least that has a stream of its own for every reader: asks the model server for each request and passes on what
// comes, as it is. Takes the model's port as its first message and answers its own; answers later ones with its use.
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ProcessUse } from './process-use.ts';

process.once('message', (modelPort: number) => {
  const server = createServer((_incoming, response) => {
    const call = request({ port: modelPort, method: 'POST', agent: false }, (answer) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      answer.pipe(response);
    });
    call.on('error', () => response.destroy()).end();
    response.once('close', () => call.destroy());
  });
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    const use: ProcessUse = { processorMs: (user + system) / 1000, residentBytes: process.memoryUsage.rss() };
    process.send?.(use);
  });
});
process.on('disconnect', () => process.exit());
