import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { type ModelScript, startModelServer } from '@teammemory/testkit/model-server.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { item } from './support/http/api.ts';
import { newTeam, type TeamClients } from './support/http/key-holder.ts';
import { type Agent, column, connectAgent, eras, revisions } from './support/mcp/agent.ts';
import { asAdministrator } from './support/service/as-administrator.ts';
import { sharedService } from './support/service/shared-service.ts';

const answering: ModelScript = (reply) => {
  reply.text('The ferry leaves at nine [1].');
  reply.finish({ prompt_tokens: 1, completion_tokens: 1 });
};
const model = await startModelServer(answering);
const service = sharedService({
  environment: {
    OPENAI_API_KEY: 'sk-clients',
    OPENAI_BASE_URL: model.baseUrl,
    OPENAI_MODEL: 'writer',
    MODEL_PRICES: '{"writer":{"input":0,"output":0}}',
  },
});
afterAll(() => model.stop());

const question = 'When does the ferry leave?';
/** 60,000 characters below three headings. */
const handbook = ['Mooring', 'Loading', 'Leaving']
  .map((heading) => `# ${heading}\n\n${`The ${heading} 🚢 is done with care.\n`.repeat(600)}`)
  .join('\n');

let clients: TeamClients;
let decisionId: string;
beforeAll(async () => {
  clients = await newTeam(service());
  await clients.team.push(
    item('ferry.md', '# Ferry\n\nThe ferry leaves at nine.', { frontmatter: { title: 'The ferry' } }),
    item('mill.md', 'The mill grinds.', { tier: 'external' }),
    item('handbook.md', handbook),
    item('notes with space/ärger #1.md', 'Odd names are names, too.'),
    item(
      'todo.md',
      '- [ ] paint the ferry @ada due:2026-03-01 +harbour\n- [ ] grind @bob\n- [x] moor @ada\n',
    ),
  );
  decisionId = await asAdministrator(service(), async (admin) => {
    const decision = { title: 'Leave at nine', body: 'Because of the tide.', audience: 'team' } as const;
    return (await admin.decisions(clients.slug).create(decision)).decision_id;
  });
  await clients.team.ask(question);
});

