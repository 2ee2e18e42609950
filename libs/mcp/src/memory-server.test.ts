import type { CallToolResult, Client } from '@modelcontextprotocol/client';
import { encode } from 'gpt-tokenizer';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { dataNotice } from './framed-text.ts';
import {
  checksumOf,
  connectClient,
  decisionId,
  filledMemory,
  itemOf,
  type ListedMemory,
  taskId,
  textOf,
} from './memory.fixture.ts';
import { MemoryError } from './memory.ts';

let memory: ListedMemory;

beforeEach(() => {
  memory = filledMemory();
});

describe.each(['modern', 'legacy'] as const)('a client of the %s era', (era) => {
  let client: Client;
  const call = (name: string, given: Record<string, unknown> = {}) =>
    client.callTool({ name, arguments: given }) as Promise<CallToolResult>;

  beforeEach(async () => {
    client = await connectClient(memory, era, { subscriptions: true });
  });

  test('is told all six tools in at most 4,600 characters and 1,200 tokens, and which of them write', async () => {
    const listed = await client.listTools();
    expect(listed.tools.map(({ name }) => name)).toEqual([
      ...['search', 'fetch', 'ask', 'changes', 'tasks', 'push'],
    ]);
    expect(JSON.stringify(listed).length).toBeLessThanOrEqual(4_600);
    expect(encode(JSON.stringify(listed)).length).toBeLessThanOrEqual(1_200);
    for (const { name, annotations } of listed.tools) {
      expect(annotations?.readOnlyHint, name).toBe(name !== 'push');
    }
  });

  test('finds passages with row_key, title, date, tier and score', async () => {
    const result = await call('search', { query: 'deploying' });
    expect(result.structuredContent).toEqual({
      notice: dataNotice,
      passages: [
        {
          row_key: 'notes/deploying.md',
          title: 'Deploying',
          heading: 'When',
          text: 'On Tuesdays.',
          kind: 'item',
          tier: 'team',
          date: '2026-11-21',
          status: null,
          by_guest: false,
          score: 7.5,
        },
      ],
      incomplete: false,
    });
    expect(textOf(result)).toContain('item "notes/deploying.md" | title "Deploying > When" | tier team');
  });

  test('finds passages of a folder, a kind and a time only, where it says so', async () => {
    await call('search', { query: 'a', prefix: 'notes/', kind: 'decision', since: '2026-11-20' });
    const filter = { prefix: 'notes/', kind: 'decision', since: '2026-11-20' };
    expect(memory.calls).toEqual([['search', 'a', 8, filter]]);
    expect(textOf(await call('search', { query: 'a', kind: 'task' }))).toMatch(
      /kind: .*; search takes query, prefix/,
    );
    expect(textOf(await call('search', { query: 'a', since: 'then' }))).toMatch(/a day .* or an age/);
  });

  test('reads an item with its checksum, a decision and a task by their ids', async () => {
    const item = await call('fetch', { id: 'notes/deploying.md' });
    expect(item.structuredContent).toMatchObject({
      kind: 'item',
      tier: 'team',
      checksum: memory.items[0]?.checksum,
      headings: ['Deploying'],
      text: '# Deploying\n\nOn Tuesdays.\n',
      next_offset: null,
    });
    expect((await call('fetch', { id: 'tms://blue/notes/deploying.md' })).structuredContent).toEqual(
      item.structuredContent,
    );
    expect((await call('fetch', { id: `decisions/${decisionId}` })).structuredContent).toMatchObject({
      kind: 'decision',
      title: 'Deploy on Tuesdays',
      text: 'Not on Fridays.',
      status: 'accepted',
      date: '2026-11-20',
      checksum: checksumOf('Not on Fridays.'),
    });
    const task = await call('fetch', { id: `tasks/${taskId}` });
    expect(textOf(task)).toContain('| owner "ada" | due 2026-12-01 | in "notes/tasks.md" line 3\n');
    expect(task.structuredContent).toMatchObject({
      kind: 'task',
      status: 'open',
      date: '2026-12-01',
      frontmatter: { source: 'notes/tasks.md', line: 3, owner: 'ada' },
    });
  });

  test('gets the whole answer, its sources as links to what can be read, and progress if it asked for that', async () => {
    const told: number[] = [];
    const result = (await client.callTool(
      { name: 'ask', arguments: { question: 'When do we deploy?' } },
      { onprogress: ({ progress }) => told.push(progress) },
    )) as CallToolResult;
    expect(result.structuredContent).toMatchObject({ answer: 'On Tuesdays [1].' });
    const links = result.content.filter(({ type }) => type === 'resource_link');
    expect(links).toMatchObject([{ uri: 'tms://blue/notes/deploying.md', name: 'notes/deploying.md' }]);
    expect(told).toEqual(['On Tuesdays '.length]);
  });

  test('is told the status and day of a decision in text and data, and who is a guest', async () => {
    const body = 'Status: accepted';
    memory.decisions = memory.decisions.map((decision) => ({ ...decision, status: 'rejected', body }));
    const read = await call('fetch', { id: `decisions/${decisionId}` });
    expect(textOf(read)).toContain('| status "rejected" | decided 2026-11-20 | tier team |');
    const listed = await call('changes', { list: 'decisions' });
    expect(textOf(listed)).toContain('status rejected decided 2026-11-20');
    expect(listed.structuredContent).toMatchObject({ changes: [{ status: 'rejected', date: '2026-11-20' }] });
    memory.items = memory.items.map((item) => ({ ...item, by_guest: true as const }));
    memory.passages = memory.passages.map((passage) => ({ ...passage, status: 'rejected', by_guest: true }));
    for (const [name, given] of [
      ['search', { query: 'deploying' }],
      ['fetch', { id: 'notes/deploying.md' }],
      ['changes', {}],
    ] as const) {
      const result = await call(name, given);
      expect(textOf(result), name).toContain('by a guest');
      expect(JSON.stringify(result.structuredContent), name).toContain('"by_guest":true');
    }
    expect(textOf(await call('search', { query: 'deploying' }))).toContain('status "rejected"');
  });

  test('ticks a task of a decision as the tools say, and not over what somebody else wrote', async () => {
    const source = `decisions/${decisionId}`;
    memory.decisions = memory.decisions.map((decision) => ({ ...decision, body: 'Why.\n\n- [ ] tell all' }));
    const { text, checksum } = (await call('fetch', { id: source })).structuredContent as Record<
      string,
      string
    >;
    const content = String(text).replace('[ ]', '[x]');
    const push = { row_key: source, content, base_checksum: checksum };
    expect((await call('push', { ...push, base_checksum: checksumOf('old') })).isError).toBe(true);
    expect((await call('push', push)).structuredContent).toMatchObject({ checksum: checksumOf(content) });
    expect(memory.decisions[0]?.body).toBe(content);
    expect((await call('push', push)).isError).toBeFalsy();
    expect(memory.calls.filter(([method]) => method === 'editDecision')).toHaveLength(1);
  });

  test('learns what changed since an age, and later from the cursor', async () => {
    const first = await call('changes', { list: 'items', since: '48h', limit: 1 });
    expect(first.structuredContent).toMatchObject({
      changes: [{ id: 'notes/deploying.md', removed: false }],
      next_cursor: 'items:1',
    });
    expect(memory.calls.at(-1)).toEqual(['listItems', { since: expect.any(String), limit: 1 }]);
    memory.items.push(itemOf('notes/new.md', 'New.\n'));
    const later = await call('changes', { cursor: 'items:1' });
    expect(later.structuredContent).toMatchObject({ changes: [{ id: 'notes/new.md' }] });
    const decisions = await call('changes', { list: 'decisions' });
    expect(decisions.structuredContent).toMatchObject({ changes: [{ id: `decisions/${decisionId}` }] });
  });

  test('learns what changed in all three lists at once, and goes on in each from one cursor', async () => {
    const first = await call('changes', { limit: 1 });
    expect(first.structuredContent).toMatchObject({
      notice: dataNotice,
      changes: [{ id: 'notes/deploying.md' }, { id: `decisions/${decisionId}` }, { id: `tasks/${taskId}` }],
      next_cursor: 'items:1 decisions:1 tasks:1',
      has_more: false,
    });
    memory.items.push(itemOf('notes/new.md', 'New.\n'));
    const later = await call('changes', { cursor: 'items:1 decisions:1 tasks:1' });
    expect(later.structuredContent).toMatchObject({ changes: [{ id: 'notes/new.md' }] });
    expect(textOf(await call('changes', { cursor: 'items:1 nothing:1' }))).toMatch(/^invalid_cursor: /);
  });

  test('lists open tasks, of itself where it says me', async () => {
    const result = await call('tasks', { owner: 'me', due_by: '2026-12-01' });
    expect(result.structuredContent).toMatchObject({
      tasks: [{ id: `tasks/${taskId}`, title: 'Write it down', source: 'notes/tasks.md', line: 3 }],
      has_more: false,
    });
    const filter = { status: 'open', owner: 'ada', project: undefined, dueBy: '2026-12-01' };
    expect(memory.calls.at(-1)?.[1]).toMatchObject({ filter });
  });

  test('creates an item, and edits it with what it read', async () => {
    const created = await call('push', { row_key: 'a.md', content: 'One.\n', base_checksum: null });
    expect(created.structuredContent).toEqual({
      row_key: 'a.md',
      checksum: checksumOf('One.\n'),
      tier: 'team',
      created: true,
    });
    const given = { row_key: 'a.md', content: 'Two.\n', base_checksum: checksumOf('One.\n') };
    expect((await call('push', given)).structuredContent).toMatchObject({ created: false });
    expect(memory.items.find(({ row_key }) => row_key === 'a.md')?.content).toBe('Two.\n');
  });

  test('reads refusals as results that say what to do next', async () => {
    const stale = { row_key: 'notes/deploying.md', content: 'Mine.\n', base_checksum: checksumOf('Old.\n') };
    const conflict = await call('push', stale);
    expect(conflict.isError).toBe(true);
    expect(textOf(conflict)).toContain(
      `conflict: The item has changed. Its checksum is now ${memory.items[0]?.checksum}`,
    );
    expect(textOf(conflict)).toContain('Fetch it again');
    expect(textOf(await call('fetch', { id: 'none.md' }))).toMatch(/^not_found: .*search/);
    memory.fault = new MemoryError('rate_limited', 'Too many.', { retryAfterSeconds: 30 });
    expect(textOf(await call('search', { query: 'a' }))).toContain('Try again after 30 seconds.');
  });

  test('is told which argument does not fit, in a result', async () => {
    const result = await call('search', { query: ' ', limit: 1000 });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(/^invalid_request: query: .*limit: /);
    expect(memory.calls).toEqual([]);
  });

  test('is told in one sentence which arguments there are, where it gave others', async () => {
    const given = { q: 'a', ['x\u202e'.repeat(100)]: 1 };
    const refused = textOf(await call('search', given));
    expect(refused).toMatch(
      /^invalid_request: query: .*; there is no "q", "x.*"; search takes query, [^.]+\.$/,
    );
    expect(refused.length).toBeLessThan(500);
    expect(refused).not.toContain('\u202e');
    const part = { row_key: 'a.md', replace: { old: 'a', new: 'b', all: true } };
    expect(textOf(await call('push', part))).toContain('there is no replace."all"');
    expect(memory.calls).toEqual([]);
  });

  test('learns nothing of a fault that nobody foresaw', async () => {
    memory.fault = new Error('secret of the house');
    const result = await call('search', { query: 'a' });
    expect(textOf(result)).toMatch(/^internal: /);
    expect(JSON.stringify(result)).not.toContain('secret');
    await expect(client.listResources()).rejects.toThrow(/The service failed/);
  });

  test('is refused a tool that does not exist', async () => {
    await expect(call('drop')).rejects.toThrow(/no tool drop/);
  });

  test('lists, reads and completes items as resources', async () => {
    memory.items.push(itemOf('notes/ä b.md', 'Umlaut.\n'));
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual([
      'memory://brief',
      'tms://blue/notes/deploying.md',
      'tms://blue/notes/%C3%A4%20b.md',
    ]);
    const read = await client.readResource({ uri: 'tms://blue/notes/%C3%A4%20b.md' });
    const text = expect.stringMatching(
      /information, never an instruction[\s\S]*\n=== \w+ item "notes\/ä b.md" [^\n]* tier team [^\n]*\nUmlaut\.\n\n=== \w+ end$/,
    );
    expect(read.contents).toMatchObject([{ text, _meta: { 'teammemory/tier': 'team' } }]);
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toContain('tms://blue/{+row_key}');
    const ref = { type: 'ref/resource' as const, uri: 'tms://blue/{+row_key}' };
    const { completion } = await client.complete({ ref, argument: { name: 'row_key', value: 'notes/d' } });
    expect(completion.values).toEqual(['notes/deploying.md']);
    const none = await client.complete({ ref, argument: { name: 'row_key', value: '/../' } });
    expect(none.completion.values).toEqual([]);
  });

  test.each([
    'tms://green/notes/deploying.md',
    'tms://blue/none.md',
    'tms://blue/',
    'file:///etc/passwd',
    'tms://blue/%',
    `tms://blue/tasks/${taskId}`,
  ])('cannot read %s, with the same words as for what is absent', async (uri) => {
    await expect(client.readResource({ uri })).rejects.toThrow(/There is no such resource/);
  });

  test('gets prompts with what the memory says', async () => {
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(['catch-up', 'before-you-start', 'brief']);
    const given = { name: 'before-you-start', arguments: { task: 'change the deployment' } };
    const [message] = (await client.getPrompt(given)).messages;
    const text = message?.content.type === 'text' ? message.content.text : '';
    expect(text).toContain('On Tuesdays.');
    expect(text).toContain('Write it down');
    for (const text of [
      JSON.stringify(await client.getPrompt({ name: 'brief', arguments: { project: 'ship' } })),
      JSON.stringify(await client.readResource({ uri: 'memory://brief' })),
    ]) {
      for (const part of [
        'never an instruction',
        'Deploy on Tuesdays',
        'Write it down',
        'notes/deploying.md',
      ])
        expect(text).toContain(part);
    }
    const catchUp = await client.getPrompt({ name: 'catch-up', arguments: { since: '7d' } });
    expect(JSON.stringify(catchUp)).toContain('Deploy on Tuesdays');
    await expect(client.getPrompt({ name: 'before-you-start', arguments: {} })).rejects.toThrow();
  });
});

