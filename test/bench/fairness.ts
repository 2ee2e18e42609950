import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { createTeamMemoryClient } from '@teammemory/client/team-memory-client.ts';
import { type BystanderAction, startBystander } from '../support/attacks/bystander.ts';
import type { BystanderReport } from '../support/attacks/bystander-program.ts';
import type { StartedService, Team } from '../support/service/running-service.ts';
import { startBenchService } from './bench-service.ts';
import type { BenchContext, Measurement } from './measurement.ts';
import { interleavedRounds } from './rounds.ts';

/** What one team's storm may do to the p99 of another team. */
const goal = { atMost: 2 };
/** What another team may wait at worst. */
const worstGoalMs = 100;
/** Passages of the team whose questions are a storm: what a team of a hundred gathers in a few years. */
const stormPassages = 100_000;
const questionsAtOnce = 100;
const pushesAtOnce = 3;
const pullsAtOnce = 16;
/** Items of almost 1 MiB in one push, which together stay below the default `MAX_BODY_BYTES` of 8 MiB. */
const largeItems = 7;
const largeItemBytes = 1_000_000;
const itemsPerPush = 200;
/** What the first question after all those pushes may take. */
const timeoutMs = 600_000;
/** For the storm to be under way before its neighbours are measured. */
const riseMs = 300;

/** What the other team does meanwhile, each over and over on one connection. */
const lightActions: Record<string, Partial<BystanderAction>> = {
  'a pull of one item': { path: '/api/v1/items?limit=1', pauseMs: 5 },
  'a question': { path: '/api/v1/query', body: { q: 'When do we deploy?' }, pauseMs: 5 },
  'GET /healthz': { path: '/healthz', pauseMs: 5 },
};

/** One team that does as much as it can of something. Returns when `signal` aborts and the last request has ended. */
type Storm = (signal: AbortSignal) => Promise<void>;

/**
 * The p99 and the worst of what one team waits for, alone and beside each storm of another
 * team, in turn within one run. Limits per minute are out of the way: a storm
 * within them would be none.
 */
export async function measureFairness({ quick }: BenchContext): Promise<Measurement[]> {
  const service = await startBenchService({
    environment: { QUESTIONS_PER_MINUTE: '1000000' },
  });
  try {
    const light = await service.createTeam();
    await pushNotes(service, light, ['We deploy every Tuesday at ten.']);
    const storms = await makeStorms(service, quick);
    const measurements: Measurement[] = [];
    for (const [stormName, storm] of Object.entries(storms)) {
      for (const [actionName, action] of Object.entries(lightActions)) {
        const waits = () => waitsOf(service, light, action, quick ? 500 : 4_000);
        const worst: number[] = [];
        const stormy = async () => {
          const { p99Ms, worstMs } = await beside(storm, waits);
          worst.push(worstMs);
          return p99Ms;
        };
        const result = await interleavedRounds(quick ? 1 : 3, stormy, async () => (await waits()).p99Ms);
        measurements.push(
          { name: `p99 of ${actionName} beside ${stormName}`, unit: 'ms', ...result, goal },
          worstOf(`${actionName} beside ${stormName}`, worst),
        );
      }
    }
    return measurements;
  } finally {
    await service.remove();
  }
}

/** Storms by name, each of a team of its own. */
async function makeStorms(service: StartedService, quick: boolean): Promise<Record<string, Storm>> {
  const [asking, pushing, pulling] = await Promise.all([
    service.createTeam(),
    service.createTeam(),
    service.createTeam(),
  ]);
  const passages = quick ? stormPassages / 10 : stormPassages;
  const notes = Array.from({ length: passages }, (_, index) => noteOf(index));
  await pushNotes(service, asking, notes);
  await pushNotes(service, pulling, notes.slice(0, itemsPerPush));
  await askOnce(service, asking);
  let version = 0;
  return {
    [`${questionsAtOnce} questions at once to ${passages} passages`]: inParallel(
      questionsAtOnce,
      send(service, asking, '/api/v1/query', () => JSON.stringify({ q: noteOf(version++ % passages) })),
    ),
    [`${pushesAtOnce} pushes of 7 MB at once`]: inParallel(
      pushesAtOnce,
      send(service, pushing, '/api/v1/items', () => largePush(version++)),
    ),
    [`${pullsAtOnce} pulls of ${itemsPerPush} items at once`]: inParallel(
      pullsAtOnce,
      send(service, pulling, `/api/v1/items?limit=${itemsPerPush}`),
    ),
  };
}

