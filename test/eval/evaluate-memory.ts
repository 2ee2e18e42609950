import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { createTeamMemoryClient, type TeamMemoryClient } from '@teammemory/client/team-memory-client.ts';
import { temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import { asAdministrator } from '../support/service/as-administrator.ts';
import { runToEnd } from '../support/service/run-program.ts';
import { type RunningService, startService } from '../support/service/running-service.ts';
import { judge, type MemoryRows, type TeamMemory, type Verdict } from './team-memory.ts';

/** The first question after a large push waits for the index. */
const answerTimeoutMs = 120_000;

/**
 * Starts a service, gives each memory a team of its own, pushed by the command
 * line as its users do, and asks its questions one after the other.
 */
export async function evaluateMemories(
  memories: readonly TeamMemory[],
  progress: (line: string) => void,
): Promise<{ memory: string; verdicts: Verdict[] }[]> {
  const service = await startService({
    environment: { ITEM_WRITES_PER_MINUTE: '1000000', QUESTIONS_PER_MINUTE: '1000000' },
  });
  try {
    const evaluated: { memory: string; verdicts: Verdict[] }[] = [];
    for (const memory of memories) {
      progress(`${memory.name}: pushing`);
      evaluated.push({ memory: memory.name, verdicts: await evaluateMemory(service, memory) });
      progress(`${memory.name}: asked ${memory.questions.length} questions`);
    }
    return evaluated;
  } finally {
    await service.remove();
  }
}

async function evaluateMemory(service: RunningService, memory: TeamMemory): Promise<Verdict[]> {
  const { slug, teamKey } = await service.createTeam();
  await pushFolder(service, memory.items, { TMS_TEAM: slug, TMS_KEY: teamKey });
  const refOf = await createRows(service, slug, memory.rows);
  const api = createTeamMemoryClient({
    url: service.url,
    key: teamKey,
    team: slug,
    timeoutMs: answerTimeoutMs,
  });
  const verdicts: Verdict[] = [];
  for (const question of memory.questions) {
    const { text, sources } = await answerTo(api, question.text);
    verdicts.push(
      judge(
        question,
        text,
        sources.map((rowKey) => refOf.get(rowKey) ?? rowKey),
      ),
    );
  }
  return verdicts;
}

/** Pushes a copy: what a push remembers beside the files must not stay in the repository. */
async function pushFolder(
  service: RunningService,
  folder: string,
  access: { TMS_TEAM: string; TMS_KEY: string },
): Promise<void> {
  const copy = await temporaryDirectory();
  try {
    await cp(folder, copy.path, { recursive: true });
    const program = join(import.meta.dirname, '../../libs/cli/src/main.ts');
    const environment = { ...access, TMS_URL: service.url, HOME: copy.path, PATH: process.env.PATH ?? '' };
    const { code, stderr } = await runToEnd(process.execPath, [program, 'push', copy.path], environment);
    if (code !== 0) throw new Error(`${folder} could not be pushed: ${stderr}`);
  } finally {
    await copy.remove();
  }
}

/** Makes decisions and projects; returns the name that the questions have for a decision, by what answers call it. */
function createRows(
  service: RunningService,
  team: string,
  { decisions, projects }: MemoryRows,
): Promise<Map<string, string>> {
  return asAdministrator(service, async (admin) => {
    const refOf = new Map<string, string>();
    for (const { ref, project, decided_on: decidedOn, ...decision } of decisions) {
      const { decision_id: decisionId } = await admin.createDecision({
        ...decision,
        ...(project && { project }),
        ...(decidedOn && { decidedOn }),
        team,
      });
      refOf.set(`decisions/${decisionId}`, `decisions/${ref}`);
    }
    for (const project of projects) await admin.createProject({ ...project, team });
    return refOf;
  });
}

async function answerTo(
  api: TeamMemoryClient,
  question: string,
): Promise<{ text: string; sources: string[] }> {
  let text = '';
  let sources: string[] = [];
  for await (const event of api.ask(question)) {
    if (event.type === 'delta') text += event.text;
    else sources = event.sources.map(({ row_key }) => row_key);
  }
  return { text, sources };
}