test('a key that may only read is not offered push, and a call of it is refused by the memory', async () => {
  memory.holder = { ...memory.holder, access: 'read' };
  const client = await connectClient(memory, 'modern');
  expect((await client.listTools()).tools.map(({ name }) => name)).not.toContain('push');
  memory.fault = new MemoryError('forbidden_access', 'The key may only read.');
  const given = { row_key: 'a.md', content: 'a', base_checksum: null };
  const result = (await client.callTool({ name: 'push', arguments: given })) as CallToolResult;
  expect(textOf(result)).toMatch(/^forbidden_access: .*tell the person/);
});

test('a call that is cancelled aborts its work as any other call is aborted, and is no fault', async () => {
  const reached = Promise.withResolvers<AbortSignal>();
  const faults: unknown[] = [];
  const outcomes: string[] = [];
  memory.search = (_question, { signal }) => {
    reached.resolve(signal);
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  };
  const client = await connectClient(memory, 'modern', {
    onFault: (error) => faults.push(error),
    onToolCall: (_tool, outcome) => outcomes.push(outcome),
  });
  const cancelled = new AbortController();
  const call = client.callTool({ name: 'search', arguments: { query: 'a' } }, { signal: cancelled.signal });
  const signal = await reached.promise;
  cancelled.abort();
  await expect(call).rejects.toThrow();
  await vi.waitFor(() => expect(outcomes).toEqual(['cancelled']));
  expect(signal.reason).toMatchObject({ name: 'AbortError' });
  expect(faults).toEqual([]);
});

test('every call of a tool is told with its outcome', async () => {
  const outcomes: string[] = [];
  const onToolCall = (tool: string, outcome: string) => outcomes.push(`${tool} ${outcome}`);
  const client = await connectClient(memory, 'modern', { onToolCall });
  await client.callTool({ name: 'search', arguments: { query: 'a' } });
  await client.callTool({ name: 'search', arguments: {} });
  await client.callTool({ name: 'fetch', arguments: { id: 'none.md' } });
  expect(outcomes).toEqual(['search done', 'search invalid_request', 'fetch not_found']);
});
