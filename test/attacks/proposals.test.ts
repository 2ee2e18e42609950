import { eventually } from '@teammemory/testkit/eventually.ts';
import { type SeededRandom, seededRandom } from '@teammemory/testkit/seeded-random.ts';
import { expect, test } from 'vitest';
import { scan, snapshot } from '../support/analytics/valid-bodies.ts';
import { attackedService, besideBystanders } from '../support/attacks/attacked-service.ts';
import { type Answer, item } from '../support/http/api.ts';
import { type KeyHolder, keyHolder, newTeam, type TeamClients } from '../support/http/key-holder.ts';
import { problem } from '../support/http/problem.ts';
import { connectAgent } from '../support/mcp/agent.ts';
import { asText, searchPath } from '../support/privacy/walk-api.ts';
import { callContent, exchange } from '../support/rpc/caller-tokens.ts';
import { asAdministrator } from '../support/service/as-administrator.ts';
import { plentyOfWrites } from '../support/service/shared-service.ts';

const timeoutMs = 120_000;
const attacked = attackedService(plentyOfWrites);
const absentId = '019a9f0e-7d51-7c3a-9a51-6b0c4b8f2d11';
const secret = 'The heron nests behind the old mill.';

/** Calls the content service with a key. */
async function caller(key: string) {
  const authorization = await exchange(attacked().service, key);
  return (method: string, message: object = {}) =>
    callContent(attacked().service, authorization, method, message);
}

/** A team in which an agent of bo has proposed something, and who else has a key there. */
async function teamWithProposal() {
  const { service } = attacked();
  const clients = await newTeam(service);
  const holder = async (...wanted: Parameters<TeamClients['newKey']>) =>
    keyHolder(service, clients, await clients.newKey(...wanted));
  const agent = await holder('team', { member: 'bo', access: 'propose' });
  expect((await agent.push(item('a.md', secret))).body).toEqual({
    accepted: 1,
    rejected: 0,
    proposed: 1,
    errors: [],
  });
  const reviewer = await caller(clients.teamKey);
  const [{ proposalId }] = (await reviewer('ListProposals')).message.proposals;
  return { ...clients, service, holder, agent, reviewer, proposalId: proposalId as string };
}

test('a proposal is read by its proposer and reviewers, and decided by reviewers alone', {
  timeout: timeoutMs,
}, async () => {
  const { service, other } = attacked();
  const team = await teamWithProposal();
  const { proposalId, holder, agent } = team;
  const edit = { rowKey: 'a.md', content: 'x', tier: 'team', checksum: item('a.md', 'x').checksum };
  const decisions: [string, object][] = [
    ['AcceptProposal', { proposalId }],
    ['AcceptProposal', { proposalId, item: edit, baseChecksum: '' }],
    ['DeclineProposal', { proposalId, reason: 'no' }],
  ];
  const colleagues = {
    guest: team.external,
    'a guest who proposes': await holder('external', { member: 'bo', access: 'propose' }),
    'a key that reads': await holder('team', { member: 'cy', access: 'read' }),
    'a key that proposes': await holder('team', { member: 'cy', access: 'propose' }),
    'a key that changes its own': await holder('team', { member: 'cy', access: 'own' }),
  };
  await besideBystanders({ ...attacked(), name: 'readers of proposals', boundMegabytes: 50 }, async () => {
    for (const [name, { key }] of Object.entries(colleagues)) {
      const call = await caller(key);
      expect([name, await call('ListProposals')]).toEqual([name, { code: 'ok', message: {} }]);
      const absent = await call('GetProposal', { proposalId: absentId });
      expect([name, absent.code]).toEqual([name, 'not_found']);
      expect([name, await call('GetProposal', { proposalId })]).toEqual([name, absent]);
      for (const [method, message] of decisions)
        expect([name, (await call(method, message)).code]).toEqual([name, 'permission_denied']);
      const withdrawn = name.includes('reads') ? 'permission_denied' : 'not_found';
      expect([name, (await call('WithdrawProposal', { proposalId })).code]).toEqual([name, withdrawn]);
    }
    const stranger = await caller(other.teamKey);
    expect(await stranger('ListProposals')).toEqual({ code: 'ok', message: {} });
    for (const [method, message] of [
      ['GetProposal', { proposalId }] as const,
      ['WithdrawProposal', { proposalId }] as const,
      ...decisions,
    ]) {
      expect((await stranger(method, message)).code).toBe('not_found');
      expect((await callContent(service, 'Bearer tms_x', method, message)).code).toBe('unauthenticated');
    }
    // With its own key the agent reads what it proposed, and decides nothing.
    const proposer = await caller(agent.key);
    expect((await proposer('GetProposal', { proposalId })).message.item).toMatchObject({ content: secret });
    for (const [method, message] of decisions)
      expect((await proposer(method, message)).code).toBe('permission_denied');
    expect(await team.team.rows()).toEqual([]);
  });
  // A reviewer whose key was revoked, or who is no member any more, decides nothing with a token from before.
  const reviewers = await Promise.all(
    ['ada', 'dee', 'eve'].map(async (member) => {
      const key = await team.newKey('team', { member, access: 'write' });
      return { member, key, call: await caller(key) };
    }),
  );
  for (const { member, key, call } of reviewers) {
    expect((await call('GetProposal', { proposalId })).code).toBe('ok');
    await asAdministrator(service, (admin) =>
      member === 'eve'
        ? admin.removeMember({ team: team.slug, handle: member }).then(() => undefined)
        : admin.revokeKey(key.split('_')[1] ?? '').then(() => undefined),
    );
    for (const [method, message] of decisions)
      expect([member, (await call(method, message)).code]).toEqual([member, 'unauthenticated']);
  }
  expect((await team.reviewer('AcceptProposal', { proposalId })).code).toBe('ok');
  expect(await team.team.rows()).toMatchObject([{ row_key: 'a.md', updated_by: 'ada' }]);
});

