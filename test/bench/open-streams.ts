import { createTeamMemoryClient } from '@teammemory/client/team-memory-client.ts';
import type { RunningService } from '../support/service/running-service.ts';
import { startBenchService } from './bench-service.ts';
import { type ChildProgram, startChildProgram } from './child-program.ts';
import type { BenchContext, Measurement } from './measurement.ts';
import { type ProcessUse, processUse } from './process-use.ts';
import { benchItem, portOf, requestBytes } from './requests.ts';
import type { Delays, ReaderCommand } from './stream-readers.ts';

/** The first two are always measured: what a stream costs is the difference between them, or to a later one. */
const steps = [50, 250, 500, 750, 1_000, 1_250, 1_500, 2_000];
const quickSteps = [10, 20];
const alwaysMeasured = 2;
const goalStreams = 2_000;
const allowedMs = 10;
/** Read straight from the model, by the same process at the same time: the delay that is none of the service's. */
const directStreams = 50;
/** What opening streams leaves to be done is not measured. */
const settleMs = 1_000;
const measuredMs = 4_000;
const bytesPerKibibyte = 1024;

/** Something that streams of the model go through. */
interface Way {
  port: number;
  requests: Uint8Array[];
  use(): Promise<ProcessUse>;
}

/** What a number of open streams came to. */
interface Step {
  streams: number;
  /** 99th of a hundred delays, less that of the direct streams. */
  addedMs: number;
  deltaMicroseconds: number;
  residentBytes: number;
}

/**
 * Answers that a model writes at 20 deltas a second, and as many readers as one
 * process of the service can have before the 99th of a hundred deltas comes
 * 10 ms later than straight from the model; what a delta and an open stream
 * cost, against a relay that only passes bytes on.
 */
export async function measureOpenStreams({ quick }: BenchContext): Promise<Measurement[]> {
  const model = startChildProgram('streaming-model.ts');
  try {
    const modelPort = (await model.ask('port')) as number;
    const climbed = (way: Way) => climb(way, modelPort, quick ? quickSteps : steps);
    const ours = await throughService(modelPort, climbed);
    const theirs = await throughRelay(modelPort, climbed);
    return [capacity(ours), ...costs(ours, theirs)];
  } finally {
    model.end();
  }
}

async function throughService(modelPort: number, climbed: (way: Way) => Promise<Step[]>): Promise<Step[]> {
  const service = await startBenchService({
    environment: {
      OPENAI_BASE_URL: `http://127.0.0.1:${modelPort}/v1`,
      OPENAI_MODEL: 'writer',
      MODEL_PRICES: '{"writer":{"input":0,"output":0}}',
    },
  });
  try {
    // Two teams, for one may have only half of the answers of a gateway.
    const requests = [await questionOfTeam(service), await questionOfTeam(service)];
    return await climbed({ port: portOf(service), requests, use: () => processUse(service) });
  } finally {
    await service.remove();
  }
}

/** A question that a team's memory has something about. */
async function questionOfTeam(service: RunningService): Promise<Uint8Array> {
  const team = await service.createTeam();
  const client = createTeamMemoryClient({ url: service.url, key: team.teamKey, team: team.slug });
  await client.pushItems([benchItem(0)]);
  return requestBytes(team, 'POST', '/api/v1/query', { q: 'What has a team to know?' });
}

async function throughRelay(modelPort: number, climbed: (way: Way) => Promise<Step[]>): Promise<Step[]> {
  const relay = startChildProgram('relay-server.ts');
  try {
    const port = (await relay.ask(modelPort)) as number;
    return await climbed({
      port,
      requests: [plainRequest],
      use: async () => (await relay.ask('use')) as ProcessUse,
    });
  } finally {
    relay.end();
  }
}

const plainRequest = Buffer.from('POST / HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 0\r\n\r\n');

/** Opens more and more streams until their deltas come too late. */
async function climb(way: Way, modelPort: number, numbers: readonly number[]): Promise<Step[]> {
  const readers = startChildProgram('stream-readers.ts');
  try {
    const direct = { group: 'direct', port: modelPort, requests: [plainRequest] };
    await command(readers, { kind: 'open', ...direct, streams: directStreams });
    const measured: Step[] = [];
    let open = 0;
    for (const streams of numbers) {
      const { port, requests } = way;
      await command(readers, { kind: 'open', group: 'way', port, requests, streams: streams - open });
      open = streams;
      measured.push(await measureStep(way, readers, streams));
      if (measured.length >= alwaysMeasured && !measured.every(isInTime)) break;
    }
    return measured;
  } finally {
    readers.end();
  }
}

function isInTime({ addedMs }: Step): boolean {
  return addedMs <= allowedMs;
}

async function measureStep(way: Way, readers: ChildProgram, streams: number): Promise<Step> {
  await command(readers, { kind: 'measure', durationMs: settleMs });
  const before = await way.use();
  const measured = await command(readers, { kind: 'measure', durationMs: measuredMs });
  const { direct, way: through } = measured as { direct: Delays; way: Delays };
  const after = await way.use();
  const processorMs = after.processorMs - before.processorMs;
  return {
    streams,
    addedMs: through.p99Ms - direct.p99Ms,
    deltaMicroseconds: (processorMs * 1000) / through.deltas,
    residentBytes: after.residentBytes,
  };
}

function command(readers: ChildProgram, given: ReaderCommand): Promise<unknown> {
  return readers.ask(given);
}

/** The most streams of which, and below which, all deltas came in time. */
function capacity(measured: readonly Step[]): Measurement {
  const late = measured.findIndex((step) => !isInTime(step));
  const inTime = late < 0 ? measured : measured.slice(0, late);
  const ours = inTime.at(-1)?.streams ?? 0;
  return {
    name: `streams of 20 deltas a second through one process, p99 added <= ${allowedMs} ms, against ${goalStreams}`,
    unit: 'streams',
    ours,
    theirs: goalStreams,
    ratio: ours / goalStreams,
    goal: { atLeast: 1 },
  };
}

/** What a delta and an open stream cost, at the highest number of streams that both had. */
function costs(ours: readonly Step[], theirs: readonly Step[]): Measurement[] {
  const common = Math.min(ours.length, theirs.length);
  const [service, relay] = [costOf(ours.slice(0, common)), costOf(theirs.slice(0, common))];
  const compared = (what: string, unit: string, cost: 'delta' | 'stream'): Measurement => ({
    name: `${what}, against a relay, ${service.streams} streams`,
    unit,
    ours: service[cost],
    theirs: relay[cost],
    ratio: service[cost] / relay[cost],
  });
  return [
    compared('processor time of a delta', 'µs', 'delta'),
    compared('memory of an open stream', 'KiB', 'stream'),
  ];
}

/** Of the last step, microseconds of a delta, and KiB of each stream that came after the first step. */
function costOf(measured: readonly Step[]): { streams: number; delta: number; stream: number } {
  const [least, most] = [measured[0], measured.at(-1)];
  if (least === undefined || most === undefined) throw new Error('nothing was measured');
  const bytes = (most.residentBytes - least.residentBytes) / (most.streams - least.streams);
  return { streams: most.streams, delta: most.deltaMicroseconds, stream: bytes / bytesPerKibibyte };
}
