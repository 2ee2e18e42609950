import { createTeamMemoryClient } from '@teammemory/client/team-memory-client.ts';
import { seededRandom } from '@teammemory/testkit/seeded-random.ts';
import { readMetric } from '../support/service/read-metric.ts';
import { startBenchService } from './bench-service.ts';
import { firstDeltaMs, madeUpQuestion, pushMadeUpNotes } from './made-up-notes.ts';
import type { BenchContext, Measurement } from './measurement.ts';
import { processUse } from './process-use.ts';

/** Of fewer the median would be that of code that has just been started, and is not compiled yet. */
const questions = 1_000;
/** Of so many rounds the best counts, because whatever else the machine does only adds to a delay. */
const rounds = 10;
/** What the first question after a large push may take. */
const timeoutMs = 600_000;

interface Delays {
  passages: number;
  /** Median from question to first delta of the best round, in milliseconds. */
  questionMs: number;
  /** Processor time that a question takes the service, all threads. */
  processorMs: number;
  /** What 95 of a hundred questions do not exceed. */
  slowQuestionMs: number;
  /** The first question, which cuts all items and builds the index. */
  firstQuestionMs: number;
  indexBytes: number;
}

/** Questions to teams of 10,000 and 100,000 passages: the delay, and what making the index takes. */
export async function measureQuestionDelay({ quick }: BenchContext): Promise<Measurement[]> {
  const small = await delaysWith(quick ? 1_000 : 10_000);
  const large = await delaysWith(quick ? 2_000 : 100_000);
  const compared = (name: string, unit: string, figure: (delays: Delays) => number): Measurement => {
    const [ours, theirs] = [figure(large), figure(small)];
    return {
      name: `${name}, ${large.passages} passages against ${small.passages}`,
      unit,
      ours,
      theirs,
      ratio: ours / theirs,
    };
  };
  return [
    againstGoal(small, 5),
    againstGoal(large, 20),
    compared('question to first delta, 95 of 100', 'ms', (of) => of.slowQuestionMs),
    compared('processor time of a question', 'ms', (of) => of.processorMs),
    compared('first question after a push', 'ms/passage', (of) => of.firstQuestionMs / of.passages),
    compared('index', 'bytes/passage', (of) => of.indexBytes / of.passages),
  ];
}

function againstGoal({ passages, questionMs }: Delays, goalMs: number): Measurement {
  return {
    name: `question to first delta, median of the best round, ${passages} passages, against ${goalMs} ms`,
    unit: 'ms',
    ours: questionMs,
    theirs: goalMs,
    ratio: questionMs / goalMs,
    goal: { atMost: 1 },
  };
}

async function delaysWith(passages: number): Promise<Delays> {
  // Without work in the background, so that the first question does all of it.
  const environment = { INDEX_REFRESH_SECONDS: '0' };
  const service = await startBenchService({ environment });
  try {
    const { slug: team, teamKey: key } = await service.createTeam();
    const client = createTeamMemoryClient({ url: service.url, key, team, timeoutMs });
    await pushMadeUpNotes(client, passages);
    const random = seededRandom(questions);
    const firstQuestionMs = await firstDeltaMs(client, madeUpQuestion(random));
    const before = await processUse(service);
    const delays: number[] = [];
    for (let asked = 0; asked < questions; asked += 1)
      delays.push(await firstDeltaMs(client, madeUpQuestion(random)));
    const after = await processUse(service);
    const perRound = questions / rounds;
    const medians = Array.from({ length: rounds }, (_, round) => {
      const ofRound = delays.slice(round * perRound, (round + 1) * perRound);
      return ofRound.sort((left, right) => left - right)[perRound / 2] ?? Number.NaN;
    });
    delays.sort((left, right) => left - right);
    return {
      passages,
      questionMs: Math.min(...medians),
      slowQuestionMs: delays[questions * 0.95] ?? Number.NaN,
      processorMs: (after.processorMs - before.processorMs) / questions,
      firstQuestionMs,
      indexBytes: await readMetric(service.metricsUrl, 'teammemory_search_index_bytes'),
    };
  } finally {
    await service.remove();
  }
}