test('at /api/v1 and /mcp a proposal is read by its proposer and reviewers, and decided by reviewers alone', {
  timeout: timeoutMs,
}, async () => {
  const { service, other } = attacked();
  const team = await teamWithProposal();
  const { proposalId, holder, agent, slug } = team;
  const path = `/proposals/${proposalId}`;
  const edit = { item: item('a.md', 'x'), base_checksum: null };
  /** Status and code of all that a key may try with an id. */
  async function tries(by: KeyHolder, at = path) {
    const answers = [
      await by.call(at),
      await by.call(`${at}/accept`, { body: {} }),
      await by.call(`${at}/accept`, { body: edit }),
      await by.call(`${at}/decline`, { body: { reason: 'no' } }),
      await by.call(at, { method: 'DELETE' }),
    ];
    expect(JSON.stringify(answers)).not.toContain(secret);
    return answers.map(asText);
  }
  const colleagues = {
    guest: team.external,
    'a guest who proposes': await holder('external', { member: 'bo', access: 'propose' }),
    'a key that reads': await holder('team', { member: 'cy', access: 'read' }),
    'a key that proposes': await holder('team', { member: 'cy', access: 'propose' }),
    'a key that changes its own': await holder('team', { member: 'cy', access: 'own' }),
    'a stranger': keyHolder(service, other, other.teamKey),
    'a weak key': keyHolder(service, { slug }, `${team.teamKey.slice(0, -1)}!`),
    'a key for another team': keyHolder(service, { slug }, other.teamKey),
  };
  await besideBystanders({ ...attacked(), name: 'proposals at /api/v1', boundMegabytes: 50 }, async () => {
    for (const [name, by] of Object.entries(colleagues)) {
      // The id of another's proposal is as good as none.
      expect([name, await tries(by)]).toEqual([name, await tries(by, `/proposals/${absentId}`)]);
      const { status, body } = await by.call('/proposals');
      expect([name, status === 200 ? body.proposals : []]).toEqual([name, []]);
    }
    const mcp = await connectAgent(service, team, colleagues['a key that proposes'].key);
    const { data } = await mcp.call('changes', { since: '2020-01-01' });
    expect(data).toMatchObject({ changes: [], proposals: [] });
    await mcp.close();
    const own = await tries(team.team, `/proposals/${absentId}`);
    expect(own.map((text) => text.slice(0, 3))).toEqual(['404', '404', '404', '404', '404']);
    for (const how of ['accept', 'decline']) {
      const { status, body } = await agent.call(`${path}/${how}`, { body: { reason: 'no' } });
      expect({ status, body }).toEqual({ status: 403, body: problem('forbidden_access') });
    }
    expect(await team.team.rows()).toEqual([]);
  });
  // Who was an administrator and is no member any more decides nothing.
  const former = await holder('team', { member: 'eve', access: 'write' });
  expect((await former.call(path)).status).toBe(200);
  await asAdministrator(service, (admin) => admin.removeMember({ team: slug, handle: 'eve' }));
  await eventually('the key is refused', async () => (await former.call(path)).status === 401);
  const { status } = await former.call(`${path}/accept`, { body: {} });
  expect([status, await team.team.rows()]).toEqual([401, []]);
});

