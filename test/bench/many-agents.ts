import { setTimeout as delay } from 'node:timers/promises';
import { createTeamMemoryClient } from '@teammemory/client/team-memory-client.ts';
import { seededRandom } from '@teammemory/testkit/seeded-random.ts';
import { type BystanderAction, startBystander } from '../support/attacks/bystander.ts';
import { item } from '../support/http/api.ts';
import type { StartedService, Team } from '../support/service/running-service.ts';
import { startBenchService } from './bench-service.ts';
import { expectToolResult, sendAll, toolRequest } from './keep-alive-load.ts';
import { madeUpQuestion, pushMadeUpNotes } from './made-up-notes.ts';
import type { BenchContext, Measurement } from './measurement.ts';
import { interleavedRounds } from './rounds.ts';

/** What the agents of one team may do to the p99 of another team. */
const goal = { atMost: 2 };
const [agents, questionsEach] = [50, 20];
const passages = 2_000;
/** What the first question after all those pushes may take. */
const timeoutMs = 600_000;

/** What the other team does meanwhile, each over and over on one connection. */
const actions: Record<string, Partial<BystanderAction>> = {
  'a pull of one item': { path: '/api/v1/items?limit=1', pauseMs: 5 },
  'a question': { path: '/api/v1/query', body: { q: 'When do we deploy?' }, pauseMs: 5 },
};

/**
 * The p99 of what one team waits for on /api/v1, beside 50 agents of another team that ask 20 questions each through the
 * tool `ask`, and alone, in turn within one run. Limits per minute are out of the way.
 */
export async function measureManyAgents({ quick }: BenchContext): Promise<Measurement[]> {
  const service = await startBenchService();
  try {
    const [busy, light] = [await service.createTeam(), await service.createTeam()];
    await pushMadeUpNotes(clientOf(service, busy), quick ? passages / 10 : passages);
    await clientOf(service, light).pushItems([item('deploy.md', 'We deploy every Tuesday at ten.')]);
    for (const team of [busy, light])
      for await (const _ of clientOf(service, team).ask('When do we deploy?'));
    const random = seededRandom(agents);
    const measurements: Measurement[] = [];
    for (const [name, action] of Object.entries(actions)) {
      const beside = () => p99During(service, light, action, () => askAll(service, busy, random));
      const alone = () => p99During(service, light, action, () => delay(quick ? 500 : 3_000));
      const result = await interleavedRounds(quick ? 1 : 5, beside, alone);
      measurements.push({
        name: `p99 of ${name} beside ${agents} agents with ${questionsEach} questions each`,
        unit: 'ms',
        ...result,
        goal,
      });
    }
    return measurements;
  } finally {
    await service.remove();
  }
}

async function p99During(
  service: StartedService,
  team: Team,
  action: Partial<BystanderAction>,
  work: () => Promise<void>,
): Promise<number> {
  const bystander = await startBystander(service, team, action);
  await work();
  return (await bystander.stop()).p99Ms;
}

/** Sends the questions of all agents, each agent on a connection of its own, one question after the other. */
async function askAll(
  service: StartedService,
  team: Team,
  random: ReturnType<typeof seededRandom>,
): Promise<void> {
  const requests = Array.from({ length: agents * questionsEach }, (_, number) =>
    toolRequest(team, 'ask', { question: madeUpQuestion(random) }, number),
  );
  await sendAll(service.url, requests, agents, expectToolResult);
}

function clientOf(service: StartedService, { slug: team, teamKey: key }: Team) {
  return createTeamMemoryClient({ url: service.url, key, team, timeoutMs });
}
