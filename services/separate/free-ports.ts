import { createServer, type Server } from 'node:net';

/** Ports that nothing listens on. */
export interface FreePorts {
  /** Finds one more, different from all before. */
  take(): Promise<number>;
  /** Lets go of them all, to be bound by those that they are for. */
  release(): Promise<void>;
}

/** Finds free ports and holds them, so that no two are the same. */
export function findFreePorts(host: string): FreePorts {
  const held: Server[] = [];
  return {
    take: () =>
      new Promise((resolve, reject) => {
        const server = createServer().once('error', reject);
        server.listen(0, host, () => {
          held.push(server);
          resolve((server.address() as { port: number }).port);
        });
      }),
    async release() {
      const closed = held.splice(0).map((server) => new Promise((resolve) => server.close(resolve)));
      await Promise.all(closed);
    },
  };
}
