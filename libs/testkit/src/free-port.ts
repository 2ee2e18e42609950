import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Ports below the range from which systems choose ports themselves, so that no connection takes one in between. */
const range = { first: 10_240, last: 32_767 };
/** If this many random ports are taken, no port is free. */
const maxAttempts = 100;

/**
 * Returns a port of 127.0.0.1 that nothing listens on, for a program that cannot choose one itself. Another program
 * may bind it first, so the caller has to check which program answers there.
 *
 * @throws the listener's error when no port is free.
 */
export async function freePort(): Promise<number> {
  for (let attempt = 1; ; attempt += 1) {
    const port = randomInt(range.first, range.last + 1);
    try {
      const probe = createServer().listen(port, '127.0.0.1');
      await once(probe, 'listening');
      probe.close();
      await once(probe, 'close');
      return port;
    } catch (error) {
      if (attempt === maxAttempts) throw error;
    }
  }
}