describe.for(eras)('the official client, revision %s', (revision) => {
  const isNewest = revision === '2026-07-28';
  let agent: Agent;
  beforeAll(async () => {
    // Each era names the team in another way.
    const teamIn = isNewest ? 'header' : 'path';
    agent = await connectAgent(service(), clients, clients.teamKey, { revision, teamIn });
  });
  beforeEach(() => {
    model.script = answering;
    model.requests.length = 0;
  });
  afterAll(() => agent.close());
  const ownName = (name: string) => `${name}-${isNewest ? 'newest' : 'older'}.md`;
  const uriOf = (rowKey: string) => `tms://${clients.slug}/${rowKey}`;

  test('connects, and learns who serves', () => {
    expect(agent.client.getNegotiatedProtocolVersion()).toBe(revision);
    expect(agent.client.getServerVersion()).toMatchObject({
      name: expect.any(String),
      version: expect.any(String),
    });
    expect(agent.client.getServerCapabilities()).toMatchObject({ tools: {}, resources: {}, prompts: {} });
  });

  test('lists six tools, whose annotations say what they do', async () => {
    const { tools } = await agent.client.listTools();
    const hints = tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint]);
    expect(Object.fromEntries(hints)).toEqual({
      search: true,
      fetch: true,
      ask: true,
      changes: true,
      tasks: true,
      push: false,
    });
    expect(tools.every(({ outputSchema }) => outputSchema?.type === 'object')).toBe(true);
  });

  test('search finds the passages of GET /search', async () => {
    const { data, text, isError } = await agent.call('search', {
      query: 'when does the ferry leave',
      limit: 5,
    });
    const { body } = await clients.team.call('/search?q=when%20does%20the%20ferry%20leave&limit=5');
    expect(isError).toBe(false);
    expect(column(data.passages, 'row_key')).toEqual(column(body.passages, 'row_key'));
    for (const field of ['title', 'text', 'score', 'tier', 'date']) {
      expect(column(data.passages, field)).toEqual(column(body.passages, field));
    }
    expect(data.passages[0]).toMatchObject({ row_key: 'ferry.md', tier: 'team', kind: 'item' });
    expect(text).toContain('The ferry leaves at nine.');
  });

  test('fetch reads an item by its id or URI, a section of it, and a long one in parts', async () => {
    const { body } = await clients.team.call('/items/ferry.md');
    for (const id of ['ferry.md', uriOf('ferry.md')]) {
      const { data } = await agent.call('fetch', { id });
      expect(data).toMatchObject({
        id: 'ferry.md',
        text: body.content,
        checksum: body.checksum,
        title: 'The ferry',
      });
    }
    const section = (await agent.call('fetch', { id: 'handbook.md', heading: 'loading' })).data;
    expect(section.text).toMatch(/^# Loading\n/);
    expect(section.text).not.toContain('Mooring');
    let read = '';
    for (let offset: number | null = 0, parts = 0; offset !== null; parts += 1) {
      const { data } = await agent.call('fetch', { id: 'handbook.md', offset });
      read += data.text;
      offset = data.next_offset;
      expect(parts).toBeLessThan(10);
    }
    expect(read).toBe(handbook);
  });

  test('fetch reads a decision and a task by the ids that the other tools give', async () => {
    const decision = await agent.call('fetch', { id: `decisions/${decisionId}` });
    expect(decision.data).toMatchObject({
      kind: 'decision',
      title: 'Leave at nine',
      text: 'Because of the tide.',
    });
    const [task] = (await agent.call('tasks', { owner: 'bob' })).data.tasks;
    expect((await agent.call('fetch', { id: task.id })).data).toMatchObject({
      kind: 'task',
      title: task.title,
    });
  });

  test('ask answers with what it rests on, as links that can be read', async () => {
    const { data, links, text } = await agent.call('ask', { question });
    expect(data.answer).toBe('The ferry leaves at nine [1].');
    expect(data.sources[0]).toMatchObject({ row_key: 'ferry.md', title: 'The ferry', tier: 'team' });
    expect(text).toContain('ferry.md');
    for (const uri of links) {
      const { contents } = await agent.client.readResource({ uri });
      expect(contents).toMatchObject([{ uri, text: expect.any(String) }]);
    }
    expect(links[0]).toBe(uriOf('ferry.md'));
  });

  test('changes lists what is new since a cursor, and the cursor goes on from there', async () => {
    const before = (await agent.call('changes', { since: '1d', limit: 200 })).data;
    expect(column(before.changes, 'id')).toContain('ferry.md');
    await clients.team.push(item(ownName('new'), 'Something new.'));
    await clients.team.remove(ownName('new'));
    await clients.team.push(item(ownName('newer'), 'Something newer.'));
    const after = (await agent.call('changes', { cursor: before.next_cursor })).data;
    expect(after.changes).toMatchObject([
      { id: ownName('new'), removed: true },
      { id: ownName('newer'), removed: false, updated_by: 'ada' },
    ]);
    expect((await agent.call('changes', { cursor: after.next_cursor })).data.changes).toEqual([]);
    const decisions = (await agent.call('changes', { list: 'decisions', since: '1d' })).data.changes;
    expect(decisions).toMatchObject([{ id: `decisions/${decisionId}` }]);
  });

  test('tasks lists the open ones that fit', async () => {
    const titles = async (input: object) =>
      column((await agent.call('tasks', { ...input })).data.tasks, 'title');
    expect((await titles({})).toSorted()).toEqual(['grind', 'paint the ferry']);
    expect(await titles({ owner: 'ada' })).toEqual(['paint the ferry']);
    expect(await titles({ owner: 'ada', status: 'done' })).toEqual(['moor']);
    expect(await titles({ due_by: '2026-02-28' })).toEqual([]);
    expect(await titles({ due_by: '2026-03-01', project: 'harbour' })).toEqual(['paint the ferry']);
  });

  test('push creates an item, replaces it, and tells what to do when somebody was faster', async () => {
    const row_key = ownName('pushed');
    const push = (content: string, base_checksum: string | null, more = {}) =>
      agent.call('push', { row_key, content, base_checksum, ...more });
    const created = (await push('one', null, { frontmatter: { title: 'Pushed' } })).data;
    expect(created).toMatchObject({ row_key, checksum: item('', 'one').checksum, created: true });
    expect((await push('two', created.checksum)).data).toMatchObject({ created: false });
    const { body } = await clients.team.call(`/items/${row_key}`);
    expect(body).toMatchObject({ content: 'two', title: 'Pushed', tier: 'team', updated_by: 'ada' });
    for (const [content, base] of [
      ['three', created.checksum],
      ['three', null],
    ] as const) {
      const refused = await push(content, base);
      expect(refused).toMatchObject({ isError: true, text: expect.stringMatching(/fetch/i) });
    }
    expect((await clients.team.call(`/items/${row_key}`)).body.content).toBe('two');
  });

  test('resources are the items, and each can be read by its URI', async () => {
    const [brief, ...resources] = (await agent.client.listResources()).resources;
    expect(brief).toMatchObject({ uri: 'memory://brief' });
    const rowKeys = (await clients.team.rows('?limit=200')).map(({ row_key }) => row_key);
    expect(resources.map(({ uri }) => decodeURIComponent(uri)).toSorted()).toEqual(
      rowKeys.map(uriOf).toSorted(),
    );
    for (const { uri } of resources) {
      const { contents } = await agent.client.readResource({ uri });
      const rowKey = decodeURIComponent(uri).slice(uriOf('').length);
      const { body } = await clients.team.call(`/items/${encodeURIComponent(rowKey)}`);
      expect(contents).toMatchObject([{ uri, mimeType: 'text/markdown' }]);
      expect((contents[0] as { text: string }).text).toContain(body.content);
    }
  });

  test('templates say how URIs are made, and their variable is completed', async () => {
    const { resourceTemplates } = await agent.client.listResourceTemplates();
    const template = resourceTemplates.find(({ uriTemplate }) => /row_key/.test(uriTemplate));
    const { completion } = await agent.client.complete({
      ref: { type: 'ref/resource', uri: template?.uriTemplate ?? '' },
      argument: { name: 'row_key', value: 'hand' },
    });
    expect(completion.values).toEqual(['handbook.md']);
  });

  test('prompts are listed, and filled with what the memory says', async () => {
    const { prompts } = await agent.client.listPrompts();
    expect(prompts.map(({ name }) => name).toSorted()).toEqual(['before-you-start', 'brief', 'catch-up']);
    const text = async (name: string, input: Record<string, string>) => {
      const { messages } = await agent.client.getPrompt({ name, arguments: input });
      return messages.map(({ content }) => (content.type === 'text' ? content.text : '')).join('\n');
    };
    expect(await text('catch-up', { since: '1d' })).toContain('ferry.md');
    const started = await text('before-you-start', { task: 'Change when the ferry leaves' });
    expect(started).toContain('Change when the ferry leaves');
    expect(started).toContain('The ferry leaves at nine.');
  });

  test('an id or URI of nothing is an error that says so', async () => {
    expect(await agent.call('fetch', { id: 'absent.md' })).toMatchObject({ isError: true, text: /not|no / });
    const error = await agent.client.readResource({ uri: uriOf('absent.md') }).then(
      () => undefined,
      (reason) => reason,
    );
    expect(String(error)).toMatch(/no such resource/);
  });

  test('while an answer is written, the client hears how far it is', async () => {
    model.script = async (reply) => {
      // Of words that come soon after others, as they do on a busy machine, nothing is heard.
      for (const word of ['The ', 'ferry ', 'leaves ', 'at ', 'nine ', '[1].']) {
        reply.text(word);
        await delay(300);
      }
      reply.finish({ prompt_tokens: 1, completion_tokens: 1 });
    };
    const heard: number[] = [];
    const { data } = await agent.call(
      'ask',
      { question },
      { onprogress: ({ progress }) => heard.push(progress) },
    );
    expect(data.answer).toBe('The ferry leaves at nine [1].');
    expect(heard.length).toBeGreaterThan(1);
    expect(heard).toEqual(heard.toSorted((left, right) => left - right));
  });

  test('who gives up ends the call of the model', async () => {
    const ended = Promise.withResolvers<void>();
    model.script = async (reply) => {
      reply.text('The ferry leaves ');
      await reply.closed;
      ended.resolve();
    };
    // A client of 2025 tells of it in a request of its own, which without a session nothing connects with the call: it
    // ends the call by going away.
    const leaving = await connectAgent(service(), clients, clients.teamKey, { revision });
    const abort = new AbortController();
    const asked = leaving.call('ask', { question }, { signal: abort.signal }).catch((error) => error);
    await eventually('the model is asked', () => model.requests.length > 0);
    abort.abort();
    if (!isNewest) await leaving.close();
    await ended.promise;
    expect(await asked).toBeInstanceOf(Error);
    await leaving.close();
  });
});

