import { startModelServer } from '@teammemory/testkit/model-server.ts';
import { afterAll, expect, test } from 'vitest';
import { item } from './support/http/api.ts';
import { newTeam } from './support/http/key-holder.ts';
import { type Agent, connectAgent, eras, type ToolResult } from './support/mcp/agent.ts';
import { readFrames } from './support/mcp/frames.ts';
import { sharedService } from './support/service/shared-service.ts';

const model = await startModelServer((reply) => {
  reply.text('The ferry leaves at nine [1].');
  reply.finish({ prompt_tokens: 1, completion_tokens: 1 });
});
const service = sharedService({
  environment: {
    OPENAI_API_KEY: 'sk-loop',
    OPENAI_BASE_URL: model.baseUrl,
    OPENAI_MODEL: 'writer',
    MODEL_PRICES: '{"writer":{"input":0,"output":0}}',
  },
});
afterAll(() => model.stop());

/** A call that a model wants to make. */
interface WantedCall {
  tool: string;
  input: Record<string, unknown>;
}

/** What a model has seen so far: its calls and the texts that came back. */
type Conversation = { call: WantedCall; result: ToolResult }[];

/** Decides what to do next from what was seen; undefined when the work is done. */
type ScriptedModel = (seen: Conversation) => WantedCall | undefined;

/** Longer than any script here; a model that goes round in circles stops. */
const maxCalls = 12;

/** Runs a model with the tools until it is done, as the loop of an agent does; `before` is told of each call. */
async function runAgent(
  agent: Agent,
  decide: ScriptedModel,
  before: (call: WantedCall) => Promise<void>,
): Promise<Conversation> {
  const seen: Conversation = [];
  for (let call = decide(seen); call !== undefined; call = decide(seen)) {
    if (seen.length === maxCalls) throw new Error(`no end: ${toolsOf(seen).join(' ')}`);
    await before(call);
    seen.push({ call, result: await agent.call(call.tool, call.input) });
  }
  return seen;
}

const toolsOf = (seen: Conversation) => seen.map(({ call: { tool } }) => tool);

const question = 'When does the ferry leave?';
const learned = 'It waits for the train since March.';

/**
 * A model that was told: find out when the ferry leaves, and note that it waits for the train. It reads the texts of
 * the results, as a model does, and knows nothing but these.
 */
const noteTaker: ScriptedModel = (seen) => {
  const last = seen.at(-1);
  if (last === undefined) return { tool: 'search', input: { query: 'ferry leaves' } };
  const { call, result } = last;
  if (call.tool === 'search') {
    const id = /item "([^"]+)"/.exec(readFrames(result.text).frames[0]?.label ?? '')?.[1];
    return { tool: 'fetch', input: { id } };
  }
  const asked = seen.some(({ call: { tool } }) => tool === 'ask');
  if (call.tool === 'fetch' && !asked) return { tool: 'ask', input: { question } };
  if (call.tool === 'push') {
    if (!result.isError) return undefined;
    // It follows what the error says, whatever that is.
    return /\bfetch\b/i.test(result.text) ? { tool: 'fetch', input: { id: call.input.row_key } } : undefined;
  }
  return writeDown(seen);
};

/** Adds what was learned to the text that was fetched last. */
function writeDown(seen: Conversation): WantedCall {
  const fetched = seen.findLast(({ call: { tool } }) => tool === 'fetch');
  const text = fetched?.result.text ?? '';
  const content = `${readFrames(text).frames[0]?.text}\n\n${learned}\n`;
  const base_checksum = /^checksum (sha256:[0-9a-f]{64})$/m.exec(text)?.[1];
  return { tool: 'push', input: { row_key: fetched?.call.input.id, content, base_checksum } };
}

test.for(eras)(
  'an agent of revision %s whose item is edited meanwhile learns of it, puts both edits together and loses nothing',
  async (revision) => {
    const clients = await newTeam(service());
    const id = 'harbour/ferry.md';
    const original = '# Ferry\n\nThe ferry leaves at nine.';
    const edited = `${original}\n\nOn Sundays it leaves at ten.`;
    const frontmatter = { title: 'The ferry' };
    await clients.team.push(item(id, original, { frontmatter, tier: 'external' }));
    const agent = await connectAgent(service(), clients, clients.teamKey, { revision });

    let pushes = 0;
    const seen = await runAgent(agent, noteTaker, async ({ tool }) => {
      if (tool !== 'push') return;
      pushes += 1;
      // Somebody else is faster, once.
      if (pushes === 1) await clients.team.push(item(id, edited, { frontmatter, tier: 'external' }));
    });

    expect(toolsOf(seen)).toEqual(['search', 'fetch', 'ask', 'push', 'fetch', 'push']);
    expect(seen.map(({ result }) => result.isError)).toEqual([false, false, false, true, false, false]);
    expect(seen[2]?.result).toMatchObject({ data: { answer: 'The ferry leaves at nine [1].' } });
    const { body } = await clients.team.call(`/items/${encodeURIComponent(id)}`);
    const merged = `${edited}\n\n${learned}\n`;
    expect(body).toMatchObject({ content: merged, title: 'The ferry', tier: 'external', frontmatter });
    expect(body.checksum).toBe(item('', merged).checksum);
    const { versions } = (await clients.team.call(`/items/${encodeURIComponent(id)}/versions`)).body;
    expect(versions).toHaveLength(3);
    await agent.close();
  },
);

test('an agent that creates what is there already is told so, and overwrites nothing', async () => {
  const clients = await newTeam(service());
  await clients.team.push(item('ferry.md', 'The ferry leaves at nine.'));
  const agent = await connectAgent(service(), clients, clients.teamKey);
  const create = { tool: 'push', input: { row_key: 'ferry.md', content: learned, base_checksum: null } };
  const seen = await runAgent(
    agent,
    (so) => (so.length === 0 ? create : noteTaker(so)),
    async () => undefined,
  );
  expect(toolsOf(seen)).toEqual(['push', 'fetch', 'ask', 'push']);
  expect((await clients.team.rows())[0]).toMatchObject({
    content: `The ferry leaves at nine.\n\n${learned}\n`,
  });
  await agent.close();
});
