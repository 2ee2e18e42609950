import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/**
 * Below the ports that systems give to connections and to those who ask for any: one of these can be gone again
 * before the process that it is for binds it.
 */
const range = { first: 10_240, last: 32_767 };
/** If none of this many random ports is free, no port is. */
const maxAttempts = 100;

/** Ports that nothing listens on. */
export interface FreePorts {
  /** Finds one more, different from all before. @throws the listener's error when there is none. */
  take(): Promise<number>;
  /** Whether a port is one of those that it found. */
  found(port: number): boolean;
  /** Releases all ports, so that the parts can bind them. */
  release(): Promise<void>;
}

/** Finds free ports, none of `except`, and holds them, so that no two are the same. */
export function findFreePorts({ host, except }: { host: string; except: readonly number[] }): FreePorts {
  const held: Server[] = [];
  const chosen = new Set<number>();
  return {
    found: (port) => chosen.has(port),
    async take() {
      for (let attempt = 1; ; attempt += 1) {
        const port = randomInt(range.first, range.last + 1);
        if (except.includes(port)) continue;
        try {
          const server = createServer().listen(port, host);
          await once(server, 'listening');
          held.push(server);
          chosen.add(port);
          return port;
        } catch (error) {
          if (attempt === maxAttempts) throw error;
        }
      }
    },
    async release() {
      const closed = held.splice(0).map((server) => new Promise((resolve) => server.close(resolve)));
      await Promise.all(closed);
    },
  };
}
