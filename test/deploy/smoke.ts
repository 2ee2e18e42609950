// Started by main.ts in a network of its own with the folder of an image: runs it and uses what is started.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { chooseMongodb } from '../servers/choose-mongodb.ts';
import { startMongodb } from '../servers/start-mongodb.ts';
import { item } from '../support/http/api.ts';
import { keyHolder } from '../support/http/key-holder.ts';
import { ComposeNetwork, startOrder } from './compose.ts';
import { type Container, makeVolume, readImage, runContainer } from './container.ts';

/** Until a part says that it is well; on a quiet machine two seconds. */
const healthyWithinMs = 120_000;
const folder = process.argv[2] ?? '';
const image = readImage(folder);
const volumes = join(folder, 'volumes');
const hosts = '/etc/hosts';
const running = new Map<string, Container>();

/** Says what was found, when it was. */
function tell(found: string): void {
  process.stdout.write(`ok ${Math.round(performance.now() / 100) / 10} s: ${found}\n`);
}

/** Ends a program as an engine does, and expects it to end well. */
async function stop(name: string): Promise<void> {
  const container = running.get(name);
  if (container === undefined) return;
  container.signal('SIGTERM');
  assert.equal(await container.ended(), 0, `${name} ended: ${container.output()}`);
  running.delete(name);
}

/** Runs one command to its end; returns what it printed. */
async function run(container: Container): Promise<string> {
  const code = await container.ended();
  assert.equal(code, 0, container.output());
  return container.output();
}

/** Waits until a health check ends with 0 while the program runs. */
async function untilHealthy(name: string, check: () => Promise<number | null>): Promise<void> {
  const container = running.get(name);
  await eventually(
    `${name} is healthy`,
    async () => container?.process.exitCode !== null || (await check()) === 0,
    {
      withinMs: healthyWithinMs,
      everyMs: 500,
    },
  ).catch((cause) => {
    throw new Error(`${name} is not healthy: ${container?.output()}`, { cause });
  });
  assert.equal(container?.process.exitCode, null, container?.output() ?? name);
}

/** Makes a team as an administrator, pushes a note with its key, and asks for it. */
async function use(url: string, tms: (...command: string[]) => Promise<string>): Promise<void> {
  const team = { slug: 'rivers' };
  await tms('admin', 'team', 'create', team.slug, '--name', 'Rivers');
  await tms('admin', 'member', 'add', 'ada', '--team', team.slug, '--role', 'admin');
  const made = await tms(
    'admin',
    'key',
    'create',
    '--team',
    team.slug,
    '--member',
    'ada',
    '--tier',
    'team',
    '--json',
  );
  const { push, ask } = keyHolder({ url }, team, JSON.parse(made).key);
  assert.equal((await push(item('otter.md', 'The otter Bartholomew sleeps in the harbour.'))).status, 200);
  const { text, sources } = await eventually(
    'the note is found',
    async () => {
      const answer = await ask('Where does the otter Bartholomew sleep?');
      return answer.sources.length > 0 && answer;
    },
    { everyMs: 250 },
  );
  assert.match(text, /harbour/);
  assert.equal(sources[0]?.row_key, 'otter.md');
  const page = await fetch(url);
  assert.equal(page.status, 200);
  assert.match(await page.text(), /<script/);
}

/** The command of the image alone, and by its name in 0.1.0 on the same data. */
async function wholeService(): Promise<void> {
  const data = join(volumes, 'data');
  makeVolume(data);
  const mounts = [{ source: data, target: '/data' }];
  const start = async (command?: string[]) => {
    running.set('the service', runContainer(image, { command, volumes: mounts, hosts }));
    const [, ...check] = image.config.Healthcheck.Test;
    await untilHealthy('the service', () => runContainer(image, { command: check, hosts }).ended());
  };
  await start();
  const tms = (...command: string[]) =>
    run(runContainer(image, { command: ['tms', ...command], volumes: mounts, hosts }));
  await use('http://127.0.0.1:8080', tms);
  await stop('the service');
  tell('the image alone is the whole service, on a file system that cannot be written, as user 1000');
  await start(['node', 'services/all/main.ts']);
  assert.match(await tms('admin', 'team', 'list', '--json'), /"rivers"/);
  await stop('the service');
  tell('the command of 0.1.0 starts it on the same data');
}

/** docker-compose.yml, with stand-ins for the images of others. */
async function composeProject(): Promise<void> {
  const network = new ComposeNetwork(image, volumes);
  const order = startOrder(network.services, 'gateway');
  assert.deepEqual(order.toSorted(), [
    'analytics',
    'auth',
    'content',
    'gateway',
    'keys',
    'mongodb',
    'query',
    'redis',
  ]);
  const choice = await chooseMongodb({ PATH: process.env.PATH });
  if ('reason' in choice) throw new Error(choice.reason);
  const mongodb = await startMongodb(choice);
  let redis: ChildProcess | undefined;
  try {
    for (const name of order) {
      if (name === 'keys') {
        await run(network.start(name));
        // The stand-in has no users, and is no replica set of that name.
        writeFileSync(join(network.volume('mongodb-url'), 'url'), mongodb.url);
      } else if (name === 'redis') redis = startRedis(network);
      else if (name !== 'mongodb') {
        running.set(name, network.start(name));
        await untilHealthy(name, () => network.checkHealth(name));
        tell(`${name} is healthy`);
      }
    }
    const tms = (...command: string[]) => run(network.start('tms', command));
    await use(`http://${network.address('gateway')}:8080`, tms);
    tell('a team of the administrator `docker compose run --rm tms` pushes and asks');
    assert.notEqual(readdirSync(network.volume('query-own')).length, 0);
    assert.match(running.get('gateway')?.output() ?? '', /limits are counted over all gateways/);
    tell('the gateway counts limits in Redis');
    for (const name of order.toReversed()) await stop(name);
    tell('all parts end when they are told to');
  } finally {
    redis?.kill();
    await mongodb.stop();
  }
}

/** The command of the file, on the Redis of this machine. */
function startRedis(network: ComposeNetwork): ChildProcess {
  const [program = '', settings = '', ...more] = network.services.redis?.command ?? [];
  const configuration = readFileSync(
    join(network.volume('redis-secrets'), settings.replace('/keys/redis/', '')),
    'utf8',
  );
  const file = join(folder, 'redis.conf');
  writeFileSync(file, configuration);
  return spawn(program, [file, ...more, '--bind', network.address('redis')], { stdio: 'ignore' });
}

rmSync(volumes, { recursive: true, force: true });
mkdirSync(volumes);
try {
  await wholeService();
  await composeProject();
} finally {
  for (const container of running.values()) container.process.kill('SIGKILL');
}
process.exit(0);
