import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe } from 'vitest';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';
import { temporaryDirectory } from './temporary-directory.ts';

/** A redis-server of the running tests alone, which forgets everything when it ends. */
export interface RedisServer {
  url: string;
  /** As `kill -9`: it loses what it had. */
  kill(): Promise<void>;
  /** Starts it again, empty, at the same address. */
  start(): Promise<void>;
  /** Makes it hang: connections stay open and nothing is answered. */
  hang(): void;
  resume(): void;
}

/**
 * Declares tests with a Redis server of their own; where there is no
 * `redis-server` on the path they are skipped, and their name says why.
 */
export function describeWithRedis(name: string, declareTests: (server: () => RedisServer) => void): void {
  const present = spawnSync('redis-server', ['--version']).status === 0;
  if (!present) {
    describe.skip(`${name} (skipped: no redis-server on the path)`, () => declareTests(noServer));
    return;
  }
  describe(name, () => {
    let current: (RedisServer & { remove(): Promise<void> }) | undefined;
    beforeAll(async () => {
      current = await startRedisServer();
    });
    afterAll(async () => {
      await current?.remove();
    });
    declareTests(() => current ?? noServer());
  });
}

function noServer(): never {
  throw new Error('the Redis server is there only while tests run');
}

/** Starts a Redis server for whoever ends it. @throws Error where there is no `redis-server` on the path. */
export async function startRedisServer(): Promise<RedisServer & { remove(): Promise<void> }> {
  const directory = await temporaryDirectory();
  const port = await freePort();
  let child: ChildProcess | undefined;
  const end = () => child?.kill('SIGKILL');
  // Whatever ends the test process must not leave a server behind.
  process.once('exit', end);
  const server: RedisServer = {
    url: `redis://127.0.0.1:${port}`,
    async kill() {
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    },
    async start() {
      child = spawn('redis-server', [...settings, '--port', `${port}`, '--dir', directory.path], {
        stdio: 'ignore',
      });
      await eventually('redis-server answers', () => answers(port));
    },
    hang: () => void child?.kill('SIGSTOP'),
    resume: () => void child?.kill('SIGCONT'),
  };
  await server.start();
  return {
    ...server,
    async remove() {
      await server.kill();
      process.off('exit', end);
      await directory.remove();
    },
  };
}

const settings = ['--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    socket.write('PING\r\n');
    const [answer] = await once(socket, 'data');
    return String(answer).startsWith('+PONG');
  } finally {
    socket.destroy();
  }
}
