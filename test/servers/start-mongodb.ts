import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '@teammemory/testkit/free-port.ts';
import { type Document, MongoClient } from 'mongodb';
import type { MongodbChoice, MongodbOptions } from './choose-mongodb.ts';

/** SecantusDB needs 0.6 s, mongod 2 s; a loaded machine several times that. */
const startTimeoutMs = 30_000;
/** After this a server that was asked to stop is killed: nothing in its folder is kept. */
const stopTimeoutMs = 3_000;
/** Somebody may take the free port before the server does; three times in a row is another fault. */
const maximumStarts = 3;

/** A server that is started for the tests, not one that runs already. */
export type OwnServer = Extract<MongodbChoice, { program: string }>;

/** A server that answers, and the way to be rid of it and of its folder. */
export interface RunningMongodb {
  url: string;
  stop(): Promise<void>;
}

/**
 * Starts the chosen server on a free port of 127.0.0.1 with an empty temporary
 * folder, or takes the one that runs already, and waits until it answers.
 *
 * @throws Error when it does not answer in time.
 */
export async function startMongodb(
  choice: Exclude<MongodbChoice, { reason: string }>,
): Promise<RunningMongodb> {
  if ('url' in choice) {
    await command(choice.url, { ping: 1 });
    return { url: choice.url, stop: async () => {} };
  }
  return (await startOnFreePort(choice, false)).server;
}

/** A server on a port and a folder that stay the same, for tests of what its death does. */
export interface MortalMongodb extends RunningMongodb {
  /** Ends it as a power cut would. */
  kill(): Promise<void>;
  /** Starts it again on what is left, and waits until it answers. */
  revive(): Promise<void>;
}

/** Starts a server of its own, which may be killed. */
export async function startMortalMongodb(choice: OwnServer): Promise<MortalMongodb> {
  let { server, options } = await startOnFreePort(choice, true);
  return {
    url: server.url,
    async kill() {
      const exited = once(server.process, 'exit');
      server.process.kill('SIGKILL');
      await exited;
    },
    async revive() {
      server = launch(choice, options);
      if (!(await cameUp(server))) throw new Error(`${choice.name} was started again but did not answer`);
    },
    stop: () => server.stop(),
  };
}

async function startOnFreePort(choice: OwnServer, durable: boolean) {
  for (let start = 1; ; start += 1) {
    const directory = await mkdtemp(join(tmpdir(), 'teammemory-mongodb-'));
    const options = { directory, port: await freePort(), durable };
    const server = launch(choice, options);
    const answered = await cameUp(server).catch((error: unknown) => error);
    if (answered === true) return { server, options };
    await server.stop();
    if (start === maximumStarts || answered !== false) {
      throw new Error(`${choice.name} was started but did not answer`, { cause: answered });
    }
  }
}

function launch(choice: OwnServer, options: MongodbOptions) {
  const { directory, port } = options;
  // Its own words go to stderr: stdout of this program is its protocol.
  const server = spawn(choice.program, choice.args(options), {
    cwd: directory,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return {
    process: server,
    url: `mongodb://127.0.0.1:${port}/?directConnection=true`,
    async stop() {
      await end(server);
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Waits until it answers; false where it ended instead, or a server that somebody else started has its port. */
function cameUp({ process, url }: ReturnType<typeof launch>): Promise<boolean> {
  const answered = command(url, { serverStatus: 1 }).then(({ pid }) => pid === process.pid);
  return Promise.race([answered, once(process, 'exit').then(() => false)]);
}

async function end(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const exited = once(server, 'exit');
  server.kill('SIGTERM');
  const late = delay(stopTimeoutMs, undefined, { ref: false }).then(() => server.kill('SIGKILL'));
  await Promise.race([exited, late]);
  await exited;
}

async function command(url: string, asked: Document): Promise<Document> {
  const client = new MongoClient(url, {
    serverSelectionTimeoutMS: startTimeoutMs,
    socketTimeoutMS: startTimeoutMs,
  });
  try {
    return await client.db('admin').command(asked);
  } finally {
    await client.close();
  }
}
