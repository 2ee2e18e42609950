import { type Agent, type AgentOptions, connectAgent } from '../mcp/agent.ts';
import type { RunningService } from '../service/running-service.ts';
import { listQuestions, type Names } from './walk-api.ts';

const lists = ['items', 'decisions', 'tasks'] as const;
const statuses = ['open', 'done', 'cancelled'] as const;
const oddQuestions = ['What does the vault hold? What was it about at first?', 'When?', ' '];

/** All that an agent with this key received: status, headers and body of each answer, in order. */
export type Transcript = string[];

/** Whose agent walks. */
export interface Walker {
  service: Pick<RunningService, 'url'>;
  team: { slug: string };
  key: string;
}

/**
 * All that an agent can ask for: every tool with every argument, every resource, template, completion and prompt,
 * every cursor and error, in the same order each time. `slug` is the team whose URIs it tries.
 */
export async function walkMcp(walker: Walker, names: Names, slug = walker.team.slug): Promise<Transcript> {
  const { agent, transcript } = await recordedAgent(walker);
  await walkTools(agent, names, slug);
  await walkResources(agent, names, slug);
  await walkPrompts(agent, names);
  await agent.close();
  return transcript;
}

/** Connects an agent whose answers are kept. */
export async function recordedAgent(
  { service, team, key }: Walker,
  options: AgentOptions = {},
): Promise<{ agent: Agent; transcript: Transcript }> {
  const transcript: Transcript = [];
  const recording: typeof fetch = async (...request) => {
    const response = await fetch(...request);
    const text = await response.text();
    const headers = [...response.headers].filter(([name]) => name !== 'content-length');
    transcript.push(`${response.status} ${JSON.stringify(headers)} ${text}`);
    const body = [101, 204, 304].includes(response.status) ? null : text;
    return new Response(body, { status: response.status, headers: response.headers });
  };
  return { agent: await connectAgent(service, team, key, { ...options, fetch: recording }), transcript };
}

async function walkTools(agent: Agent, { words, rowKeys, items, rowIds, cursors }: Names, slug: string) {
  const misspelt = words
    .map((word) => word.slice(0, -2))
    .join(' ')
    .slice(0, 3_900);
  const questions = [
    ...words.map((word) => `What about ${word}?`),
    ...listQuestions,
    ...oddQuestions,
    misspelt,
  ];
  for (const query of questions) {
    await agent.call('search', { query, limit: 25 });
    await agent.call('ask', { question: query });
  }
  for (const list of lists) {
    let { data } = await agent.call('changes', { list, since: '1970-01-01', limit: 1 });
    while (data?.has_more) ({ data } = await agent.call('changes', { cursor: data.next_cursor, limit: 1 }));
    for (const since of ['9999-01-01', 'yesterday', '1w']) await agent.call('changes', { list, since });
    for (const cursor of cursors) await agent.call('changes', { cursor: `${list}:${cursor}` });
  }
  let { data: all } = await agent.call('changes', { since: '1970-01-01', limit: 1 });
  while (all?.has_more) ({ data: all } = await agent.call('changes', { cursor: all.next_cursor, limit: 1 }));
  for (const status of statuses) {
    const filters = [
      {},
      { owner: 'me' },
      { due_by: '2999-12-31' },
      ...words.flatMap((word) => [{ owner: word }, { project: word }]),
    ];
    for (const filter of filters) {
      const { data } = await agent.call('tasks', { status, ...filter });
      if (data?.has_more) await agent.call('tasks', { status, ...filter, cursor: data.next_cursor });
    }
  }
  for (const cursor of cursors) await agent.call('tasks', { cursor });
  const byId = rowIds.flatMap((id) => [`tasks/${id}`, `decisions/${id}`]);
  for (const id of byId) await agent.call('fetch', { id });
  for (const id of [...items, ...rowKeys]) {
    for (const spelling of [id, `tms://${slug}/${id}`]) await agent.call('fetch', { id: spelling });
    await agent.call('fetch', { id, heading: 'a', offset: 3 });
    const base_checksum = `sha256:${'0'.repeat(64)}`;
    await agent.call('push', { row_key: id, content: 'x', base_checksum });
    for (const way of [
      { append: 'x' },
      { replace: { old: 'e', new: 'x' } },
      { move_to: 'x' },
      { remove: true },
    ]) {
      await agent.call('push', { row_key: id, ...way, base_checksum });
    }
    await agent.call('push', { row_key: id, replace: { old: 'no such words', new: 'x' } });
  }
}

async function walkResources(
  { client }: Agent,
  { words, rowKeys, items, rowIds, cursors }: Names,
  slug: string,
) {
  const { resources } = await client.listResources();
  const { resourceTemplates } = await client.listResourceTemplates();
  for (const cursor of cursors) await failing(client.listResources({ cursor }));
  const named = [...rowKeys, ...items, ...rowIds.map((id) => `decisions/${id}`)].map(
    (rowKey) => `tms://${slug}/${rowKey}`,
  );
  for (const uri of [...resources.map(({ uri }) => uri), ...named])
    await failing(client.readResource({ uri }));
  for (const { uriTemplate: uri } of resourceTemplates) {
    for (const [, name = ''] of uri.matchAll(/\{[+/#?]?(\w+)\}/g)) {
      for (const value of ['', 'o', 'p', 'projects/', ...rowKeys.map((key) => key.slice(0, 3)), ...words]) {
        await failing(client.complete({ ref: { type: 'ref/resource', uri }, argument: { name, value } }));
      }
    }
  }
}

async function walkPrompts({ client }: Agent, { words }: Names) {
  const { prompts } = await client.listPrompts();
  for (const { name, arguments: declared = [] } of prompts) {
    await failing(client.getPrompt({ name }));
    for (const word of ['1970-01-01', '9999-01-01', 'the ferry', ...words]) {
      const given = declared.map((argument) => [argument.name, word]);
      await failing(client.getPrompt({ name, arguments: Object.fromEntries(given) }));
    }
    for (const argument of declared) {
      const ref = { type: 'ref/prompt', name } as const;
      await failing(client.complete({ ref, argument: { name: argument.name, value: '' } }));
    }
  }
}

/** What is refused is in the transcript, too. */
async function failing(request: Promise<unknown>): Promise<void> {
  await request.catch(() => undefined);
}

const varying = {
  // Drawn anew for each result, so that no text can close its frame.
  mark: /=== [0-9a-f]{12}/g,
  uuid: /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g,
  time: /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z/g,
  cursor: /(?<=(items|tasks|decisions):|next_?cursor\\?":\s*\\?"|cursor )[\w.-]{12,}/gi,
  team: /team-[0-9a-f]{8}/g,
  date: /(?<="date",")[^"]+/g,
  id: /(?<="id":)\d+/g,
  seconds: /(?<=;t=|"retry-after",")\d+/g,
  left: /(?<=(?:questions|mcp-messages)\\";r=)\d+/g,
};

/** A transcript in which what differs between any two walks is named only. */
export function comparable(transcript: Transcript): string[] {
  return transcript.map((answer) =>
    Object.entries(varying).reduce((kept, [name, form]) => kept.replace(form, `<${name}>`), answer),
  );
}
