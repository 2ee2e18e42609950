import { expect, test } from 'vitest';
import { item } from './support/http/api.ts';
import { type KeyHolder, keyHolder, newTeam, type TeamClients } from './support/http/key-holder.ts';
import { problem } from './support/http/problem.ts';
import { connectAgent } from './support/mcp/agent.ts';
import type { RunningService } from './support/service/running-service.ts';
import { describeEachService } from './support/service/shared-service.ts';

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const at = (rowKey: string) => `/items/${encodeURIComponent(rowKey)}`;

/** A team with a key that only proposes, of bob. */
async function teamWithAgent(service: RunningService) {
  const clients = await newTeam(service);
  const agent = keyHolder(
    service,
    clients,
    await clients.newKey('team', { member: 'bob', access: 'propose' }),
  );
  return { ...clients, agent };
}

const listed = async (holder: KeyHolder, query = '') =>
  (await holder.call(`/proposals${query}`)).body.proposals;

/** Proposes an item and returns the id of the proposal. */
async function proposed(agent: KeyHolder, ...given: Parameters<typeof item>): Promise<string> {
  const pushed = item(...given);
  expect((await agent.push(pushed)).body).toMatchObject({ accepted: 1, proposed: 1 });
  const rows = await listed(agent, '?state=waiting');
  return rows.find(({ row_key }: { row_key: string }) => row_key === pushed.row_key).proposal_id;
}

const decide = ({ team }: TeamClients, id: string, how: 'accept' | 'decline', body: object = {}) =>
  team.call(`/proposals/${id}/${how}`, { body });

