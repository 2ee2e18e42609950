import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type AdminClient, createAdminClient } from '@teammemory/client/rpc/admin-client.ts';
import { temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import { type Deployment, prepareDeployment } from '../deployment/deployment.ts';
import { partProcesses } from '../deployment/part-process.ts';

const repository = fileURLToPath(new URL('../../..', import.meta.url));
/** A loaded machine may take long to start a process, or seven of them; a good one takes a second. */
const startTimeoutMs = 90_000;
/**
 * What one turn of an event loop may compute in a test. The goal is 50 ms; what is asserted is ten times that, because
 * processors differ, share their caches with other work, and compile code and collect garbage while it is new: of ten
 * runs of `slow-bodies`, which holds hundreds of megabytes, two had a turn of 400 to 440 ms.
 */
const turnBoundMs = 500;
/** What the log says of a turn of more than 50 ms; the test of `watchEventLoop` holds the words. */
const longTurnMessage = 'the event loop was held up';

export interface ServiceOptions {
  /** Which program; unset: the one that this run is about. */
  deployment?: Deployment;
  /** Settings beside those that give every test its own ports and directory. */
  environment?: Record<string, string>;
  /** Rows in MongoDB instead of SQLite. */
  mongodbUrl?: string;
  /** Files that its process may have open (`ulimit -n`). */
  maxOpenFiles?: number;
  /** An earlier directory, to start again on what is there; its owner removes it. */
  dataDirectory?: string;
}

/** Where a program that runs can be reached. */
export interface ServicePlaces {
  /** Base address of the gateway; of the first one, where there are several. */
  url: string;
  /** Base addresses of all gateways. */
  urls: string[];
  rpcUrl: string;
  metricsUrl: string;
  adminToken: string;
  dataDirectory: string;
}

/** A program that runs, to be used and not to be ended. */
export interface RunningService extends ServicePlaces {
  /** All that it wrote so far. */
  output(): { stdout: string; stderr: string };
  /** What its processes measure, one after the other. */
  metrics(): Promise<string>;
  /** Makes a team with one member and a key of each tier. */
  createTeam(slug?: string): Promise<Team>;
}

/** The real program, started as a child process. */
export interface StartedService extends RunningService {
  process: ChildProcess;
  /** Sends a signal and returns the exit code (null after SIGKILL). */
  end(signal?: NodeJS.Signals): Promise<number | null>;
  /**
   * Ends it, if it still runs, and removes its directory, if it is its own.
   * @throws Error where work held up the event loop of one of its processes.
   */
  remove(): Promise<void>;
}

export interface Team {
  slug: string;
  teamKey: string;
  /** It may change everything that it sees, which keys of its tier may not unless they are made so. */
  externalKey: string;
  /** A key of tier team that only reads. */
  readKey: string;
  /** One more key of the same member, or of another one, who is added if there is no such member yet. */
  newKey(tier: 'team' | 'external', more?: MoreOfKey): Promise<string>;
}

/** What else a key may have; what is left out is the default of the service. */
export interface MoreOfKey {
  member?: string;
  access?: 'read' | 'propose' | 'own' | 'write';
  itemWritesPerMinute?: number;
  expiresAt?: Date;
}

/** Starts the program on free ports and waits until its gateway answers. */
export async function startService(options: ServiceOptions = {}): Promise<StartedService> {
  const own = options.dataDirectory === undefined ? await temporaryDirectory() : undefined;
  const dataDirectory = options.dataDirectory ?? own?.path ?? '';
  const deployment = options.deployment ?? (await prepareDeployment());
  const [command, ...parameters] = commandOf(deployment, options.maxOpenFiles);
  const child = spawn(command, parameters, {
    cwd: repository,
    env: {
      ...programEnvironment(dataDirectory),
      ...mongoSettings(options.mongodbUrl ?? deployment.mongodbUrl),
      ...deployment.environment,
      ...options.environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = collectOutput(child);
  // Not `exit`: by then what it wrote last may still be on its way.
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve));
  const end = async (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal);
    // What is killed with force has no time to end its parts.
    if (signal === 'SIGKILL') killAll(partProcesses({ output }));
    return exited;
  };
  try {
    await untilStarted(child, output);
  } catch (error) {
    await end('SIGKILL');
    await removeAll(deployment, own);
    throw error;
  }
  const addresses = JSON.parse(startedLine(output().stderr) ?? '{}').addresses;
  const adminFile = join(dataDirectory, 'admin.json');
  // With BOOTSTRAP_TOKEN=off there is none.
  const admin = existsSync(adminFile)
    ? JSON.parse(readFileSync(adminFile, 'utf8'))
    : { rpc_url: addresses.rpc, token: '' };
  const places = {
    url: addresses.gateway,
    urls: addresses.gateways ?? [addresses.gateway],
    rpcUrl: admin.rpc_url,
    metricsUrl: addresses.metrics,
    adminToken: admin.token,
    dataDirectory,
  };
  return {
    ...reachService(places, output),
    process: child,
    end,
    async remove() {
      if (child.exitCode === null && child.signalCode === null) await end('SIGKILL');
      await removeAll(deployment, own);
      assertLoopsTurned(output().stderr);
    },
  };
}

function commandOf(
  { program, node = process.execPath }: Deployment,
  maxOpenFiles: number | undefined,
): [string, ...string[]] {
  if (maxOpenFiles === undefined) return [node, program];
  return ['sh', '-c', `ulimit -n ${maxOpenFiles} && exec "$0" "$1"`, node, program];
}

/** A program that runs already, wherever it was started. */
export function reachService(places: ServicePlaces, output: RunningService['output']): RunningService {
  const credential = { rpc_url: places.rpcUrl, token: places.adminToken };
  return {
    ...places,
    output,
    async metrics() {
      const started = output()
        .stderr.split('\n')
        .filter((line) => line.includes('"msg":"started"'));
      const urls = started
        .map((line) => JSON.parse(line).addresses.metrics)
        .filter((url) => url !== undefined);
      const texts = await Promise.all(urls.map(async (url) => (await fetch(url)).text()));
      return texts.join('');
    },
    createTeam: (slug) => createTeam(credential, slug),
  };
}

async function removeAll(deployment: Deployment, own: { remove(): Promise<void> } | undefined) {
  await deployment.remove();
  await own?.remove();
}

/** The least environment that starts a part: nothing of the machine's settings leaks in. */
export function partEnvironment(): Record<string, string> {
  // With what Node compiled at an earlier start, the next one takes half the processor time.
  const cache = join(repository, 'node_modules', '.cache', 'node');
  return { PORT: '0', METRICS_PORT: '0', PATH: process.env.PATH ?? '', NODE_COMPILE_CACHE: cache };
}

/** The least environment that starts the program with all parts, or with each in a process of its own. */
export function programEnvironment(dataDirectory: string): Record<string, string> {
  return { ...partEnvironment(), RPC_PORT: '0', DATA_DIR: dataDirectory, DEMO: 'off' };
}

function mongoSettings(url: string | undefined): Record<string, string> {
  if (url === undefined) return {};
  return { MONGODB_URL: url, MONGODB_DATABASE: `test_${randomUUID().replaceAll('-', '')}` };
}

function collectOutput(child: ChildProcess) {
  const text = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream]?.setEncoding('utf8').on('data', (chunk: string) => {
      text[stream] += chunk;
    });
  }
  return () => ({ ...text });
}

