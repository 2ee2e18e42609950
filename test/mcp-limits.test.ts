import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { item } from './support/http/api.ts';
import { keyHolder, newTeam, type TeamClients } from './support/http/key-holder.ts';
import { connectAgent } from './support/mcp/agent.ts';
import { asKey, type McpAnswer, modernRequest, postMessage, toolCall } from './support/mcp/raw-message.ts';
import { sharedService } from './support/service/shared-service.ts';

const question = 'When does the ferry leave?';
const newNote = (row_key: string) => ({ row_key, content: `# ${row_key}\n`, base_checksum: null });
const asked = { body: { q: question } };

/** What came back of a call of a tool: `answered`, or how it was refused. */
function outcomes({ messages }: McpAnswer): string[] {
  return messages
    .filter(({ id }) => id !== undefined)
    .map(({ error, result }) => (error ? 'error' : result.isError ? 'tool error' : 'answered'));
}

describe('the limits of a key', () => {
  const service = sharedService({ environment: { ITEM_WRITES_PER_MINUTE: '3', QUESTIONS_PER_MINUTE: '3' } });
  const connect = (team: TeamClients) => connectAgent(service(), team, team.teamKey);

  test('what a tool pushes and what /api/v1 pushes count together', async () => {
    const clients = await newTeam(service());
    const agent = await connect(clients);
    for (const name of ['a.md', 'b.md'])
      expect(await agent.call('push', newNote(name))).toMatchObject({ isError: false });
    expect((await clients.team.push(item('c.md'))).headers.get('ratelimit')).toMatch(/r=0/);
    const refused = await agent.call('push', newNote('d.md'));
    expect(refused).toMatchObject({ isError: true, text: expect.stringMatching(/\b(in|after) \d+ s/) });
    expect((await clients.team.push(item('d.md'))).status).toBe(429);
    expect((await clients.team.rows()).map(({ row_key }) => row_key)).toEqual(['a.md', 'b.md', 'c.md']);
  });

  test('what a tool asks and what /api/v1 asks count together', async () => {
    const clients = await newTeam(service());
    await clients.team.push(item('ferry.md', 'The ferry leaves at nine.'));
    const agent = await connect(clients);
    for (let count = 0; count < 2; count += 1)
      expect((await agent.call('ask', { question })).text).toContain('nine');
    expect((await clients.team.call('/query', asked)).headers.get('ratelimit')).toMatch(/r=0/);
    expect((await agent.call('ask', { question })).isError).toBe(true);
    expect((await clients.team.call('/query', asked)).status).toBe(429);
    const other = keyHolder(service(), clients, clients.readKey);
    expect((await other.call('/query', asked)).status).toBe(200);
  });

  test('a call that is refused for its arguments costs nothing', async () => {
    const clients = await newTeam(service());
    const agent = await connect(clients);
    for (let count = 0; count < 5; count += 1) {
      expect((await agent.call('ask', { question: ' ' })).isError).toBe(true);
      expect((await agent.call('push', { ...newNote('a.md'), tier: 'admin' })).isError).toBe(true);
    }
    expect((await clients.team.call('/query', asked)).headers.get('ratelimit')).toContain('r=2');
    expect((await clients.team.push(item('a.md'))).headers.get('ratelimit')).toContain('r=2');
  });

  test('calls in one batch are as many as they are', async () => {
    const clients = await newTeam(service());
    await clients.team.push(item('ferry.md', 'The ferry leaves at nine.'));
    const batch = Array.from({ length: 8 }, (_, id) => toolCall('ask', { question }, id + 1));
    const answer = await postMessage(service(), batch, { headers: asKey(clients.teamKey, clients.slug) });
    expect(outcomes(answer).toSorted()).toEqual([
      ...Array(3).fill('answered'),
      ...Array(5).fill('tool error'),
    ]);
  });
});

