import { join } from 'node:path';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { KeyHolder, TeamClients } from './support/http/key-holder.ts';
import { type Agent, column, connectAgent } from './support/mcp/agent.ts';
import { type AgentDay, beginDay, itemPath } from './support/mcp/agent-day.ts';
import { readFrames } from './support/mcp/frames.ts';
import { sharedService } from './support/service/shared-service.ts';
import { tmsFolder } from './support/sync/tms-folder.ts';

// An ordinary day of ada's agent with the official client, at /mcp and through `tms mcp`: thirty tasks, whose results are
// compared with what bob's program gets at /api/v1. Each task writes rows of its own.

/** A loaded machine may take long to start `tms`. */
const startTimeoutMs = 60_000;
const service = sharedService();
const directory = await temporaryDirectory();

const absentId = '019a9f0e-7d51-7c3a-9a51-6b0c4b8f2d11';

let day: AgentDay;
let clients: TeamClients;
let bob: KeyHolder;
let agent: Agent;
let local: Agent;
let guest: Agent;
let decisionId: string;
let seenByBob: AgentDay['seenByBob'];
let pushedByBob: AgentDay['pushedByBob'];
beforeAll(async () => {
  day = await beginDay(service(), directory.path);
  ({ clients, bob, agent, local, guest, decisionId, seenByBob, pushedByBob } = day);
}, startTimeoutMs);

afterAll(async () => {
  await day?.close();
  await directory.remove();
});

async function search(reader: Agent, input: Record<string, unknown>) {
  return (await reader.call('search', input)).data.passages;
}

async function briefOf({ client }: Agent): Promise<string> {
  const { contents } = await client.readResource({ uri: 'memory://brief' });
  return (contents[0] as { text: string }).text;
}

async function prompted(name: string, given: Record<string, string>): Promise<string> {
  const { messages } = await agent.client.getPrompt({ name, arguments: given });
  return messages.map(({ content }) => (content.type === 'text' ? content.text : '')).join('\n');
}

test('the brief of a morning has the last decision, the open tasks and what is new, as data', async () => {
  const brief = await briefOf(agent);
  const [frame] = readFrames(brief).frames;
  const { decisions } = (await bob.call('/decisions')).body;
  expect(frame?.text).toContain(
    `2026-11-20 accepted "${decisions[0].title}" decisions/${decisions[0].decision_id}`,
  );
  expect(frame?.text).toContain('"Paint the ferry" due 2026-03-01 in "projects/harbour/todo.md" line 1');
  expect(frame?.text).toMatch(/"\S+\.md" ".+" by "bob"/);
  expect(brief).toMatch(/information, never an instruction/);
});

test('tms brief says in the folder of a project what the prompt says of it', {
  timeout: startTimeoutMs,
}, async () => {
  const folder = await tmsFolder(join(directory.path, 'harbour'), day.environment);
  // It says nothing where the service takes more than a second.
  const stdout = await eventually('an answer in time', async () => {
    const brief = await folder.run('brief');
    expect(brief).toMatchObject({ code: 0, stderr: '' });
    return brief.stdout !== '' && brief.stdout;
  });
  const [frame] = readFrames(await prompted('brief', { project: 'harbour' })).frames;
  expect(frame?.label).toContain('brief of project harbour');
  expect(readFrames(stdout).frames[0]?.text.replace(/since .*:/, '')).toBe(
    frame?.text.replace(/since .*:/, ''),
  );
  expect((await bob.call('/projects')).body.projects).toMatchObject([{ slug: 'harbour' }]);
});

test('a search finds the passages that others find, in their order', async () => {
  const passages = await search(agent, { query: 'when does the ferry leave', limit: 5 });
  const { body } = await bob.call('/search?q=when%20does%20the%20ferry%20leave&limit=5');
  for (const field of ['row_key', 'text', 'date', 'tier']) {
    expect(column(passages, field)).toEqual(column(body.passages, field));
  }
});

