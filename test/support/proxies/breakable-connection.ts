import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A way to a server that can be cut, as a network does it. */
export interface BreakableConnection {
  /** The server's address by this way. */
  url: string;
  /** Breaks every connection and takes no more. */
  cut(): void;
}

/** Leads to the one host of a MongoDB address, as long as it is not cut. */
export async function breakableConnection(mongodbUrl: string): Promise<BreakableConnection> {
  const target = new URL(mongodbUrl);
  const sockets = new Set<Socket>();
  const listener = createServer((client) => {
    const server = connect(Number(target.port || 27_017), target.hostname);
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(from);
      from.pipe(to);
      // One end that breaks breaks the other.
      from.on('error', () => to.destroy()).on('close', () => to.destroy());
    }
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const url = new URL(mongodbUrl);
  url.host = `127.0.0.1:${(listener.address() as AddressInfo).port}`;
  // Else the driver would learn the real address from the server and go there.
  url.searchParams.set('directConnection', 'true');
  return {
    url: url.href,
    cut() {
      listener.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