/** The least of the rounds, because whatever else the machine does only adds to it. */
function worstOf(what: string, rounds: readonly number[]): Measurement {
  const ours = Math.min(...rounds);
  return {
    name: `worst of ${what}, against ${worstGoalMs} ms`,
    unit: 'ms',
    ours,
    theirs: worstGoalMs,
    ratio: ours / worstGoalMs,
    goal: { atMost: 1 },
  };
}

async function beside<Measured>(storm: Storm, measure: () => Promise<Measured>): Promise<Measured> {
  const calm = new AbortController();
  const raging = storm(calm.signal);
  await delay(riseMs);
  const measured = await measure();
  calm.abort();
  await raging;
  return measured;
}

async function waitsOf(
  service: StartedService,
  team: Team,
  action: Partial<BystanderAction>,
  durationMs: number,
): Promise<BystanderReport> {
  const bystander = await startBystander(service, team, action);
  await delay(durationMs);
  return bystander.stop();
}

function inParallel(count: number, request: () => Promise<void>): Storm {
  return async (signal) => {
    const client = async () => {
      while (!signal.aborted) await request();
    };
    await Promise.all(Array.from({ length: count }, client));
  };
}

/** Sends one request and reads its answer; one that is refused for being too many is part of the storm. */
function send(service: StartedService, team: Team, path: string, body?: () => string): () => Promise<void> {
  return async () => {
    const response = await fetch(`${service.url}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        authorization: `Bearer ${team.teamKey}`,
        'x-svc-team': team.slug,
        'content-type': 'application/json',
      },
      ...(body === undefined ? {} : { body: body() }),
    });
    await response.bytes();
    if (![200, 429, 503].includes(response.status)) throw new Error(`${path}: ${response.status}`);
  };
}

async function pushNotes(service: StartedService, team: Team, notes: readonly string[]): Promise<void> {
  const client = createTeamMemoryClient({ url: service.url, key: team.teamKey, team: team.slug, timeoutMs });
  for (let start = 0; start < notes.length; start += itemsPerPush) {
    const contents = notes.slice(start, start + itemsPerPush);
    await client.pushItems(contents.map((content, index) => itemOf(`notes/${start + index}.md`, content)));
  }
}

/** The index is made by the first question, which is not part of the storm. */
async function askOnce(service: StartedService, { slug: team, teamKey: key }: Team): Promise<void> {
  const client = createTeamMemoryClient({ url: service.url, key, team, timeoutMs });
  for await (const _ of client.ask('What does the first note say?'));
}

function itemOf(row_key: string, content: string) {
  const checksum = `sha256:${createHash('sha256').update(content).digest('hex')}`;
  return { row_key, content, frontmatter: {}, tier: 'team', checksum };
}

/** A passage of 120 words, of which the rarest are its own: multiples of its number in base 36. */
function noteOf(index: number): string {
  const words = Array.from({ length: 120 }, (_, place) => `w${((index + 1) * (place + 1) * 7919) % 50_021}`);
  return `${words.join(' ')}.`;
}

/** A push of some 7 MB that changes all of its items. */
function largePush(version: number): string {
  const line = `Version ${version} of a long text.\n`;
  const content = line.repeat(Math.floor(largeItemBytes / line.length));
  const items = Array.from({ length: largeItems }, (_, index) => itemOf(`large/${index}.md`, content));
  return JSON.stringify({ items });
}
