import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { item } from '../support/http/api.ts';
import { type KeyHolder, keyHolder, newTeam } from '../support/http/key-holder.ts';
import { problem } from '../support/http/problem.ts';
import { callContent, exchange } from '../support/rpc/caller-tokens.ts';
import { asAdministrator } from '../support/service/as-administrator.ts';
import { describeEachService } from '../support/service/shared-service.ts';

const erase = (by: KeyHolder, rowKey: string) =>
  by.call(`/items/${encodeURIComponent(rowKey)}?erase=true`, { method: 'DELETE' });

describeEachService('an erasure, which cannot be undone', (service) => {
  test('is refused to a read key, another member, another team and a stranger, and everything stays', async () => {
    const clients = await newTeam(service());
    const { team, readKey, slug } = clients;
    await team.push(item('a.md', 'one', { tier: 'external' }));
    await team.push(item('a.md', 'two', { tier: 'external' }));
    const reader = keyHolder(service(), { slug }, readKey);
    const own = keyHolder(
      service(),
      { slug },
      await clients.newKey('team', { member: 'bob', access: 'own' }),
    );
    const guest = await clients.newKey('external', { member: 'eve', access: 'own' });
    for (const by of [reader, own, keyHolder(service(), { slug }, guest)]) {
      const { status, body } = await erase(by, 'a.md');
      expect({ status, body }).toEqual({ status: 403, body: problem('forbidden_access') });
    }
    const others = await newTeam(service());
    expect((await erase(others.team, 'a.md')).status).toBe(404);
    expect((await erase(keyHolder(service(), { slug }, others.teamKey), 'a.md')).status).toBe(403);
    expect((await erase(keyHolder(service(), { slug }, 'tms_nobody'), 'a.md')).status).toBe(401);
    expect((await team.call('/items/a.md/versions')).body.versions).toHaveLength(2);
  });

  test('does not reach what a guest may not see, by its name or over its tombstone, and tells nothing of it', async () => {
    const { team, external } = await newTeam(service());
    await team.push(item('plans/internal.md', 'the secret'), item('plans/gone.md', 'another secret'));
    await team.remove('plans/gone.md');
    const answers = [];
    for (const name of ['plans/internal.md', 'plans/gone.md', 'plans/absent.md'])
      answers.push(await erase(external, name));
    for (const { status, body } of answers) {
      expect(status).toBe(404);
      expect({ ...body, request_id: '' }).toEqual({ ...answers.at(-1)?.body, request_id: '' });
    }
    for (const name of ['plans/gone.md', 'plans/new.md'])
      await external.push(item(name, 'mine', { tier: 'external' }));
    const [over, fresh] = [await erase(external, 'plans/gone.md'), await erase(external, 'plans/new.md')];
    expect([over.status, fresh.status]).toEqual([204, 204]);
    const { versions } = (await team.call('/items/plans%2Fgone.md/versions')).body;
    const [, , written] = versions;
    const { body } = await team.call(`/items/plans%2Fgone.md/versions/${written.revision}`);
    expect(body.content).toBe('another secret');
    expect((await team.call('/items/plans%2Finternal.md')).status).toBe(200);
  });

  test('of what a member wrote is for administrators, counted first, noted, and can be run again', async () => {
    const clients = await newTeam(service());
    const { team, external, slug, teamId } = { ...clients, teamId: randomUUID() };
    const bob = keyHolder(service(), { slug }, await clients.newKey('team', { member: 'bob' }));
    await bob.push(item('bob.md', 'one'));
    await bob.push(item('bob.md', 'two'), item('shared.md', 'by bob'));
    await team.push(item('shared.md', 'by ada'));
    for (const { key } of [team, external]) {
      const message = { teamId, handle: 'bob' };
      const authorization = await exchange(service(), key);
      const { code } = await callContent(service(), authorization, 'EraseMemberTexts', message);
      expect(code).toBe('permission_denied');
    }
    const run = (dryRun: boolean) =>
      asAdministrator(service(), (admin) =>
        Array.fromAsync(admin.eraseMemberTexts({ team: slug, handle: 'bob', dryRun })),
      );
    const found = { items: 1, decisions: 0, versions: 2, proposals: 0 };
    expect((await run(true))[0]).toEqual(found);
    expect(await team.rows()).toHaveLength(2);
    expect((await run(false))[0]).toEqual(found);
    expect(await team.rows()).toMatchObject([{ row_key: 'shared.md', content: 'by ada' }]);
    expect((await team.call('/items/shared.md/versions')).body.versions).toHaveLength(1);
    const [erased, ...others] = (await team.call('/items/bob.md/versions')).body.versions;
    expect([erased.updated_by, erased.erased, others]).toEqual(['administrator', true, []]);
    expect((await run(false))[0]).toEqual({ items: 0, decisions: 0, versions: 0, proposals: 0 });
    const log = await asAdministrator(service(), (admin) =>
      Array.fromAsync(admin.audit.list('content', { team: slug })),
    );
    const acts = log.flat().filter(({ action }) => action === 'member.erase');
    expect(acts).toMatchObject([
      { object: 'bob', outcome: 'begun', after: { items: '1', decisions: '0', versions: '2' } },
      { object: 'bob', outcome: 'done' },
    ]);
  });

  test('is refused to a key that was revoked and to a member who was removed', async () => {
    const clients = await newTeam(service());
    const { team, slug } = clients;
    const former = keyHolder(service(), { slug }, await clients.newKey('team', { member: 'root' }));
    await former.push(item('a.md'));
    await asAdministrator(service(), (admin) => admin.removeMember({ team: slug, handle: 'root' }));
    // Whatever the gateway still remembers of the key.
    expect((await erase(former, 'a.md')).body).toEqual(problem('invalid_key'));
    expect((await team.call('/items/a.md/versions')).body.versions.at(0)?.updated_by).toBe('root');
  });
});