describeEachService('what a key of access propose pushes', (service) => {
  test('waits until a reviewer reads it whole and accepts it as it is', async () => {
    const clients = await teamWithAgent(service());
    const { agent, team } = clients;
    const frontmatter = { title: 'The ferry', ver: 1.1 };
    const text = { frontmatter, frontmatter_text: 'title: The ferry\nver: 1.10\n' };
    const id = await proposed(agent, 'ferry.md', 'It leaves at nine.', { ...text, base_checksum: null });
    const row = {
      proposal_id: id,
      row_key: 'ferry.md',
      title: 'The ferry',
      tier: 'team',
      state: 'waiting',
      proposed_by: 'bob',
      key_id: agent.key.split('_')[1],
      proposed_at: time,
      decided_by: null,
      decided_at: null,
      reason: null,
      edited: false,
    };
    expect((await team.call('/proposals')).body).toEqual({
      proposals: [row],
      next_cursor: null,
      has_more: false,
    });
    const { checksum, content } = item('ferry.md', 'It leaves at nine.');
    expect((await team.call(`/proposals/${id}`)).body).toEqual({
      ...row,
      current_checksum: null,
      item: { row_key: 'ferry.md', content, tier: 'team', checksum, base_checksum: null, ...text },
    });
    expect((await team.call(at('ferry.md'))).status).toBe(404);
    const decided = { ...row, title: '', state: 'accepted', decided_by: 'ada', decided_at: time };
    const accepted = await decide(clients, id, 'accept');
    expect(accepted).toMatchObject({ status: 200, body: decided });
    expect((await agent.call(at('ferry.md'))).body).toMatchObject({ content, ...text, updated_by: 'ada' });
    expect((await agent.call(`/proposals/${id}`)).body).toEqual({
      ...accepted.body,
      item: null,
      current_checksum: null,
    });
  });

  test('is accepted with changes, or over what was stored meanwhile, only where the reviewer says so', async () => {
    const clients = await teamWithAgent(service());
    const { agent, team } = clients;
    await team.push(item('a.md', 'one'));
    const { checksum: base_checksum } = item('a.md', 'one');
    const id = await proposed(agent, 'a.md', 'two', { base_checksum });
    await team.push(item('a.md', 'one and a half'));
    const conflict = await decide(clients, id, 'accept');
    const current_checksum = item('a.md', 'one and a half').checksum;
    expect([conflict.status, conflict.body]).toEqual([409, { ...problem('conflict'), current_checksum }]);
    expect((await team.call(`/proposals/${id}`)).body).toMatchObject({ state: 'waiting', current_checksum });
    const edited = item('a.md', 'two and a half');
    const other = await decide(clients, id, 'accept', {
      item: item('b.md'),
      base_checksum: current_checksum,
    });
    expect([other.status, other.body.errors]).toEqual([
      422,
      [{ pointer: '/item/row_key', detail: 'must be that of the proposal' }],
    ]);
    const accepted = await decide(clients, id, 'accept', { item: edited, base_checksum: current_checksum });
    expect(accepted.body).toMatchObject({ state: 'accepted', edited: true });
    expect((await team.call(at('a.md'))).body.content).toBe('two and a half');
    // A base of null says that there must be none.
    const second = await proposed(agent, 'a.md', 'three');
    expect((await decide(clients, second, 'accept', { base_checksum: null })).status).toBe(409);
  });

  test('is refused where a push of the reviewer would be, and waits on', async () => {
    const clients = await teamWithAgent(service());
    const { agent, team } = clients;
    const id = await proposed(agent, 'a.md', 'one');
    const { teamKey: secret } = await service().createTeam();
    for (const [code, changed] of [
      ['admin_tier', item('a.md', 'x', { tier: 'admin' })],
      ['contains_secret', item('a.md', `Use ${secret}.`)],
      ['invalid_request', item('a.md', 'x', { checksum: 'x' })],
    ] as const) {
      const { status, body } = await decide(clients, id, 'accept', { item: changed });
      expect([status, body.code]).toEqual([422, code]);
      expect(JSON.stringify(body)).not.toContain(secret);
    }
    expect(await listed(team, '?state=waiting')).toMatchObject([{ proposal_id: id }]);
  });

  test('is declined with a reason, or withdrawn, once', async () => {
    const clients = await teamWithAgent(service());
    const { agent, team } = clients;
    const [first, second] = [await proposed(agent, 'a.md'), await proposed(agent, 'b.md')];
    expect((await decide(clients, first, 'decline', { reason: '  ' })).status).toBe(422);
    const declined = await decide(clients, first, 'decline', { reason: 'We know.' });
    expect(declined.body).toMatchObject({ state: 'declined', reason: 'We know.', decided_by: 'ada' });
    expect(await listed(agent, '?state=declined')).toEqual([declined.body]);
    expect((await agent.call(`/proposals/${second}`, { method: 'DELETE' })).status).toBe(204);
    expect(await listed(team)).toEqual([declined.body]);
    for (const [id, status] of [
      [first, 409],
      [second, 404],
    ] as const) {
      const answers = [
        await decide(clients, id, 'accept'),
        await decide(clients, id, 'decline', { reason: 'No.' }),
        await agent.call(`/proposals/${id}`, { method: 'DELETE' }),
      ];
      expect(answers.map((answer) => answer.status)).toEqual([status, status, status]);
    }
    expect(await team.rows()).toEqual([]);
    const refused = { row_key: 'a.md', code: 'declined', detail: expect.stringContaining('"We know."') };
    expect((await agent.push(item('a.md'), item('b.md'))).body).toMatchObject({
      accepted: 1,
      proposed: 1,
      errors: [refused],
    });
  });

  test('is listed page by page, the newest change first, and not with what is no cursor', async () => {
    const { agent, team } = await teamWithAgent(service());
    const names = ['a.md', 'b.md', 'c.md', 'd.md', 'e.md'];
    for (const name of names) await proposed(agent, name);
    const seen: string[] = [];
    for (let cursor = ''; ; ) {
      const { body } = await team.call(`/proposals?limit=2&cursor=${cursor}`);
      seen.push(...body.proposals.map(({ row_key }: { row_key: string }) => row_key));
      if (!body.has_more) break;
      cursor = body.next_cursor;
    }
    expect(seen.toSorted()).toEqual(names);
    for (const cursor of ['x', 'x'.repeat(3_000)]) {
      const { status, body } = await team.call(`/proposals?cursor=${cursor}`);
      expect([status, body.code]).toEqual([422, 'invalid_cursor']);
    }
  });

  test('is told to its agent: that it waits, that a part adds to it, and what became of it', async () => {
    const clients = await teamWithAgent(service());
    const agent = await connectAgent(service(), clients, clients.agent.key);
    const pushed = await agent.call('push', { row_key: 'log.md', content: 'One.\n', base_checksum: null });
    expect(pushed).toMatchObject({ isError: false, data: { proposed: true, created: false } });
    expect(pushed.text).toContain('until a reviewer accepts it');
    await agent.call('push', { row_key: 'log.md', append: 'Two.\n' });
    await agent.call('push', { row_key: 'other.md', content: 'Other.\n', base_checksum: null });
    const { next_cursor: cursor, proposals: none } = (await agent.call('changes')).data;
    expect(none).toEqual([]);
    const [other, log] = (await listed(clients.team)).toSorted((one: { row_key: string }) =>
      one.row_key === 'log.md' ? 1 : -1,
    );
    await decide(clients, log.proposal_id, 'accept');
    await decide(clients, other.proposal_id, 'decline', { reason: 'Ignore "this".' });
    expect((await clients.team.call(at('log.md'))).body.content).toBe('One.\nTwo.\n');
    const told = await agent.call('changes', { cursor });
    expect(told.data.proposals).toMatchObject([
      { row_key: 'log.md', state: 'accepted', decided_by: 'ada', reason: null },
      { row_key: 'other.md', state: 'declined', reason: 'Ignore "this".' },
    ]);
    expect(told.text).toContain(String.raw`declined: "other.md" by "ada" because "Ignore \"this\"."`);
    expect((await agent.call('changes', { cursor: told.data.next_cursor })).data.proposals).toEqual([]);
    for (const way of [{ remove: true }, { move_to: 'b.md' }]) {
      expect(await agent.call('push', { row_key: 'log.md', ...way })).toMatchObject({ isError: true });
    }
    await agent.close();
  });
});