test('that a text was declined is told to its proposer alone', { timeout: timeoutMs }, async () => {
  const { service, other } = attacked();
  const { reviewer, proposalId, agent, holder } = await teamWithProposal();
  expect((await reviewer('DeclineProposal', { proposalId, reason: 'We know.' })).code).toBe('ok');
  expect((await agent.push(item('a.md', secret))).body.errors).toMatchObject([{ code: 'declined' }]);
  const others = {
    'the same member as a guest': await holder('external', { member: 'bo', access: 'propose' }),
    'another member': await holder('team', { member: 'cy', access: 'propose' }),
    'another team': keyHolder(
      service,
      other,
      await other.newKey('team', { member: 'bo', access: 'propose' }),
    ),
  };
  for (const [name, by] of Object.entries(others)) {
    const tier = name.endsWith('guest') ? 'external' : 'team';
    const { body } = await by.push(item('a.md', secret, { tier }));
    expect([name, body]).toEqual([name, { accepted: 1, rejected: 0, proposed: 1, errors: [] }]);
  }
});

test('a key that proposes changes nothing else, whatever it calls', { timeout: timeoutMs }, async () => {
  const { agent, team } = await teamWithProposal();
  await team.push(item('b.md'));
  const refused = [
    await agent.remove('b.md'),
    await agent.remove('absent.md'),
    await agent.call('/items/b.md?erase=true', { method: 'DELETE' }),
    await agent.call('/codebases', { body: scan() }),
    await agent.call('/metrics', { body: snapshot() }),
  ];
  for (const { status, body } of refused)
    expect({ status, body }).toEqual({ status: 403, body: problem('forbidden_access') });
  const call = await caller(agent.key);
  const codes = [
    await call('DeleteItem', { rowKey: 'b.md' }),
    await call('EraseItem', { rowKey: 'b.md' }),
    await call('CreateDecision', { decision: { title: 'x', audience: 'TIER_TEAM' } }),
    await call('CreateProject', { slug: 'web', name: 'Web' }),
    await call('CreateWebhook', { url: 'https://hooks.invalid/' }),
    await call('PushItems', { items: [] }),
  ];
  expect(codes.map(({ code }) => code)).toEqual(codes.map(() => 'permission_denied'));
  expect((await team.rows()).map(({ row_key }) => row_key)).toEqual(['b.md']);
});

test('what waits is no text that was not shown: a proposal that is changed has another id', {
  timeout: timeoutMs,
}, async () => {
  const { agent, reviewer, proposalId, team } = await teamWithProposal();
  await agent.push(item('a.md', 'Something that the reviewer has not read.'));
  expect((await reviewer('AcceptProposal', { proposalId })).code).toBe('not_found');
  expect(await team.rows()).toEqual([]);
});

test('an agent that runs wild fills its own queue alone, and takes a bounded place', {
  timeout: timeoutMs,
}, async () => {
  const { agent, holder, reviewer } = await teamWithProposal();
  const other = await holder('team', { member: 'cy', access: 'propose' });
  await besideBystanders({ ...attacked(), name: 'a flood of proposals', boundMegabytes: 150 }, async () => {
    const large = 'x'.repeat(400_000);
    const answers: Answer[] = [];
    for (let batch = 0; batch < 10; batch += 1) {
      const items = Array.from({ length: 10 }, (_, index) => item(`${batch}-${index}.md`, large));
      answers.push(await agent.push(...items));
    }
    const proposed = answers.reduce((sum, { body }) => sum + (body.proposed ?? 0), 0);
    expect(proposed).toBeGreaterThan(50);
    expect(proposed * large.length).toBeLessThan(32 * 1024 * 1024);
    expect(answers.at(-1)?.body.errors[0].code).toBe('quota_exceeded');
  });
  expect((await other.push(item('b.md'))).body).toMatchObject({ accepted: 1, proposed: 1 });
  const { proposals, nextPageToken } = (await reviewer('ListProposals', { pageSize: 10 })).message;
  expect([proposals.length, nextPageToken !== '']).toEqual([10, true]);
});

