import { createHash } from 'node:crypto';
import { createTeamMemoryClient, type TeamMemoryClient } from '@teammemory/client/team-memory-client.ts';
import { type SeededRandom, seededRandom } from '@teammemory/testkit/seeded-random.ts';
import { readMetric } from '../support/read-metric.ts';
import { startBenchService } from './bench-service.ts';
import type { BenchContext, Measurement } from './measurement.ts';

const itemsPerPush = 200;
/** Words of a passage, some 850 characters, as sections of notes have. */
const wordsPerPassage = 120;
const wordsPerQuestion = 6;
const vocabulary = 50_000;
/** The most frequent words of a language are stop words, which are not searched for. */
const firstTellingRank = 128;
/** Of fewer the median would be that of code that has just been started, and is not compiled yet. */
const questions = 1_000;
/** What the first question after a large push may take. */
const timeoutMs = 600_000;

interface Delays {
  passages: number;
  /** Median from question to first delta, in milliseconds. */
  questionMs: number;
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
    compared('first question after a push', 'ms/passage', (of) => of.firstQuestionMs / of.passages),
    compared('index', 'bytes/passage', (of) => of.indexBytes / of.passages),
  ];
}

function againstGoal({ passages, questionMs }: Delays, goalMs: number): Measurement {
  return {
    name: `question to first delta, median, ${passages} passages, against ${goalMs} ms`,
    unit: 'ms',
    ours: questionMs,
    theirs: goalMs,
    ratio: questionMs / goalMs,
    goal: { atMost: 1 },
  };
}

async function delaysWith(passages: number): Promise<Delays> {
  // Without work in the background, so that the first question does all of it.
  const environment = { INDEX_MEMORY_MB: '4096', INDEX_REFRESH_SECONDS: '0' };
  const service = await startBenchService({ environment });
  try {
    const { slug: team, teamKey: key } = await service.createTeam();
    const client = createTeamMemoryClient({ url: service.url, key, team, timeoutMs });
    const random = seededRandom(passages);
    for (let start = 0; start < passages; start += itemsPerPush) {
      await client.pushItems(Array.from({ length: itemsPerPush }, (_, index) => item(start + index, random)));
    }
    const firstQuestionMs = await firstDeltaMs(client, text(wordsPerQuestion, random, firstTellingRank));
    const delays: number[] = [];
    for (let asked = 0; asked < questions; asked += 1)
      delays.push(await firstDeltaMs(client, text(wordsPerQuestion, random, firstTellingRank)));
    const questionMs = delays.toSorted((left, right) => left - right)[questions / 2] ?? Number.NaN;
    return {
      passages,
      questionMs,
      firstQuestionMs,
      indexBytes: await readMetric(service.metricsUrl, 'search_index_bytes'),
    };
  } finally {
    await service.remove();
  }
}

function item(number: number, random: SeededRandom) {
  const content = text(wordsPerPassage, random);
  const checksum = `sha256:${createHash('sha256').update(content).digest('hex')}`;
  return { row_key: `notes/${number}.md`, content, frontmatter: {}, tier: 'team', checksum };
}

/** Words whose frequency falls with their rank as in natural text (Zipf, 1949), from the given rank on. */
function text(words: number, random: SeededRandom, firstRank = 1): string {
  const ranks = Array.from({ length: words }, () => {
    const fraction = random.integerBelow(2 ** 32) / 2 ** 32;
    return Math.floor(firstRank * (vocabulary / firstRank) ** fraction);
  });
  return `${ranks.map(wordOf).join(' ')}.`;
}

/** Each rank as some seven letters that say nothing about it. */
function wordOf(rank: number): string {
  const scattered = (Math.imul(rank, 0x9e3779b1) >>> 0).toString(36);
  return scattered.replace(/\d/g, (digit) => 'aeioulnrst'.charAt(Number(digit)));
}

async function firstDeltaMs(client: TeamMemoryClient, question: string): Promise<number> {
  const asked = performance.now();
  let delay: number | undefined;
  for await (const event of client.ask(question)) {
    if (event.type === 'delta') delay ??= performance.now() - asked;
  }
  return delay ?? Number.NaN;
}
