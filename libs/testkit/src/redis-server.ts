import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe } from 'vitest';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';
import { temporaryDirectory } from './temporary-directory.ts';

/** A redis-server that only the running tests use; it forgets everything when it ends. */
export interface RedisServer {
  url: string;
  /** Kills the server with SIGKILL, which loses its data. */
  kill(): Promise<void>;
  /** Starts the server again, empty, at the same address. */
  start(): Promise<void>;
  /** Pauses the process: connections stay open and nothing is answered. */
  hang(): void;
  resume(): void;
}

/**
 * Declares tests that have their own Redis server. Without a `redis-server` on the path the tests are skipped, and
 * the name of the suite says why.
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

/** Somebody may bind the free port before the server does; three times in a row is another fault. */
const maximumStarts = 3;
const settings = ['--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
/** A program that is silent at the port is no Redis server; one that has just started answers at once. */
const answerTimeoutMs = 1_000;

/** Starts a Redis server for whoever ends it. @throws Error where there is no `redis-server` on the path. */
export async function startRedisServer(): Promise<RedisServer & { remove(): Promise<void> }> {
  const directory = await temporaryDirectory();
  let port = await freePort();
  let child: ChildProcess | undefined;
  const end = () => child?.kill('SIGKILL');
  // Whatever ends the test process must not leave a server behind.
  process.once('exit', end);
  /** Whether it came up: where another program has the port, it ends. */
  async function launch(): Promise<boolean> {
    const started = spawn('redis-server', [...settings, '--port', `${port}`, '--dir', directory.path], {
      stdio: 'ignore',
    });
    child = started;
    await eventually(
      'redis-server answers',
      async () => hasEnded(started) || (await processAt(port)) === started.pid,
    );
    return !hasEnded(started);
  }
  for (let starts = 1; !(await launch()); starts += 1) {
    if (starts === maximumStarts) throw new Error('redis-server ended instead of answering');
    port = await freePort();
  }
  const server: RedisServer = {
    url: `redis://127.0.0.1:${port}`,
    async kill() {
      if (child === undefined || hasEnded(child)) return;
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    },
    async start() {
      if (!(await launch())) throw new Error(`another program has taken the port ${port} of redis-server`);
    },
    hang: () => void child?.kill('SIGSTOP'),
    resume: () => void child?.kill('SIGCONT'),
  };
  return {
    ...server,
    async remove() {
      await server.kill();
      process.off('exit', end);
      await directory.remove();
    },
  };
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

/** The id of the process whose Redis server answers at a port. @throws Error where none does. */
async function processAt(port: number): Promise<number> {
  const signal = AbortSignal.timeout(answerTimeoutMs);
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect', { signal });
    socket.write('INFO server\r\n');
    const [answer] = await once(socket, 'data', { signal });
    return Number(/^process_id:(\d+)/m.exec(String(answer))?.[1]);
  } finally {
    socket.destroy();
  }
}
