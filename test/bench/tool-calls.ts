import { createTeamMemoryClient } from '@teammemory/client/team-memory-client.ts';
import { seededRandom } from '@teammemory/testkit/seeded-random.ts';
import { item } from '../support/http/api.ts';
import { asKey } from '../support/mcp/raw-message.ts';
import type { StartedService, Team } from '../support/service/running-service.ts';
import { startBenchService } from './bench-service.ts';
import { expectToolResult, type HttpRequest, sendAll, toolRequest } from './keep-alive-load.ts';
import { madeUpQuestion, pushMadeUpNotes } from './made-up-notes.ts';
import type { BenchContext, Measurement } from './measurement.ts';
import { processUse } from './process-use.ts';
import { interleavedRounds } from './rounds.ts';

/** What a call of a tool may cost more than the same request of /api/v1. */
const goal = { atMost: 1.3 };
const connections = 4;
const passages = 2_000;
const tasks = 200;
/** What the first question after all those pushes may take. */
const timeoutMs = 600_000;

/** A tool and the request of /api/v1 that gets the same; `number` is another one for each call. */
interface Comparison {
  tool: string;
  input(number: number): object;
  path(number: number): string;
  body?(number: number): object;
}

/**
 * The processor time of a call of each tool, in one process, against that of the same request of /api/v1: as clients of
 * the revision 2026-07-28 send it, with the same rows in both answers.
 */
export async function measureToolCalls({ quick }: BenchContext): Promise<Measurement[]> {
  const service = await startBenchService();
  try {
    const team = await service.createTeam();
    await fill(service, team);
    const measurements: Measurement[] = [];
    for (const comparison of comparisons()) {
      const calls = quick ? 50 : 400;
      let made = 0;
      const side =
        (requestOf: (number: number) => HttpRequest, check: (body: string) => void) => async () => {
          const requests = Array.from({ length: calls }, () => requestOf(made++));
          const before = await processUse(service);
          await sendAll(service.url, requests, connections, check);
          return ((await processUse(service)).processorMs - before.processorMs) / calls;
        };
      const ours = side(
        (number) => toolRequest(team, comparison.tool, comparison.input(number), number),
        expectToolResult,
      );
      const theirs = side(
        (number) => apiRequest(team, comparison, number),
        () => undefined,
      );
      await interleavedRounds(1, ours, theirs);
      measurements.push({
        name: `call of the tool ${comparison.tool}, against the same request of /api/v1`,
        unit: 'ms',
        goal,
        ...(await interleavedRounds(quick ? 1 : 7, ours, theirs)),
      });
    }
    return measurements;
  } finally {
    await service.remove();
  }
}

function comparisons(): Comparison[] {
  const random = seededRandom(passages);
  const questions = Array.from({ length: 1_000 }, () => madeUpQuestion(random));
  const question = (number: number) => questions[number % questions.length] ?? '';
  const since = '1970-01-01T00:00:00.000Z';
  return [
    {
      tool: 'search',
      input: (number) => ({ query: question(number), limit: 8 }),
      path: (number) => `/search?q=${encodeURIComponent(question(number))}&limit=8`,
    },
    {
      tool: 'fetch',
      input: (number) => ({ id: `notes/${number % passages}.md` }),
      path: (number) => `/items/${encodeURIComponent(`notes/${number % passages}.md`)}`,
    },
    {
      tool: 'changes',
      input: () => ({ since, limit: 50 }),
      path: () => `/items?view=summary&include_deleted=true&since=${since}&limit=50`,
    },
    { tool: 'tasks', input: () => ({}), path: () => '/tasks?status=open&limit=50' },
    {
      tool: 'ask',
      input: (number) => ({ question: question(number) }),
      path: () => '/query',
      body: (number) => ({ q: question(number) }),
    },
    {
      tool: 'push',
      input: (number) => ({ row_key: `new/${number}.md`, content: contentOf(number), base_checksum: null }),
      path: () => '/items',
      body: (number) => ({ items: [item(`new/${number}.md`, contentOf(number), { base_checksum: null })] }),
    },
  ];
}

function apiRequest(team: Team, { path, body }: Comparison, number: number): HttpRequest {
  const headers = asKey(team.teamKey, team.slug);
  const request = { method: 'GET', path: `/api/v1${path(number)}`, headers };
  if (body === undefined) return request;
  return {
    ...request,
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body(number)),
  };
}

async function fill(service: StartedService, { slug: team, teamKey: key }: Team): Promise<void> {
  const client = createTeamMemoryClient({ url: service.url, key, team, timeoutMs });
  await pushMadeUpNotes(client, passages);
  const lines = Array.from({ length: tasks }, (_, index) => `- [ ] do number ${index} @ada due:2026-12-01`);
  await client.pushItems([item('tasks.md', lines.join('\n'))]);
  for await (const _ of client.ask('What does the first note say?'));
}

/** Some 2 KB of text, different for each number. */
function contentOf(number: number): string {
  return `Note ${number} says what a team has to know about its work.\n`.repeat(36);
}