describe('subscriptions', () => {
  const open: Agent[] = [];
  afterEach(async () => {
    for (const agent of open.splice(0)) await agent.close();
  });

  /** What an agent hears while it listens. */
  async function listening(key: string, filter: Parameters<Agent['client']['listen']>[0]) {
    const agent = await connectAgent(service(), clients, key);
    open.push(agent);
    const heard: string[] = [];
    agent.client.setNotificationHandler(
      'notifications/resources/updated',
      ({ params }) => void heard.push(params.uri),
    );
    agent.client.setNotificationHandler(
      'notifications/resources/list_changed',
      () => void heard.push('list'),
    );
    const subscription = await agent.client.listen(filter);
    return { heard, subscription };
  }

  test('an item that is edited through /api/v1 is told to who listens for it, and to nobody else', async () => {
    const uri = (rowKey: string) => `tms://${clients.slug}/${rowKey}`;
    await clients.team.push(item('watched.md', '1'), item('other.md', '1'));
    const first = await listening(clients.teamKey, { resourceSubscriptions: [uri('watched.md')] });
    const second = await listening(clients.teamKey, { resourceSubscriptions: [uri('other.md')] });
    await clients.team.push(item('watched.md', '2'));
    await eventually('the edit is told', () => first.heard.length > 0);
    await clients.team.push(item('other.md', '2'));
    await eventually('the edit is told', () => second.heard.length > 0);
    expect([new Set(first.heard), new Set(second.heard)]).toEqual([
      new Set([uri('watched.md')]),
      new Set([uri('other.md')]),
    ]);
    await first.subscription.close();
  });

  test('a new item is told to who listens for the list', async () => {
    const { heard, subscription } = await listening(clients.teamKey, { resourcesListChanged: true });
    await clients.team.push(item('brand-new.md', '1'));
    await eventually('the list is said to have changed', () => heard.includes('list'));
    await subscription.close();
  });

  test('an external key hears nothing of items that it does not see', async () => {
    const uri = (rowKey: string) => `tms://${clients.slug}/${rowKey}`;
    await clients.team.push(item('hidden.md', '1'), item('shown.md', '1', { tier: 'external' }));
    const filter = {
      resourceSubscriptions: ['hidden.md', 'shown.md', 'absent.md'].map(uri),
      resourcesListChanged: true,
    };
    const { heard } = await listening(clients.externalKey, filter);
    await clients.team.push(item('hidden.md', '2'), item('hidden-2.md', '1'));
    await clients.team.push(item('shown.md', '2', { tier: 'external' }));
    await eventually('what it sees is told', () => heard.includes(uri('shown.md')));
    expect(heard).not.toContain(uri('hidden.md'));

    // It is told when an item leaves its sight, and nothing that happens to it there.
    const times = () => heard.filter((told) => told === uri('shown.md')).length;
    const before = times();
    await clients.team.push(item('shown.md', '3'));
    await eventually('its withdrawal is told', () => times() > before);
    const withdrawn = times();
    await clients.team.push(item('shown.md', '4'));
    await clients.team.remove('shown.md');
    heard.length = 0;
    await clients.team.push(item('last.md', '1', { tier: 'external' }));
    await eventually('what it sees is told', () => heard.includes('list'));
    expect([withdrawn - before, times()]).toEqual([1, 0]);
  });
});

test.for(revisions)('a client of revision %s gets an answer', async (revision) => {
  const agent = await connectAgent(service(), clients, clients.teamKey, { revision });
  expect((await agent.call('search', { query: 'ferry' })).data.passages).not.toEqual([]);
  await agent.close();
});