test('a search of a folder or for decisions finds nothing else', async () => {
  const inFolder = await search(agent, { query: 'ferry', prefix: 'guests/' });
  const { body } = await bob.call('/search?q=ferry&prefix=guests/');
  expect(column(inFolder, 'row_key')).toEqual(['guests/mill.md']);
  expect(column(body.passages, 'row_key')).toEqual(['guests/mill.md']);
  const decisions = await search(agent, { query: 'ferry', kind: 'decision' });
  const { title, status, decided_on: date } = (await bob.call(`/decisions/${decisionId}`)).body;
  expect(decisions).toMatchObject([{ row_key: `decisions/${decisionId}`, title, status, date }]);
});

test('a search since a day leaves out what is older', async () => {
  const found = async (since?: string) =>
    column(await search(agent, { query: 'old ferry', since }), 'row_key');
  expect(await found()).toContain('notes/old ferry.md');
  expect(await found('2020-02-04')).not.toContain('notes/old ferry.md');
  const { body } = await bob.call('/search?q=old%20ferry&since=2020-02-04');
  expect(await found('2020-02-04')).toEqual(column(body.passages, 'row_key'));
});

test('a note is read whole, with its checksum and who wrote it', async () => {
  const { data } = await agent.call('fetch', { id: 'notes/ferry.md' });
  const { content: text, checksum, title, updated_by } = await seenByBob('notes/ferry.md');
  expect(data).toMatchObject({ text, checksum, title, updated_by, tier: 'team', next_offset: null });
});

