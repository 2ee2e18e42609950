import { spawnSync } from 'node:child_process';
import { startRedisServer } from '@teammemory/testkit/redis-server.ts';
import { chooseMongodb } from '../servers/choose-mongodb.ts';
import { startMongodb } from '../servers/start-mongodb.ts';
import type { RunningService } from '../support/service/running-service.ts';
import { startBenchService } from './bench-service.ts';
import { type ComparedLoads, type Contestant, compareLoads } from './compare-loads.ts';
import { fillPage, itemsPerPage } from './filled-page.ts';
import type { BenchContext, Measurement } from './measurement.ts';
import { processorsOf } from './processor-time.ts';
import { benchBatches, portOf, requestBytes } from './requests.ts';

const itemsPerPush = 60;
const readers = 8;
/** More would have to wait longer than a call may take where the server is slow, and be refused. */
const writers = 1;

/**
 * A pull and a push with each part in a process of its own, against everything
 * in one process, on the same MongoDB server. Answers nothing, and says why,
 * where MongoDB or Redis is not at hand.
 */
export async function measureSeparateProcesses(context: BenchContext): Promise<Measurement[]> {
  const choice = await chooseMongodb(process.env);
  const hasRedis = spawnSync('redis-server', ['--version']).status === 0;
  if ('reason' in choice || !hasRedis) {
    const reason = 'reason' in choice ? choice.reason : 'no redis-server on the path';
    process.stderr.write(`Separate processes are left out: ${reason}.\n`);
    return [];
  }
  const stops: (() => Promise<unknown>)[] = [];
  try {
    const mongodb = await startMongodb(choice);
    stops.push(mongodb.stop);
    const redis = await startRedisServer();
    stops.push(redis.remove);
    const start = async (program: string): Promise<RunningService> => {
      const environment = { REDIS_URL: redis.url };
      const deployment = { program, environment, remove: async () => undefined };
      const service = await startBenchService({ deployment, mongodbUrl: mongodb.url });
      stops.push(service.remove);
      return service;
    };
    const ours = await start('services/separate/main.ts');
    const theirs = await start('services/all/main.ts');
    const against = `separate processes against one, on ${choice.name}`;
    return [
      {
        name: `page of ${itemsPerPage} items, ${readers} connections, ${against}`,
        unit: 'pages/s',
        ...(await compare(context, await pages(context, ours), await pages(context, theirs))),
      },
      {
        name: `push of ${itemsPerPush} items, ${writers} connection, ${against}`,
        unit: 'pushes/s',
        ...(await compare(context, await pushes(context, ours), await pushes(context, theirs))),
      },
    ];
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}

function compare({ quick }: BenchContext, ours: Contestant, theirs: Contestant): Promise<ComparedLoads> {
  return compareLoads(quick ? 3 : 5, ours, theirs);
}

async function pages(context: BenchContext, service: RunningService): Promise<Contestant> {
  const { request } = await fillPage(context, service);
  const durationMs = context.quick ? 300 : 2_000;
  const work = { port: portOf(service), connections: readers, requests: [request], durationMs };
  return { load: () => context.load(work), processors: processorsOf(service) };
}

async function pushes({ quick, load }: BenchContext, service: RunningService): Promise<Contestant> {
  const team = await service.createTeam();
  const count = quick ? 2 : 6;
  let from = 0;
  return {
    load() {
      const requests = benchBatches(from, count, itemsPerPush).map((items) =>
        requestBytes(team, 'POST', '/api/v1/items', { items }),
      );
      from += count * itemsPerPush;
      return load({ port: portOf(service), connections: writers, requests });
    },
    processors: processorsOf(service),
  };
}