describe('what is too large, too deep or not a message', () => {
  const service = sharedService({ environment: { MAX_BODY_BYTES: '1048576' } });
  const send = async (clients: TeamClients, ...[body, options = {}]: BodyAndOptions) => {
    const headers = { ...asKey(clients.teamKey, clients.slug), ...options.headers };
    return postMessage(service(), body, { ...options, headers });
  };
  type BodyAndOptions = [Parameters<typeof postMessage>[1], Parameters<typeof postMessage>[2]?];

  test('a body larger than MAX_BODY_BYTES is refused with 413, as on /api/v1', async () => {
    const clients = await newTeam(service());
    const content = 'a'.repeat(1_100_000);
    const input = { ...newNote('a.md'), content };
    expect((await send(clients, toolCall('push', input))).status).toBe(413);
    const { body, headers } = modernRequest('tools/call', { name: 'push', arguments: input });
    expect((await send(clients, body, { headers })).status).toBe(413);
    expect((await clients.team.push(item('a.md', content))).status).toBe(413);
    expect(await clients.team.rows()).toEqual([]);
  });

  test('arguments beyond their bounds are tool errors that name the argument, and nothing is done', async () => {
    const clients = await newTeam(service());
    const agent = await connectAgent(service(), clients, clients.teamKey);
    const long = 'x'.repeat(200_000);
    const refused: [string, Record<string, unknown>, RegExp][] = [
      ['search', { query: long }, /query/],
      ['search', { query: ' ' }, /query/],
      ['search', { query: 'a', limit: 0 }, /limit/],
      ['search', {}, /query/],
      ['fetch', { id: long }, /id|not found/i],
      ['fetch', { id: 'a.md', offset: -1 }, /offset/],
      ['ask', { question: 'x'.repeat(50_000) }, /question/],
      ['changes', { since: 'yesterday' }, /since/],
      ['changes', { cursor: long }, /cursor/],
      ['changes', { cursor: 'abc' }, /cursor/],
      ['changes', { list: 'projects' }, /list/],
      ['tasks', { status: 'lost' }, /status/],
      ['tasks', { due_by: '31/12/2026' }, /due_by/],
      ['push', { row_key: '../a.md', content: 'a', base_checksum: null }, /row_key/],
      ['push', { row_key: 'a.md', content: 'a' }, /base_checksum/],
      ['push', { row_key: 'a.md', content: 'a', base_checksum: 'x' }, /base_checksum|checksum/],
      ['push', { ...newNote('a.md'), tier: 'admin' }, /tier/],
    ];
    for (const [tool, input, says] of refused) {
      const result = await agent.call(tool, input);
      expect([tool, Object.keys(input), result.isError, result.text]).toEqual([
        tool,
        Object.keys(input),
        true,
        expect.stringMatching(says),
      ]);
      expect(result.text.length).toBeLessThan(2_000);
    }
    expect(await clients.team.rows()).toEqual([]);
  });

  test('deep JSON is refused or ignored, and the next call is answered', async () => {
    const clients = await newTeam(service());
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const bodies = [
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":{"query":${deep}}}}`,
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"push","arguments":{"row_key":"a.md","content":"a","base_checksum":null,"frontmatter":{"a":${deep}}}}}`,
      deep,
      `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`,
    ];
    for (const body of bodies) {
      const answer = await send(clients, body);
      expect(answer.status).toBeLessThan(500);
      expect(outcomes(answer)).not.toContain('answered');
    }
    expect(outcomes(await send(clients, toolCall('search', { query: 'ferry' })))).toEqual(['answered']);
  });

  test('a batch that is too long is refused whole', async () => {
    const clients = await newTeam(service());
    const batch = Array.from({ length: 5_000 }, (_, id) => toolCall('tasks', {}, id + 1));
    const answer = await send(clients, batch);
    expect([answer.status >= 400, answer.status < 500]).toEqual([true, true]);
    expect(outcomes(answer)).not.toContain('answered');
  });

  test.for<[string, BodyAndOptions, number]>([
    ['another content type', [toolCall('tasks', {}), { headers: { 'content-type': 'text/plain' } }], 415],
    ['no JSON', ['{"jsonrpc":'], 400],
    ['no message', [{ hello: 'world' }], 400],
    ['a GET', [undefined, { method: 'GET' }], 405],
    ['a DELETE', [undefined, { method: 'DELETE' }], 405],
    ['a PUT', [toolCall('tasks', {}), { method: 'PUT' }], 405],
    ['a foreign origin', [toolCall('tasks', {}), { headers: { origin: 'https://evil.test' } }], 403],
  ])('%s is refused', async ([, [body, options], status]) => {
    const clients = await newTeam(service());
    const answer = await send(clients, body, options);
    expect(answer.status).toBe(status);
    expect(outcomes(answer)).not.toContain('answered');
    expect(answer.text).not.toMatch(/node_modules|\bat .+:\d+/);
  });

  test('an unknown method and an unknown tool are errors of the protocol, which name nothing of the inside', async () => {
    const clients = await newTeam(service());
    const unknown = [
      { body: { jsonrpc: '2.0', id: 1, method: 'memory/drop' }, headers: {} },
      { body: toolCall('drop', {}), headers: {} },
      modernRequest('memory/drop'),
      modernRequest('tools/call', { name: 'drop', arguments: {} }),
    ];
    for (const { body, headers } of unknown) {
      const { messages, text } = await send(clients, body, { headers });
      expect(messages).toMatchObject([
        { error: { code: expect.toSatisfy((code) => [-32601, -32602].includes(code)) } },
      ]);
      expect(text).not.toMatch(/node_modules|\bat .+:\d+/);
    }
  });

  test('whatever JSON stands in a message, the service answers, and never with a fault of its own', async () => {
    const clients = await newTeam(service());
    const calls = ['search', 'fetch', 'ask', 'changes', 'tasks', 'push'].map((tool) => toolCall(tool, {}));
    const others = ['resources/list', 'resources/read', 'prompts/get', 'completion/complete', 'initialize'];
    const good = [...calls, ...others.map((method) => ({ jsonrpc: '2.0', id: 1, method, params: {} }))];
    const odd = fc.jsonValue({ maxDepth: 3 });
    const messages = fc.oneof(
      odd,
      fc
        .tuple(fc.constantFrom(...good), fc.constantFrom('id', 'method', 'params', 'jsonrpc'), odd)
        .map(withOdd),
      fc.tuple(fc.constantFrom(...good), fc.dictionary(argument, odd)).map(withArguments),
    );
    for (const message of fc.sample(messages, { numRuns: 300, seed: 16 })) {
      const { status, text } = await send(clients, JSON.stringify(message));
      expect([JSON.stringify(message), status < 500]).toEqual([JSON.stringify(message), true]);
      expect(text).not.toMatch(/internal: |node_modules/);
    }
    expect(service().output().stderr).not.toContain('"level":"error"');
  });
});

/** Names of arguments that the tools take. */
const argument = fc.constantFrom(
  ...['query', 'limit', 'id', 'heading', 'offset', 'question', 'list', 'since', 'cursor', 'status', 'owner'],
  ...[
    'project',
    'due_by',
    'row_key',
    'content',
    'base_checksum',
    'tier',
    'frontmatter',
    'uri',
    'name',
    'ref',
  ],
);

function withOdd([message, field, value]: [object, string, unknown]): object {
  return { ...message, [field]: value };
}

function withArguments([message, given]: [object, Record<string, unknown>]): object {
  const { params } = message as { params: object };
  return { ...message, params: 'name' in params ? { ...params, arguments: given } : given };
}