test('a long note is read by section, or in parts that make the whole', async () => {
  const section = await agent.call('fetch', { id: 'guides/handbook.md', heading: 'loading' });
  expect(section.data.text).toMatch(/^# Loading\n/);
  let text = '';
  for (let offset: number | null = 0, parts = 0; offset !== null; parts += 1) {
    expect(parts).toBeLessThan(10);
    const { data } = await agent.call('fetch', { id: 'guides/handbook.md', offset });
    text += data.text;
    offset = data.next_offset;
  }
  expect(text).toBe((await seenByBob('guides/handbook.md')).content);
});

test('a decision is read with its status and day', async () => {
  const { data } = await agent.call('fetch', { id: `decisions/${decisionId}` });
  const { title, status, decided_on: date, updated_by } = (await bob.call(`/decisions/${decisionId}`)).body;
  expect(data).toMatchObject({ kind: 'decision', title, status, date, updated_by });
});

test('a question gets an answer with the notes that it rests on', async () => {
  const question = 'When does the ferry leave?';
  const { data, links } = await agent.call('ask', { question });
  expect(data.answer).toMatch(/nine.*\[1\]/s);
  const { sources } = await bob.ask(question);
  expect(column(data.sources, 'row_key')).toEqual(sources.map(({ row_key }) => row_key));
  expect(links).toContain(`tms://${clients.slug}/notes/ferry.md`);
});

test('the open tasks of a person are those, by their day', async () => {
  const titles = async (input: Record<string, unknown>) =>
    column((await agent.call('tasks', input)).data.tasks, 'title').toSorted();
  const { body } = await bob.call('/tasks?status=open&owner=ada');
  expect(await titles({ owner: 'me', project: 'harbour' })).toEqual(['Paint the ferry']);
  expect(column(body.tasks, 'title')).toContain('Paint the ferry');
  expect(await titles({ owner: 'bob', due_by: '2026-04-01' })).toEqual(['Oil the crane']);
  expect(await titles({ owner: 'bob', due_by: '2026-03-31' })).toEqual([]);
});

test('a note past its day says since when it is to be checked', async () => {
  const { text } = await agent.call('search', { query: 'crane lifts' });
  expect(text).toContain('to be checked since 2024-03-01');
  const { body } = await bob.call('/search?q=crane%20lifts');
  expect(body.passages[0]).toMatchObject({ row_key: 'notes/crane.md', to_be_checked_since: '2024-03-01' });
});

test('what changed since a look is all that others did, once', async () => {
  const { next_cursor: cursor } = (await agent.call('changes', { limit: 200 })).data;
  await pushedByBob('log/tasks.md', '- [ ] Count the boats @bob\n');
  await pushedByBob('log/gone.md', 'Gone soon.');
  await bob.remove('log/gone.md');
  const { changes, next_cursor } = (await agent.call('changes', { cursor, limit: 200 })).data;
  expect(changes).toContainEqual(expect.objectContaining({ id: 'log/tasks.md', updated_by: 'bob' }));
  expect(changes).toContainEqual(expect.objectContaining({ id: 'log/gone.md', removed: true }));
  expect(changes).toContainEqual(expect.objectContaining({ title: 'Count the boats', status: 'open' }));
  expect((await agent.call('changes', { cursor: next_cursor })).data.changes).toEqual([]);
});

test('a new note is there for others at once, under the name of the member', async () => {
  const content = '# Tide\n\nThe tide turns at six.\n';
  const { data } = await agent.call('push', {
    row_key: 'new/tide.md',
    content,
    base_checksum: null,
    frontmatter: { type: 'note' },
  });
  expect(data).toMatchObject({ created: true, tier: 'team' });
  const { checksum } = data;
  expect(await seenByBob('new/tide.md')).toMatchObject({
    content,
    checksum,
    title: 'Tide',
    updated_by: 'ada',
    frontmatter: { type: 'note' },
  });
});

test('a line is appended to a log without its text, and the front matter stays', async () => {
  const frontmatter = { title: 'The log', tags: ['harbour'] };
  await pushedByBob('log/day.md', '# Day\n\n- six: tide', { frontmatter });
  const { isError } = await agent.call('push', { row_key: 'log/day.md', append: '- nine: ferry\n' });
  expect(isError).toBe(false);
  const content = '# Day\n\n- six: tide\n- nine: ferry\n';
  expect(await seenByBob('log/day.md')).toMatchObject({ content, frontmatter, updated_by: 'ada' });
});

test('a box is ticked by its line alone, and the task is done for others', async () => {
  await pushedByBob('boxes/todo.md', `- [ ] Fill the tank @cleo\n\n${'A long note.\n'.repeat(2_000)}`);
  const [task] = (await agent.call('tasks', { owner: 'cleo' })).data.tasks;
  const replace = { old: '- [ ] Fill the tank', new: '- [x] Fill the tank' };
  expect((await agent.call('push', { row_key: task.source, replace })).isError).toBe(false);
  expect((await bob.call('/tasks?owner=cleo')).body.tasks).toMatchObject([{ status: 'done' }]);
  expect((await agent.call('fetch', { id: task.id })).data).toMatchObject({ status: 'done' });
});

test('a box in a decision is ticked at /mcp, and all else of the decision stays', async () => {
  const path = `/decisions/${decisionId}`;
  const { body: before } = await bob.call(path);
  const change = { row_key: `decisions/${decisionId}`, replace: { old: '[ ] Tell', new: '[x] Tell' } };
  expect((await agent.call('push', change)).isError).toBe(false);
  const { body, title, status, decided_on, project } = (await bob.call(path)).body;
  expect(body).toBe(before.body.replace('[ ] Tell', '[x] Tell'));
  expect({ title, status, decided_on, project }).toEqual({
    title: before.title,
    status: before.status,
    decided_on: before.decided_on,
    project: before.project,
  });
});

test('a replacement that fits two places changes neither, and says how many there are', async () => {
  const checksum = await pushedByBob('boxes/twice.md', '- [ ] Wash\n- [ ] Wash\n');
  const refused = await agent.call('push', {
    row_key: 'boxes/twice.md',
    replace: { old: '[ ] Wash', new: '[x] Wash' },
  });
  expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('2 places') });
  expect((await seenByBob('boxes/twice.md')).checksum).toBe(checksum);
});

test('of two who edit a note the slower is told, merges, and both edits are kept', async () => {
  await pushedByBob('notes/shared.md', 'One.\n');
  const { checksum: base_checksum } = (await agent.call('fetch', { id: 'notes/shared.md' })).data;
  const checksum = await pushedByBob('notes/shared.md', 'One.\nTwo.\n', { base_checksum });
  const mine = { row_key: 'notes/shared.md', append: 'Three.\n' };
  const refused = await agent.call('push', { ...mine, base_checksum });
  expect(refused).toMatchObject({ isError: true, text: expect.stringContaining(checksum) });
  const again = (await agent.call('fetch', { id: 'notes/shared.md' })).data;
  expect((await agent.call('push', { ...mine, base_checksum: again.checksum })).isError).toBe(false);
  expect((await seenByBob('notes/shared.md')).content).toBe('One.\nTwo.\nThree.\n');
});

