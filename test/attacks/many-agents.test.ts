import { afterAll, beforeAll, expect, test } from 'vitest';
import { printFigures, startBystander } from '../support/attacks/bystander.ts';
import { item } from '../support/http/api.ts';
import { newTeam, type TeamClients } from '../support/http/key-holder.ts';
import { askAsManyAgents } from '../support/mcp/many-agents.ts';
import { type StartedService, startService } from '../support/service/running-service.ts';

const [agents, questionsEach] = [50, 20];

let service: StartedService;
let clients: TeamClients;
let other: TeamClients;

beforeAll(async () => {
  service = await startService({
    environment: {
      QUESTIONS_PER_MINUTE: '1000000',
      SEARCHES_PER_MINUTE: '1000000',
      ITEM_WRITES_PER_MINUTE: '1000',
    },
  });
  [clients, other] = [await newTeam(service), await newTeam(service)];
  const notes = Array.from({ length: 200 }, (_, index) =>
    item(
      `ships/${index}.md`,
      `# Ship ${index}\n\nThe ship named vessel${index}x leaves from pier ${index % 17}.`,
    ),
  );
  await clients.team.push(...notes);
  await other.team.push(item('ferry.md', 'The ferry leaves at nine.'));
  for (const { team } of [clients, other]) await team.ask('When does the ferry leave?');
});
afterAll(() => service.remove());

test(`${agents} agents ask ${questionsEach} questions each at once: every answer is complete and cites what was asked about, and nothing fails but for a limit`, {
  timeout: 180_000,
}, async () => {
  const bystander = await startBystander(service, other, { path: '/api/v1/items?limit=1' });
  const startedMs = performance.now();
  const answers = await askAsManyAgents(service, clients, { agents, questionsEach }, (agent, asked) => {
    const ship = (agent * questionsEach + asked) % 200;
    return `From which pier does vessel${ship}x leave?`;
  });
  const seconds = (performance.now() - startedMs) / 1_000;
  const seen = await bystander.stop();
  const refused = answers.filter(({ result }) => result.isError);
  printFigures(
    `${agents} agents with ${questionsEach} questions each`,
    seen,
    `p99 ${seen.p99Ms.toFixed(0)} ms, ${answers.length - refused.length} answered and ${refused.length} refused in ${seconds.toFixed(1)} s`,
  );
  expect(seen.failures).toEqual([]);
  expect(answers).toHaveLength(agents * questionsEach);
  for (const { result } of refused) expect(result.text).toMatch(/^(rate_limited|unavailable|overloaded)/);
  for (const { question, result } of answers) {
    if (result.isError) continue;
    const ship = /vessel(\d+)x/.exec(question)?.[1];
    expect(result.data.answer).toContain(`pier ${Number(ship) % 17}`);
    expect(result.data.answer).toMatch(/\[1\]/);
    expect(result.data.sources[0].row_key).toBe(`ships/${ship}.md`);
  }
  expect(refused.length).toBeLessThan(answers.length / 2);
});