/** @throws Error where a log tells of a turn of an event loop that computed for too long. */
function assertLoopsTurned(stderr: string): void {
  const turns = stderr
    .split('\n')
    .filter((line) => line.includes(`"msg":"${longTurnMessage}"`))
    .map((line): { part: string; milliseconds: number } => JSON.parse(line));
  const tooLong = turns.filter(({ milliseconds }) => milliseconds > turnBoundMs);
  if (tooLong.length === 0) return;
  const list = tooLong.map(({ part, milliseconds }) => `${milliseconds} ms in ${part}`).join(', ');
  throw new Error(`turns of an event loop computed for more than ${turnBoundMs} ms: ${list}`);
}

function killAll(processes: readonly { pid: number }[]): void {
  for (const { pid } of processes) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended before.
    }
  }
}

/** Of several processes each says that it started; who started them all says so last. */
function startedLine(stderr: string): string | undefined {
  const whole = /"part":"(all|separate)".*"msg":"started"/;
  return stderr.split('\n').find((line) => whole.test(line));
}

function untilStarted(child: ChildProcess, output: () => { stdout: string; stderr: string }): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (what: string) => reject(new Error(`${what}\n${output().stdout}${output().stderr}`));
    const timer = setTimeout(() => fail('the program did not start in time'), startTimeoutMs);
    const check = () => {
      if (startedLine(output().stderr) === undefined) return;
      clearTimeout(timer);
      resolve();
    };
    child.stderr?.on('data', check);
    child.once('exit', (code) => fail(`the program ended with ${code}`));
  });
}

async function createTeam(
  credential: { rpc_url: string; token: string },
  slug = `team-${randomUUID().slice(0, 8)}`,
): Promise<Team> {
  const keyOf = async (
    admin: AdminClient,
    tier: 'team' | 'external',
    { member = 'ada', ...more }: MoreOfKey = {},
  ) => {
    if (member !== 'ada')
      await admin.addMember({ team: slug, handle: member, role: 'member' }).catch(unlessTaken);
    return (await admin.createKey({ team: slug, member, tier, ...more })).key;
  };
  return asAdmin(credential, async (admin) => {
    await admin.createTeam({ slug, name: slug });
    await admin.addMember({ team: slug, handle: 'ada', role: 'admin' });
    const [teamKey, externalKey, readKey] = await Promise.all([
      keyOf(admin, 'team'),
      keyOf(admin, 'external', { access: 'write' }),
      keyOf(admin, 'team', { access: 'read' }),
    ]);
    return {
      slug,
      teamKey,
      externalKey,
      readKey,
      newKey: (tier, more) => asAdmin(credential, (again) => keyOf(again, tier, more)),
    };
  });
}

function unlessTaken(error: { code?: string }): void {
  if (error.code !== 'already_exists') throw error;
}

async function asAdmin<Result>(
  credential: { rpc_url: string; token: string },
  work: (admin: AdminClient) => Promise<Result>,
): Promise<Result> {
  const admin = createAdminClient({ rpcUrl: credential.rpc_url, token: credential.token });
  try {
    return await work(admin);
  } finally {
    admin.close();
  }
}
