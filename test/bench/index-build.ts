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

/** What 100,000 passages may take, in seconds of processor time, and the first question after a restart, in seconds. */
const goal = { secondsPer100000: 6, restartSeconds: 1 };
/** What the first question may take. */
const timeoutMs = 600_000;
const maxQuestions = 5;
/** Between pulls of another team while the index is built: their own work stays small beside it. */
const betweenPullsMs = 200;

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
      againstGoal('first question after a restart', 's', fromFile.waitedSeconds, goal.restartSeconds),
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
    const before = await processUse(service);
    const pulling = startPulling(clientOf(service.url, other));
    const waitedMs = await untilAnsweredMs(clientOf(service.url, large)).finally(pulling.end);
    const longestPullMs = await pulling.longestMs;
    const after = await processUse(service);
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

/** An answer ends after two minutes, which a busy machine may need for more; the index goes on, and the next question waits for the rest. */
async function untilAnsweredMs(client: TeamMemoryClient): Promise<number> {
  const askedMs = performance.now();
  for (let attempt = 1; ; attempt += 1) {
    try {
      await firstDeltaMs(client, madeUpQuestion(seededRandom(1)));
      return performance.now() - askedMs;
    } catch (error) {
      if (attempt === maxQuestions) throw error;
    }
  }
}

function startPulling(client: TeamMemoryClient): { end(): void; longestMs: Promise<number> } {
  let isEnding = false;
  const longestMs = (async () => {
    let longest = 0;
    while (!isEnding) {
      const startedMs = performance.now();
      await client.listItems({ limit: 50 });
      longest = Math.max(longest, performance.now() - startedMs);
      await delay(betweenPullsMs);
    }
    return longest;
  })();
  longestMs.catch(() => undefined);
  return {
    end() {
      isEnding = true;
    },
    longestMs,
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