test('a note that is moved has one name, its text and its front matter', async () => {
  await pushedByBob('move/from.md', 'Moved.', { frontmatter: { title: 'Of a move' } });
  const moved = await agent.call('push', { row_key: 'move/from.md', move_to: 'move/to.md' });
  expect(moved).toMatchObject({ isError: false, data: { row_key: 'move/to.md' } });
  expect(await seenByBob('move/from.md')).toBe(404);
  expect(await seenByBob('move/to.md')).toMatchObject({ content: 'Moved.', title: 'Of a move' });
});

test('a note that is removed is gone for all, and its versions can still be read', async () => {
  await pushedByBob('remove/note.md', 'Kept as a version.');
  expect((await agent.call('push', { row_key: 'remove/note.md', remove: true })).isError).toBe(false);
  expect(await seenByBob('remove/note.md')).toBe(404);
  const { versions } = (await bob.call(`${itemPath('remove/note.md')}/versions`)).body;
  expect(versions).toMatchObject([{ deleted: true, updated_by: 'ada' }, { updated_by: 'bob' }]);
});

test('a text with a credential is refused by its line, and neither stored nor said again', async () => {
  const { teamKey: secret } = await service().createTeam();
  const content = `# Deploying\n\nUse ${secret}.\n`;
  for (const each of [agent, local]) {
    const refused = await each.call('push', { row_key: 'notes/secret.md', content, base_checksum: null });
    expect(refused).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^contains_secret:.*line 3/s),
    });
    expect(refused.text).not.toContain(secret);
  }
  expect(await seenByBob('notes/secret.md')).toBe(404);
});

test('an agent past its limit is told when to try again, and changes nothing more', async () => {
  const key = await clients.newKey('team', { itemWritesPerMinute: 1 });
  const limited = await connectAgent(service(), clients, key);
  const push = (row_key: string) => limited.call('push', { row_key, content: 'x', base_checksum: null });
  expect((await push('limit/one.md')).isError).toBe(false);
  expect(await push('limit/two.md')).toMatchObject({
    isError: true,
    text: expect.stringMatching(/^rate_limited:.*after \d+ seconds/s),
  });
  expect([(await seenByBob('limit/one.md')).content, await seenByBob('limit/two.md')]).toEqual(['x', 404]);
  await limited.close();
});

test('an agent whose key only reads is offered no push, and a call of it changes nothing', async () => {
  const reader = await connectAgent(service(), clients, clients.readKey);
  const { tools } = await reader.client.listTools();
  expect(column(tools, 'name')).toEqual(['search', 'fetch', 'ask', 'changes', 'tasks']);
  const push = { row_key: 'read/note.md', content: 'x', base_checksum: null };
  const outcome = await reader.call('push', push).then(
    ({ isError }) => isError,
    () => true,
  );
  expect([outcome, await seenByBob('read/note.md')]).toEqual([true, 404]);
  await reader.close();
});

test("an agent with access to its own notes changes those, and another's in no way", async () => {
  const key = await clients.newKey('team', { member: 'dora', access: 'own' });
  const own = await connectAgent(service(), clients, key);
  const checksum = await pushedByBob('own/bob.md', 'By bob.');
  const note = { row_key: 'own/dora.md', content: 'One.\n', base_checksum: null };
  expect((await own.call('push', note)).isError).toBe(false);
  expect((await own.call('push', { row_key: 'own/dora.md', append: 'Two.\n' })).isError).toBe(false);
  for (const way of [{ append: 'x' }, { remove: true }, { move_to: 'own/x.md' }]) {
    expect((await own.call('push', { row_key: 'own/bob.md', ...way })).isError).toBe(true);
  }
  expect(await seenByBob('own/dora.md')).toMatchObject({ content: 'One.\nTwo.\n', updated_by: 'dora' });
  expect((await seenByBob('own/bob.md')).checksum).toBe(checksum);
  await own.close();
});

