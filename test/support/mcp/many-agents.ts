import type { RunningService, Team } from '../service/running-service.ts';
import { connectAgent, type ToolResult } from './agent.ts';

/** A question and what the tool `ask` gave for it. */
export interface AgentAnswer {
  question: string;
  result: ToolResult;
}

/** Connects many agents with one key each of the same team, of which each asks one question after the other. */
export async function askAsManyAgents(
  service: Pick<RunningService, 'url'>,
  team: Team,
  { agents, questionsEach }: { agents: number; questionsEach: number },
  questionOf: (agent: number, asked: number) => string,
): Promise<AgentAnswer[]> {
  const keys = await Promise.all(Array.from({ length: agents }, () => team.newKey('team')));
  const connected = await Promise.all(keys.map((key) => connectAgent(service, team, key)));
  const answers = await Promise.all(
    connected.map(async (agent, number) => {
      const given: AgentAnswer[] = [];
      for (let asked = 0; asked < questionsEach; asked += 1) {
        const question = questionOf(number, asked);
        given.push({ question, result: await agent.call('ask', { question }) });
      }
      await agent.close();
      return given;
    }),
  );
  return answers.flat();
}
