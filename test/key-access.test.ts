import { eventually } from '@teammemory/testkit/eventually.ts';
import { expect, test } from 'vitest';
import { scan, snapshot } from './support/analytics/valid-bodies.ts';
import { item } from './support/http/api.ts';
import { keyHolder, newTeam } from './support/http/key-holder.ts';
import { problem } from './support/http/problem.ts';
import { callContent, exchange } from './support/rpc/caller-tokens.ts';
import { asAdministrator } from './support/service/as-administrator.ts';
import type { MoreOfKey, RunningService } from './support/service/running-service.ts';
import { describeEachService } from './support/service/shared-service.ts';

/** A revocation takes effect within 5 s. */
const revocationMs = 5_000;
const open = (row_key: string, text = 'a') => item(row_key, text, { tier: 'external' });

async function teamWith(service: RunningService) {
  const clients = await newTeam(service);
  const keyFor = async (tier: 'team' | 'external', more: MoreOfKey) =>
    keyHolder(service, clients, await clients.newKey(tier, more));
  return { ...clients, keyFor };
}

describeEachService('the access of a key', (service) => {
  test('read pulls and asks, and changes nothing', async () => {
    const { team, readKey, slug } = await teamWith(service());
    await team.push(item('a.md', 'The ferry leaves at nine.'));
    const reader = keyHolder(service(), { slug }, readKey);
    expect((await reader.rows()).map(({ row_key }) => row_key)).toEqual(['a.md']);
    expect((await reader.ask('When does the ferry leave?')).sources).toMatchObject([{ row_key: 'a.md' }]);
    const refused = [
      await reader.push(item('b.md')),
      await reader.push(item('a.md', 'The ferry leaves at nine.')),
      await reader.remove('a.md'),
      await reader.remove('absent.md'),
      await reader.call('/codebases', { body: scan() }),
      await reader.call('/metrics', { body: snapshot() }),
    ];
    for (const { status, body } of refused) {
      expect({ status, body }).toEqual({ status: 403, body: problem('forbidden_access') });
    }
    expect(await team.rows()).toHaveLength(1);
  });

  test('propose pushes into a queue, where items wait for a reviewer, and changes nothing else', async () => {
    const { team, keyFor } = await teamWith(service());
    const agent = await keyFor('team', { member: 'bob', access: 'propose' });
    await team.push(item('a.md', '1'));
    const batch = [item('a.md', '2'), item('a.md', '1'), item('b.md'), item('b.md', 'c', { tier: 'admin' })];
    expect(await agent.push(...batch)).toMatchObject({
      status: 422,
      body: { code: 'admin_tier', accepted: 3, rejected: 1 },
    });
    const pushed = { status: 200, body: { accepted: 2, rejected: 0, proposed: 2, errors: [] } };
    const again = [item('b.md'), item('c.md')];
    for (const _time of ['first', 'second']) expect(await agent.push(...again)).toMatchObject(pushed);
    const same = await agent.push(item('a.md', '1'));
    expect(same.body).toEqual({ accepted: 1, rejected: 0, proposed: 0, errors: [] });
    expect((await team.push(item('d.md'))).body).not.toHaveProperty('proposed');
    expect((await team.rows()).map(({ row_key }) => row_key).toSorted()).toEqual(['a.md', 'd.md']);
    expect((await agent.call('/whoami')).body).toMatchObject({ member: 'bob', access: 'propose' });
    const refused = [await agent.remove('a.md'), await agent.call('/codebases', { body: scan() })];
    for (const { status, body } of refused)
      expect({ status, body }).toEqual({ status: 403, body: problem('forbidden_access') });

    const reviewer = await exchange(service(), team.key);
    const list = async (authorization: string) =>
      (await callContent(service(), authorization, 'ListProposals')).message.proposals;
    const waiting = await list(reviewer);
    const byRow = Object.fromEntries(waiting.map((each: { rowKey: string }) => [each.rowKey, each]));
    expect(Object.keys(byRow).toSorted()).toEqual(['a.md', 'b.md', 'c.md']);
    const [accepted, declined] = [byRow['a.md'].proposalId, byRow['b.md'].proposalId];
    const accept = { proposalId: accepted };
    expect((await callContent(service(), reviewer, 'AcceptProposal', accept)).code).toBe('ok');
    const decline = { proposalId: declined, reason: 'Too short.' };
    expect((await callContent(service(), reviewer, 'DeclineProposal', decline)).code).toBe('ok');
    const [a] = await team.rows('?prefix=a.md');
    expect(a).toMatchObject({ content: item('a.md', '2').content, updated_by: 'ada' });
    const ofAgent = await list(await exchange(service(), agent.key));
    expect(ofAgent.map(({ state }: { state: string }) => state).toSorted()).toEqual([
      'PROPOSAL_STATE_ACCEPTED',
      'PROPOSAL_STATE_DECLINED',
      'PROPOSAL_STATE_WAITING',
    ]);
    expect(ofAgent.find(({ rowKey }: { rowKey: string }) => rowKey === 'b.md')).toMatchObject({
      decidedBy: 'ada',
      reason: 'Too short.',
    });
  });

  test("own pushes new items and changes its member's, each item judged by itself", async () => {
    const { team, keyFor } = await teamWith(service());
    const bob = await keyFor('team', { member: 'bob', access: 'own' });
    await team.push(item('ada.md'));
    const mixed = await bob.push(item('ada.md', 'changed'), item('bob.md'), item('ada.md'));
    expect(mixed.body).toMatchObject({ accepted: 2, rejected: 1 });
    expect(mixed.body.errors).toMatchObject([{ index: 0, row_key: 'ada.md', code: 'forbidden_access' }]);
    expect((await bob.push(item('bob.md', 'changed'))).body.accepted).toBe(1);
    const contents = (await team.rows()).map(({ row_key, updated_by }) => `${row_key} ${updated_by}`);
    expect(contents).toEqual(['ada.md ada', 'bob.md bob']);
  });

  test('own follows the last writer: what another member changed is theirs, of all keys of a member one is as good as another', async () => {
    const { team, keyFor } = await teamWith(service());
    const bob = await keyFor('team', { member: 'bob', access: 'own' });
    const again = await keyFor('team', { member: 'bob', access: 'own' });
    await bob.push(item('a.md', '1'));
    expect((await again.push(item('a.md', '2'))).body.accepted).toBe(1);
    await team.push(item('a.md', '3'));
    const refused = await bob.push(item('a.md', '4'));
    expect([refused.status, refused.body.errors[0].code]).toEqual([422, 'forbidden_access']);
    expect((await bob.remove('a.md')).body).toEqual(problem('forbidden_access'));
    const stale = await bob.push(item('a.md', '4', { base_checksum: item('a.md', '1').checksum }));
    expect(stale.body.errors[0].code).toBe('forbidden_access');
  });

  test('own within one batch may change what the batch created', async () => {
    const { keyFor } = await teamWith(service());
    const bob = await keyFor('team', { member: 'bob', access: 'own' });
    expect((await bob.push(item('a.md', '1'), item('a.md', '2'))).body).toMatchObject({ accepted: 2 });
  });

  test("own removes its member's items only, and may put a new item where one was removed", async () => {
    const { team, keyFor } = await teamWith(service());
    const bob = await keyFor('team', { member: 'bob', access: 'own' });
    await team.push(item('a.md'));
    await bob.push(item('b.md'));
    expect((await bob.remove('a.md')).status).toBe(403);
    expect((await bob.remove('b.md')).status).toBe(204);
    expect((await bob.remove('b.md')).status).toBe(204);
    await team.remove('a.md');
    expect((await bob.remove('a.md')).status).toBe(204);
    expect((await bob.push(item('a.md', 'new'))).body.accepted).toBe(1);
    expect((await bob.remove('a.md')).status).toBe(204);
  });

  test('own of an external key is the default, and hints at nothing that the key cannot see', async () => {
    const { team, keyFor } = await teamWith(service());
    const guest = await keyFor('external', { member: 'guest' });
    await team.push(item('internal.md'), open('open.md'));
    const hidden = await guest.remove('internal.md');
    const absent = await guest.remove('absent.md');
    expect([hidden.status, hidden.body.detail]).toEqual([404, absent.body.detail]);
    expect(hidden.body).toEqual(problem('not_found'));
    expect((await guest.remove('open.md')).body).toEqual(problem('forbidden_access'));
    expect((await guest.push(open('open.md', 'b'))).body.errors[0].code).toBe('forbidden_access');
    expect((await guest.push(open('internal.md', 'b'))).body.errors[0].code).toBe('forbidden_tier');
    expect((await guest.push(open('mine.md'))).body.accepted).toBe(1);
    await team.push(item('mine.md', 'taken in'));
    expect((await guest.remove('mine.md')).status).toBe(204);
    expect((await team.rows()).map(({ row_key }) => row_key)).toContain('mine.md');
  });

  test('an RPC with a token of the key obeys the same access', async () => {
    const { team, readKey, newKey } = await teamWith(service());
    await team.push(item('a.md'));
    const own = await newKey('team', { member: 'bob', access: 'own' });
    for (const key of [readKey, own]) {
      const bearer = await exchange(service(), key);
      expect((await callContent(service(), bearer, 'DeleteItem', { rowKey: 'a.md' })).code).toBe(
        'permission_denied',
      );
    }
    expect(await team.rows()).toHaveLength(1);
    const decision = { title: 'Use SQLite', body: '', status: 1, audience: 1 };
    const reading = await exchange(service(), readKey);
    expect((await callContent(service(), reading, 'CreateDecision', { decision })).code).toBe(
      'permission_denied',
    );
  });

  test('whoami tells whose key it is and what it may do', async () => {
    const { team, slug, keyFor } = await teamWith(service());
    const expiresAt = new Date(Math.ceil(Date.now() / 1000) * 1000 + 3_600_000);
    const guest = await keyFor('external', { member: 'guest', itemWritesPerMinute: 7, expiresAt });
    expect((await guest.call('/whoami')).body).toEqual({
      team: slug,
      member: 'guest',
      tier: 'external',
      access: 'own',
      key_id: guest.key.split('_')[1],
      expires_at: expiresAt.toISOString(),
      item_writes_per_minute: 7,
    });
    const ada = (await team.call('/whoami')).body;
    expect(ada).toMatchObject({ member: 'ada', tier: 'team', access: 'write', expires_at: null });
    expect(ada.item_writes_per_minute).toBeGreaterThan(7);
  });

  test('the keys of a removed member end within 5 seconds, and nobody else notices', async () => {
    const { team, slug, keyFor } = await teamWith(service());
    const keys = [await keyFor('team', { member: 'bob' }), await keyFor('external', { member: 'bob' })];
    for (const key of keys) expect((await key.pull()).status).toBe(200);
    await keys[0]?.push(item('bob.md'));
    const removed = await asAdministrator(service(), (admin) =>
      admin.removeMember({ team: slug, handle: 'bob' }),
    );
    const removedAt = performance.now();
    expect(removed).toEqual({ revoked_keys: 2 });
    let lastGoodMs = removedAt;
    for (const key of keys) {
      await eventually('the key has ended', async () => {
        const sentMs = performance.now();
        if ((await key.pull()).status === 401) return true;
        lastGoodMs = sentMs;
        return false;
      });
    }
    expect(lastGoodMs - removedAt).toBeLessThan(revocationMs);
    expect((await team.rows()).map(({ row_key }) => row_key)).toEqual(['bob.md']);
  });
});
