import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that systems give to connections and to those who ask for any: none of them takes it meanwhile. */
const range = { first: 10_240, last: 32_767 };
/** Of so many ports chosen at random one is free, or none is. */
const attemptsMax = 100;

/**
 * A port of 127.0.0.1 that nothing listens on, for a program that cannot choose
 * one itself. Another such program may bind it first: whoever starts one has to
 * see that it is this one that answers.
 *
 * @throws the listener's error when there is none.
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
      if (attempt === attemptsMax) throw error;
    }
  }
}