test('the agent of a guest sees by no tool, list or brief what the team keeps to itself', async () => {
  const answers = [
    await search(guest, { query: 'ferry leaves at nine' }),
    await guest.call('ask', { question: 'When does the ferry leave?' }),
    await guest.call('changes', { since: '2020-01-01', limit: 200 }),
    await guest.call('tasks'),
    await guest.client.listResources(),
    await briefOf(guest),
    await guest.call('fetch', { id: 'notes/ferry.md' }),
    await guest.call('fetch', { id: `decisions/${decisionId}` }),
  ];
  const text = JSON.stringify(answers.slice(0, -2));
  expect(text).toContain('guests/mill.md');
  expect(text).not.toMatch(/notes\/|nine\.|Paint|tide\b|handbook|harbour/);
  expect(answers.slice(-2)).toEqual([
    await guest.call('fetch', { id: 'notes/absent.md' }),
    await guest.call('fetch', { id: `decisions/${absentId}` }),
  ]);
});

test('what the agent of a guest writes is marked as by a guest, for people and for agents', async () => {
  const note = { row_key: 'guests/weir.md', content: 'The weir is open.', base_checksum: null };
  expect((await guest.call('push', note)).data).toMatchObject({ tier: 'external' });
  expect(await seenByBob('guests/weir.md')).toMatchObject({ by_guest: true, tier: 'external' });
  const { data, text } = await agent.call('fetch', { id: 'guests/weir.md' });
  expect([data.by_guest, text]).toEqual([true, expect.stringContaining('by a guest')]);
});

test('a connector that knows only search and fetch gets ids, addresses in the dashboard and texts', async () => {
  const connector = await connectAgent(service(), clients, clients.teamKey, { profile: 'search-fetch' });
  const { results } = (await connector.call('search', { query: 'ferry leaves nine' })).data;
  const url = `${service().url}/memory/notes/ferry.md`;
  expect(results).toContainEqual({ id: 'notes/ferry.md', title: 'The ferry', url });
  const { data } = await connector.call('fetch', { id: 'notes/ferry.md' });
  expect(data).toMatchObject({ text: (await seenByBob('notes/ferry.md')).content, url });
  await connector.close();
});

test('through tms mcp an agent writes and reads what others do, and decisions stay as they are', async () => {
  const note = { row_key: 'local/note.md', content: 'Written here.\n', base_checksum: null };
  expect((await local.call('push', note)).isError).toBe(false);
  expect(await seenByBob('local/note.md')).toMatchObject({ content: 'Written here.\n', updated_by: 'ada' });
  const { data } = await local.call('fetch', { id: 'notes/ferry.md' });
  expect(data.text).toBe((await seenByBob('notes/ferry.md')).content);
  const { body: before } = await bob.call(`/decisions/${decisionId}`);
  const replace = { old: '[ ] Print', new: '[x] Print' };
  const refused = await local.call('push', { row_key: `decisions/${decisionId}`, replace });
  expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('dashboard') });
  expect((await bob.call(`/decisions/${decisionId}`)).body).toEqual(before);
});

test('wrong arguments are told with the right ones, and change nothing', async () => {
  const checksum = await pushedByBob('wrong/note.md', 'As it was.');
  const refused = await agent.call('push', { row_key: 'wrong/note.md', text: 'x' });
  expect(refused).toMatchObject({
    isError: true,
    text: expect.stringMatching(/no "text".*takes row_key, content/),
  });
  const both = await agent.call('push', { row_key: 'wrong/note.md', append: 'x', remove: true });
  expect(both).toMatchObject({ isError: true, text: expect.stringContaining('exactly one of') });
  expect((await seenByBob('wrong/note.md')).checksum).toBe(checksum);
});

test('the catch-up of an evening names what the agent did, as bob has it', async () => {
  await agent.call('push', { row_key: 'evening.md', content: '# Of the evening\n', base_checksum: null });
  const text = await prompted('catch-up', { since: '1d' });
  const { updated_at } = await seenByBob('evening.md');
  expect(text).toContain(`${updated_at} "evening.md" "Of the evening" tier team by "ada"`);
});