const words = 'ferry mill owl bridge heron harbour'.split(' ');
const names = ['shown/a.md', 'shown/b-tasks.md', 'shown/c.md'];
const sentence = (random: SeededRandom) => Array.from({ length: 6 }, () => random.pick(words)).join(' ');
const note = (random: SeededRandom) => `# The ${random.pick(words)}\n\n- [ ] ${sentence(random)} @ada\n`;

/** What somebody asks who reviews nothing. */
function questions(random: SeededRandom): ((holder: KeyHolder) => Promise<Answer>)[] {
  const lists = ['items', 'tasks', 'decisions', 'proposals'].map((list) => `/${list}?include_deleted=true`);
  const paths = [...names, 'proposed/a.md', 'absent.md'].map((name) => `/items/${encodeURIComponent(name)}`);
  const single = paths.flatMap((path) => ['', '/versions', '/versions/1'].map((rest) => path + rest));
  const q = `Where is the ${random.pick(words)} of the ${random.pick(words)}?`;
  const folders = ['/items?prefix=proposed/', '/items?prefix=shown/&view=summary'];
  const rest = ['/projects', '/whoami', '/codebases', searchPath(q), `${searchPath(q)}&prefix=proposed/`];
  const read = [...lists, ...single, ...folders, ...rest].map(
    (path) => (holder: KeyHolder) => holder.call(path),
  );
  const guess = item(random.pick(['proposed/a.md', 'absent.md']), 'guess', {
    tier: 'external',
    base_checksum: item('', sentence(random)).checksum,
  });
  return [...read, (holder) => holder.call('/query', { body: { q } }), (holder) => holder.push(guess)];
}

test('nobody but reviewers can tell by any answer which of two teams has proposals that wait', {
  timeout: timeoutMs,
}, async () => {
  const random = seededRandom(20_261_127);
  const { service } = attacked();
  const teams = await Promise.all(
    ['hiding', 'plain'].map(async () => {
      const clients = await newTeam(service);
      const holder = async (...wanted: Parameters<TeamClients['newKey']>) =>
        keyHolder(service, clients, await clients.newKey(...wanted));
      return {
        ...clients,
        agent: await holder('team', { member: 'bo', access: 'propose' }),
        askers: [
          clients.external,
          await holder('external', { member: 'gil', access: 'propose' }),
          await holder('team', { member: 'cy', access: 'read' }),
          await holder('team', { member: 'cy', access: 'own' }),
          await holder('team', { member: 'cy', access: 'propose' }),
        ],
      };
    }),
  );
  const [hiding, plain] = teams as [(typeof teams)[0], (typeof teams)[0]];
  const newest = async ({ teamKey }: TeamClients) => {
    const { message } = await (await caller(teamKey))('ReadNewestTimes');
    return message;
  };
  let compared = 0;
  for (let round = 0; round < 4; round += 1) {
    const shown = item(random.pick(names), note(random), { tier: 'external' });
    for (const { team } of teams) expect((await team.push(shown)).body).toMatchObject({ rejected: 0 });
    const before = await newest(hiding);
    const tier = random.pick(['team', 'external']);
    const hidden = [random.pick(names), 'proposed/a.md', `${round}.md`];
    const texts = hidden.map((name) =>
      item(name, note(random).repeat(random.chance(0.3) ? 500 : 1), { tier }),
    );
    expect((await hiding.agent.push(...texts)).body).toMatchObject({ accepted: 3 });
    expect(await newest(hiding)).toEqual(before);
    for (const ask of questions(random)) {
      for (const [index, asker] of hiding.askers.entries()) {
        const other = plain.askers[index] as KeyHolder;
        expect(asText(await ask(asker))).toBe(asText(await ask(other)));
        compared += 1;
      }
    }
  }
  expect(compared).toBeGreaterThan(500);
});
