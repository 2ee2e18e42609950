import { beforeAll, describe, expect, test } from 'vitest';
import { item } from './support/http/api.ts';
import { newTeam, type TeamClients } from './support/http/key-holder.ts';
import { column, connectAgent } from './support/mcp/agent.ts';
import {
  type Canaries,
  canariesIn,
  canary,
  placesToRead,
  secretKey,
  writeRows,
} from './support/privacy/canaries.ts';
import { newTeamWithSecrets, type TeamWithSecrets } from './support/privacy/team-with-secrets.ts';
import type { Names } from './support/privacy/walk-api.ts';
import {
  comparable,
  recordedAgent,
  type Transcript,
  type Walker,
  walkMcp,
} from './support/privacy/walk-mcp.ts';
import { asAdministrator } from './support/service/as-administrator.ts';
import { sharedService } from './support/service/shared-service.ts';

/** A walk is some 200 requests, which take eight processes on a loaded machine half a minute. */
const walkTimeoutMs = 120_000;
const nothing: Names = { words: [], rowKeys: [], items: [], rowIds: [], cursors: [] };
/** A few of the words, for the walks where each one more would only repeat the same. */
const fewer = (names: Names): Names => ({
  ...names,
  words: names.words.slice(0, 6),
  cursors: names.cursors.slice(0, 3),
});

const leaks = (transcript: Transcript, words: Canaries) =>
  transcript.filter((answer) => canariesIn(answer, words).length > 0);

const service = sharedService();

