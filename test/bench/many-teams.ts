import { setTimeout as delay } from 'node:timers/promises';
import { seededRandom } from '@teammemory/testkit/seeded-random.ts';
import { type TemporaryDirectory, temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import type { StartedService } from '../support/service/running-service.ts';
import { startBenchService } from './bench-service.ts';
import { type FilledTeam, fillTeams, untilFollowed } from './filled-teams.ts';
import { type HttpRequest, sendAll } from './keep-alive-load.ts';
import { madeUpQuestion } from './made-up-notes.ts';
import type { BenchContext, Measurement } from './measurement.ts';
import { processUse } from './process-use.ts';
import { interleavedRounds, median, type Rounds } from './rounds.ts';

/** An installation of which most teams are idle, beside one that has the active ones alone. */
const sizes = { teams: 5_000, active: 100, keysEach: 10, rounds: 3, idleMs: 60_000, cold: 50 };
const quickSizes = { teams: 200, active: 20, keysEach: 2, rounds: 1, idleMs: 12_000, cold: 10 };
/** Requests of each active team in a round, pulls and questions in turn. */
const requestsEach = 20;
/** Requests after which the code that answers them is compiled. */
const compilingRequests = 200;
const bytesPerMebibyte = 2 ** 20;

interface Installation {
  directory: TemporaryDirectory;
  teams: FilledTeam[];
}

/**
 * What 4,900 idle teams cost: start, memory and processor time of 100 active teams beside them, against the same without
 * them; and the first requests of a team after a start, against its next ones.
 */
export async function measureManyTeams({ quick }: BenchContext): Promise<Measurement[]> {
  const size = quick ? quickSizes : sizes;
  const installations: Installation[] = [];
  const services: StartedService[] = [];
  try {
    for (const teams of [size.teams, size.active]) installations.push(await fill(teams, size.keysEach));
    const [many, few] = installations as [Installation, Installation];
    const startMs = await interleavedRounds(size.rounds, timeOfStart(many), timeOfStart(few));
    const [manyService, fewService] = [await startOn(many), await startOn(few)];
    services.push(manyService, fewService);
    const both = async (measure: (service: StartedService) => Promise<number>): Promise<Rounds> => {
      const [ours, theirs] = await Promise.all([measure(manyService), measure(fewService)]);
      return { ours, theirs, ratio: ours / theirs };
    };
    await Promise.all(services.map(untilFollowed));
    const starting = await both(async (service) => (await processUse(service)).processorMs / 1_000);
    const memory = await both(residentMebibytes);
    const idle = await both((service) => idleMsPerSecond(service, size.idleMs));
    const cold = await firstRequests(manyService, many.teams.slice(-size.cold));
    const request =
      (service: StartedService, { teams }: Installation) =>
      () =>
        processorMsOfRequest(service, teams.slice(0, size.active));
    const active = await interleavedRounds(size.rounds, request(manyService, many), request(fewService, few));
    const memoryAfterwards = await both(residentMebibytes);
    const compared = `${size.teams} teams, ${size.teams * size.keysEach} keys, against ${size.active} teams`;
    return [
      { name: `start, ${compared}`, unit: 'ms', ...startMs },
      { name: `processor time until all were looked at, ${compared}`, unit: 's', ...starting },
      { name: `resident memory when idle, ${compared}`, unit: 'MiB', ...memory },
      { name: `processor time when idle, ${compared}`, unit: 'ms/s', ...idle },
      { name: `processor time of a request of ${size.active} teams, ${compared}`, unit: 'ms', ...active },
      { name: `resident memory after these, ${compared}`, unit: 'MiB', ...memoryAfterwards },
      { name: 'first pull of a team after a start, against the next', unit: 'ms', ...cold.pull },
      { name: 'first question of a team after a start, against the next', unit: 'ms', ...cold.question },
    ];
  } finally {
    for (const service of services) await service.remove();
    for (const { directory } of installations) await directory.remove();
  }
}

const startOn = ({ directory }: Installation) => startBenchService({ dataDirectory: directory.path });

async function fill(teams: number, keysEach: number): Promise<Installation> {
  const directory = await temporaryDirectory();
  const service = await startBenchService({
    dataDirectory: directory.path,
    // The work in the background takes one team at a time.
    environment: { INDEX_REFRESH_SECONDS: '0' },
  });
  try {
    const filled = await fillTeams(service, teams, keysEach);
    await service.end();
    return { directory, teams: filled };
  } finally {
    await service.remove();
  }
}

/** Milliseconds from the start of the process until its gateway answers. */
function timeOfStart(installation: Installation): () => Promise<number> {
  return async () => {
    const startedMs = performance.now();
    const service = await startOn(installation);
    const tookMs = performance.now() - startedMs;
    await service.end();
    await service.remove();
    return tookMs;
  };
}

async function residentMebibytes(service: StartedService): Promise<number> {
  return (await processUse(service)).residentBytes / bytesPerMebibyte;
}

async function idleMsPerSecond(service: StartedService, durationMs: number): Promise<number> {
  const before = await processUse(service);
  await delay(durationMs);
  const after = await processUse(service);
  return (after.processorMs - before.processorMs) / (durationMs / 1_000);
}

/** What a request costs while each team pulls and asks over a connection of its own. */
async function processorMsOfRequest(service: StartedService, teams: readonly FilledTeam[]): Promise<number> {
  const random = seededRandom(teams.length);
  const requests = Array.from({ length: requestsEach }, (_, number) =>
    teams.map((team) => (number % 2 === 0 ? pullOf(team) : questionOf(team, madeUpQuestion(random)))),
  ).flat();
  const before = await processUse(service);
  await sendAll(service.url, requests, teams.length, () => undefined);
  const after = await processUse(service);
  return (after.processorMs - before.processorMs) / requests.length;
}

/** Medians of the first pull and question of teams, each against the next one. */
async function firstRequests(
  service: StartedService,
  [other, ...teams]: readonly FilledTeam[],
): Promise<Record<'pull' | 'question', Rounds>> {
  if (other === undefined) throw new Error('there are no teams');
  const random = seededRandom(teams.length);
  const milliseconds = async ({ path, ...request }: HttpRequest) => {
    const startedMs = performance.now();
    const answer = await fetch(service.url + path, request);
    await answer.text();
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`);
    return performance.now() - startedMs;
  };
  const measure = async (requestOf: (team: FilledTeam) => HttpRequest): Promise<Rounds> => {
    for (let sent = 0; sent < compilingRequests; sent += 1) await milliseconds(requestOf(other));
    const [first, next]: [number[], number[]] = [[], []];
    for (const team of teams) {
      first.push(await milliseconds(requestOf(team)));
      next.push(await milliseconds(requestOf(team)));
    }
    const [ours, theirs] = [median(first), median(next)];
    return { ours, theirs, ratio: ours / theirs };
  };
  return {
    pull: await measure(pullOf),
    question: await measure((team) => questionOf(team, madeUpQuestion(random))),
  };
}

function pullOf({ slug, keys: [key = ''] }: FilledTeam): HttpRequest {
  return { method: 'GET', path: '/api/v1/items?limit=50', headers: headersOf(slug, key) };
}

function questionOf({ slug, keys: [key = ''] }: FilledTeam, q: string): HttpRequest {
  return {
    method: 'POST',
    path: '/api/v1/query',
    headers: { ...headersOf(slug, key), 'content-type': 'application/json' },
    body: JSON.stringify({ q }),
  };
}

function headersOf(team: string, key: string) {
  return { authorization: `Bearer ${key}`, 'x-svc-team': team };
}
