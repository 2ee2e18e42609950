import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createTeamMemoryClient, type TeamMemoryClient } from '@teammemory/client/team-memory-client.ts';
import { seededRandom } from '@teammemory/testkit/seeded-random.ts';
import { temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import { readMetric } from '../support/service/read-metric.ts';
import { startBenchService } from './bench-service.ts';
import { firstDeltaMs, madeUpQuestion, pushMadeUpNotes } from './made-up-notes.ts';
import type { BenchContext, Measurement } from './measurement.ts';
import { processUse } from './process-use.ts';

/** What 100,000 passages may take, in seconds of processor time. */
const goal = { secondsPer100000: 15 };
/** What the first question may take. */
const timeoutMs = 600_000;
/** Between pulls of another team while the index is built: their own work stays small beside it. */
const betweenPullsMs = 50;

interface Build {
  /** Seconds of the whole process, all threads, for 100,000 passages. */
  processorSeconds: number;
  waitedSeconds: number;
  bytesPerPassage: number;
  /** The longest pull of another team meanwhile. */
  longestPullMs: number;
}

interface Teams {
  passages: number;
  directory: string;
  large: { key: string; team: string };
  other: { key: string; team: string };
}

/** What it takes to build the index of 100,000 passages of 120 words: from the feed and from stored passages, and to go on with its file. */
export async function measureIndexBuild({ quick }: BenchContext): Promise<Measurement[]> {
  const directory = await temporaryDirectory();
  try {
    const teams = await filledTeams(directory.path, quick ? 2_000 : 100_000);
    const files = join(directory.path, 'indexes');
    const fromFeed = await build(teams);
    await rm(files, { recursive: true });
    const fromPassages = await build(teams);
    const fromFile = await build(teams);
    return [
      againstGoal(
        'index from the feed',
        's/100,000 passages',
        fromFeed.processorSeconds,
        goal.secondsPer100000,
      ),
      againstGoal(
        'index from stored passages',
        's/100,000 passages',
        fromPassages.processorSeconds,
        goal.secondsPer100000,
      ),
      compared(
        'index from its file, against stored passages',
        's waited',
        fromFile,
        fromPassages,
        'waitedSeconds',
      ),
      compared(
        'file of an index, from the feed, against from stored passages',
        'bytes/passage',
        fromFeed,
        fromPassages,
        'bytesPerPassage',
      ),
      compared(
        'longest pull of another team, while from the feed, against from a file',
        'ms',
        fromFeed,
        fromFile,
        'longestPullMs',
      ),
    ];
  } finally {
    await directory.remove();
  }
}

async function filledTeams(directory: string, passages: number): Promise<Teams> {
  const service = await startBenchService({ dataDirectory: directory, environment });
  try {
    const [large, other] = [await service.createTeam(), await service.createTeam()];
    const keyOf = ({ teamKey: key, slug: team }: typeof large) => ({ key, team });
    await pushMadeUpNotes(clientOf(service.url, keyOf(large)), passages);
    await pushMadeUpNotes(clientOf(service.url, keyOf(other)), 200);
    await service.end();
    return { passages, directory, large: keyOf(large), other: keyOf(other) };
  } finally {
    await service.remove();
  }
}

/** Starts on what is there and asks a first question, which waits for the index. */
async function build({ passages, directory, large, other }: Teams): Promise<Build> {
  const service = await startBenchService({ dataDirectory: directory, environment });
  try {
    const pulling = startPulling(clientOf(service.url, other));
    const before = await processUse(service);
    const waitedMs = await firstDeltaMs(clientOf(service.url, large), madeUpQuestion(seededRandom(1)));
    const after = await processUse(service);
    const longestPullMs = await pulling.longestMs();
    const bytes = await readMetric(service.metricsUrl, 'teammemory_search_index_bytes');
    await service.end();
    return {
      processorSeconds: ((after.processorMs - before.processorMs) / 1_000) * (100_000 / passages),
      waitedSeconds: waitedMs / 1_000,
      bytesPerPassage: bytes / passages,
      longestPullMs,
    };
  } finally {
    await service.remove();
  }
}

/** Without work in the background, so that the first question does all of it. */
const environment = { INDEX_REFRESH_SECONDS: '0' };

function clientOf(url: string, { key, team }: Teams['large']): TeamMemoryClient {
  return createTeamMemoryClient({ url, key, team, timeoutMs, retries: 0 });
}

function startPulling(client: TeamMemoryClient): { longestMs(): Promise<number> } {
  let isEnding = false;
  const pulling = (async () => {
    let longest = 0;
    while (!isEnding) {
      const startedMs = performance.now();
      await client.listItems({ limit: 50 });
      longest = Math.max(longest, performance.now() - startedMs);
      await delay(betweenPullsMs);
    }
    return longest;
  })();
  return {
    longestMs() {
      isEnding = true;
      return pulling;
    },
  };
}

function againstGoal(name: string, unit: string, ours: number, theirs: number): Measurement {
  return {
    name: `${name}, against ${theirs}`,
    unit,
    ours,
    theirs,
    ratio: ours / theirs,
    goal: { atMost: 1 },
  };
}

function compared(name: string, unit: string, one: Build, other: Build, figure: keyof Build): Measurement {
  const [ours, theirs] = [one[figure], other[figure]];
  return { name, unit, ours, theirs, ratio: ours / theirs };
}