describe('what an agent may not see', () => {
  let hiding: TeamWithSecrets;
  const walker = (team: { slug: string }, key: string): Walker => ({ service: service(), team, key });
  beforeAll(async () => {
    hiding = await newTeamWithSecrets(service());
  });

  test('the canaries are there: an agent with a team key meets each that can be read, and none that was replaced', {
    timeout: walkTimeoutMs,
  }, async () => {
    const { words, names, teamKey } = hiding;
    const all = {
      ...nothing,
      rowKeys: names.rowKeys.slice(0, 2),
      items: ['was-open.md', 'was-open-tasks.md'],
      words: ['the vault', 'the project'],
    };
    const found = canariesIn((await walkMcp(walker(hiding, teamKey), all)).join(), words);
    expect(found.toSorted()).toEqual(placesToRead);
  });

  test('an agent with an external key uses every tool, resource, completion, prompt and cursor and meets no canary', {
    timeout: walkTimeoutMs,
  }, async () => {
    const { words, names, externalKey } = hiding;
    const transcript = await walkMcp(walker(hiding, externalKey), { ...names, words: [], rowKeys: [] });
    expect(transcript.length).toBeGreaterThan(100);
    expect(leaks(transcript, words)).toEqual([]);
    // What it asks for by name may come back, but nothing else.
    const asked = await walkMcp(walker(hiding, externalKey), { ...nothing, rowKeys: names.rowKeys });
    expect(leaks(withoutNames(asked, names), words)).toEqual([]);
  });

  test('an agent of another team, of either tier, meets no canary and no row at all', {
    timeout: walkTimeoutMs,
  }, async () => {
    const { slug, words, names } = hiding;
    const other = await newTeam(service());
    for (const key of [other.teamKey, other.externalKey]) {
      const transcript = await walkMcp(walker(other, key), { ...fewer(names), words: [] }, slug);
      expect(leaks(withoutNames(transcript, names), words)).toEqual([]);
      const agent = await connectAgent(service(), other, key);
      const { resources } = await agent.client.listResources();
      expect(resources.map(({ uri }) => uri)).toEqual(['memory://brief']);
      expect((await agent.call('changes', { since: '1d' })).data.changes).toEqual([]);
      expect((await agent.call('tasks')).data.tasks).toEqual([]);
    }
  });

  test('to an agent with an external key a team with secrets looks exactly like one where they never were', {
    timeout: walkTimeoutMs,
  }, async () => {
    const plain = await newTeam(service());
    await writeRows(service(), plain);
    const walk = async (team: TeamClients) =>
      comparable(await walkMcp(walker(team, team.externalKey), fewer(hiding.names)));
    expect(await walk(hiding)).toEqual(await walk(plain));
  });

  test('to an agent with an external key nothing changes while team-tier rows come, change and go', async () => {
    const clients = await newTeam(service());
    await writeRows(service(), clients);
    const seen = async () => {
      const { agent, transcript } = await recordedAgent(walker(clients, clients.externalKey));
      for (const query of ['When does the ferry leave?', 'the ferry, the mill and the owl', 'paint']) {
        await agent.call('search', { query });
        await agent.call('ask', { question: query });
      }
      for (const list of ['items', 'decisions', 'tasks'])
        await agent.call('changes', { list, since: '1970-01-01' });
      await agent.call('tasks');
      await agent.client.listResources();
      await agent.client.getPrompt({ name: 'catch-up', arguments: { since: '1970-01-01' } });
      await agent.client.getPrompt({ name: 'brief', arguments: { project: 'ferry' } });
      await agent.client.readResource({ uri: 'memory://brief' });
      await agent.client.getPrompt({ name: 'before-you-start', arguments: { task: 'paint the ferry' } });
      return comparable(transcript);
    };
    const before = await seen();
    const texts = ['ferry ferry ferry', 'leave at nine or at ten', 'the mill and the owl', 'paint the ferry'];
    await clients.team.push(
      ...texts.map((text, index) => item(`${index}-todo.md`, `${text}\n\n- [ ] ${text}\n`)),
    );
    await asAdministrator(service(), async (admin) => {
      await admin.decisions(clients.slug).create({ title: 'Ferry', body: '- [ ] ferry', audience: 'team' });
      await admin.createProject({ team: clients.slug, slug: 'ferry', name: 'Paint the ferry' });
    });
    expect(await seen()).toEqual(before);
    await clients.team.remove('0-todo.md');
    expect(await seen()).toEqual(before);
  });

  test('what an agent gets is what its key gets from /api/v1: the same passages, scores and rows', async () => {
    for (const holder of [hiding.team, hiding.external]) {
      const agent = await connectAgent(service(), hiding, holder.key);
      for (const query of ['the ferry leaves at nine', 'vault', 'blue paint']) {
        const { body } = await holder.call(`/search?q=${encodeURIComponent(query)}&limit=25`);
        const { data } = await agent.call('search', { query, limit: 25 });
        expect(column(data.passages, 'row_key')).toEqual(column(body.passages, 'row_key'));
        for (const field of ['text', 'score', 'tier', 'kind'])
          expect(column(data.passages, field)).toEqual(column(body.passages, field));
      }
      for (const [list, identity] of [
        ['items', 'row_key'],
        ['decisions', 'decision_id'],
        ['tasks', 'task_id'],
      ] as const) {
        const rows = (await holder.call(`/${list}?limit=200&include_deleted=true&since=1970-01-01`)).body[
          list
        ];
        const { data } = await agent.call('changes', { list, since: '1970-01-01', limit: 200 });
        const ids = column(data.changes, 'id').map((id) =>
          list === 'items' ? id : String(id).split('/')[1],
        );
        expect(ids).toEqual(column(rows, identity));
        expect(column(data.changes, 'updated_at')).toEqual(column(rows, 'updated_at'));
      }
      const { tasks } = (await holder.call('/tasks?status=open')).body;
      expect(column((await agent.call('tasks')).data.tasks, 'title')).toEqual(column(tasks, 'title'));
    }
  });

  test('what is hidden gets the answer of what is not there', async () => {
    const { words, slug, externalKey } = hiding;
    const { agent, transcript } = await recordedAgent(walker(hiding, externalKey));
    const pairs: [hidden: string, absent: string][] = [secretKey(words), 'removed.md', 'was-open.md'].map(
      (rowKey) => [rowKey, 'absent.md'],
    );
    for (const [hidden, absent] of pairs) {
      const answer = async (ask: (id: string) => Promise<unknown>, id: string) => {
        transcript.length = 0;
        await ask(id).catch(() => undefined);
        return comparable(transcript).map((text) =>
          text.replaceAll(encodeURI(id), '<name>').replaceAll(id, '<name>'),
        );
      };
      const asks: ((id: string) => Promise<unknown>)[] = [
        (id) => agent.call('fetch', { id }),
        (id) => agent.call('fetch', { id: `tms://${slug}/${id}` }),
        (id) => agent.client.readResource({ uri: `tms://${slug}/${id}` }),
        (id) => agent.call('push', { row_key: id, content: 'x', base_checksum: item('', 'y').checksum }),
        (id) => agent.call('push', { row_key: id, append: 'x' }),
        (id) => agent.call('push', { row_key: id, replace: { old: 'a', new: 'b' } }),
        (id) => agent.call('push', { row_key: id, move_to: 'moved.md' }),
        (id) => agent.call('push', { row_key: id, remove: true }),
        (id) => agent.client.listResources({ cursor: id }),
        (id) => agent.call('changes', { cursor: `items:${id}` }),
      ];
      for (const ask of asks) expect(await answer(ask, hidden)).toEqual(await answer(ask, absent));
    }
    for (const word of [words.content, words.task, words.projectName]) {
      const [asked, made] = [
        await agent.call('search', { query: word }),
        await agent.call('search', { query: canary() }),
      ];
      expect(asked.data).toEqual(made.data);
    }
  });

  test('the log and the metrics tell nothing of what agents wrote, asked or read', {
    timeout: walkTimeoutMs,
  }, async () => {
    const { words, names, teamKey } = hiding;
    await walkMcp(walker(hiding, teamKey), { ...fewer(names), cursors: [] });
    const { stdout, stderr } = service().output();
    expect(canariesIn(`${stdout}${stderr}${await service().metrics()}`, words)).toEqual([]);
  });
});

/** A transcript without the names that its reader used in questions. */
function withoutNames(transcript: Transcript, { rowKeys }: Names): Transcript {
  return transcript.map((answer) =>
    rowKeys.reduce(
      (text, rowKey) => text.replaceAll(rowKey, '<name>').replaceAll(encodeURI(rowKey), '<name>'),
      answer,
    ),
  );
}
