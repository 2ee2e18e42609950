import type { NewDecision } from '@teammemory/client/rpc/decisions.ts';
import { createMemberClient, type MemberClient } from '@teammemory/client/rpc/member-client.ts';
import { describe, expect, test } from 'vitest';
import { newTeam } from './support/http/key-holder.ts';
import { callContent, exchange } from './support/rpc/caller-tokens.ts';
import { asAdministrator } from './support/service/as-administrator.ts';
import { describeEachService } from './support/service/shared-service.ts';

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const absent = '01890000-0000-7000-8000-000000000009';
const decision: NewDecision = { title: 'Use SQLite', body: 'Because it is there.', audience: 'team' };

describeEachService('decisions that members write', (service) => {
  async function asMember<Result>(
    key: string,
    work: (member: MemberClient) => Promise<Result>,
  ): Promise<Result> {
    const member = createMemberClient({ rpcUrl: service().rpcUrl, key });
    try {
      return await work(member);
    } finally {
      member.close();
    }
  }
  const teamIdOf = (key: string) =>
    exchange(service(), key).then((header) => {
      const claims = JSON.parse(Buffer.from(header.split('.')[1] ?? '', 'base64url').toString());
      return claims.principal.caller.teamId as string;
    });

  test('are created, edited, hidden and shown again, in the name of the member', async () => {
    const { team, teamKey } = await newTeam(service());
    const list = async () => (await team.call('/decisions')).body.decisions;
    await asMember(teamKey, async ({ decisions }) => {
      const { decision_id } = await decisions.create(decision);
      expect(await list()).toMatchObject([{ decision_id, title: 'Use SQLite', updated_by: 'ada' }]);
      await decisions.edit(decision_id, { status: 'accepted' });
      expect(await list()).toMatchObject([{ status: 'accepted', body: 'Because it is there.' }]);
      await decisions.edit(decision_id, { hidden: true });
      expect(await list()).toEqual([]);
      expect(await decisions.get(decision_id)).toMatchObject({ hidden: true, status: 'accepted' });
      expect((await Array.fromAsync(decisions.list())).flat()).toMatchObject([
        { decision_id, deleted: true },
      ]);
      await decisions.edit(decision_id, { hidden: false });
      expect(await list()).toMatchObject([{ decision_id, status: 'accepted' }]);
    });
  });

  test('are removed for good, by any member with a team-tier key, and readers are told', async () => {
    const { team, external, teamKey, newKey } = await newTeam(service());
    const other = await newTeam(service());
    const deletedFor = async (holder: typeof team) =>
      (await holder.call('/decisions?include_deleted=true')).body.decisions;
    const { decision_id } = await asMember(teamKey, async ({ decisions }) => {
      const made = await decisions.create({ ...decision, audience: 'external', body: '- [ ] do it' });
      await decisions.edit(made.decision_id, { title: 'Use it' });
      return made;
    });
    expect((await team.call('/tasks')).body.tasks).toHaveLength(1);
    await asMember(other.teamKey, async ({ decisions }) => {
      await expect(decisions.remove(decision_id)).rejects.toMatchObject({ code: 'not_found' });
    });
    await asMember(await newKey('team'), async ({ decisions }) => {
      await decisions.remove(decision_id);
      await decisions.remove(decision_id);
      const gone = { code: 'not_found' };
      await expect(decisions.get(decision_id)).rejects.toMatchObject(gone);
      await expect(decisions.edit(decision_id, { hidden: false })).rejects.toMatchObject(gone);
      await expect(Array.fromAsync(decisions.versions(decision_id))).rejects.toMatchObject({
        code: 'not_found',
      });
    });
    for (const holder of [team, external]) {
      expect(await deletedFor(holder)).toEqual([{ decision_id, updated_at: time, deleted: true }]);
    }
    expect((await team.call('/decisions')).body.decisions).toEqual([]);
    expect((await team.call('/tasks')).body.tasks).toEqual([]);
  });

  test('are not overwritten by who edited an older version, whoever that is', async () => {
    const { slug, teamKey } = await newTeam(service());
    await asMember(teamKey, async ({ decisions }) => {
      const { decision_id, updated_at } = await decisions.create(decision);
      const byAdministrator = await asAdministrator(service(), (admin) =>
        admin.decisions(slug).edit(decision_id, { title: 'Wait' }),
      );
      expect(byAdministrator.updated_by).toBe('administrator');
      const late = decisions.edit(decision_id, { title: 'x', baseUpdatedAt: new Date(updated_at ?? '') });
      await expect(late).rejects.toMatchObject({ code: 'conflict' });
      const versions = (await Array.fromAsync(decisions.versions(decision_id))).flat();
      expect(versions).toMatchObject([{ title: 'Use SQLite', updated_by: 'ada' }]);
    });
  });

  test('have a history of as many versions as items have, newest first', async () => {
    const { teamKey } = await newTeam(service());
    await asMember(teamKey, async ({ decisions }) => {
      const { decision_id } = await decisions.create({ ...decision, title: '0' });
      for (let edit = 1; edit <= 23; edit += 1) await decisions.edit(decision_id, { title: String(edit) });
      const versions = (await Array.fromAsync(decisions.versions(decision_id))).flat();
      expect(versions.map(({ title }) => title)).toEqual(
        Array.from({ length: 20 }, (_, index) => `${22 - index}`),
      );
    });
  });

  test('are not for external keys, whatever is there', async () => {
    const { teamKey, externalKey } = await newTeam(service());
    const shown = await asMember(teamKey, ({ decisions }) =>
      decisions.create({ ...decision, audience: 'external' }),
    );
    await asMember(externalKey, async ({ decisions }) => {
      for (const id of [shown.decision_id, absent]) {
        const refused = [
          decisions.create(decision),
          decisions.edit(id, { title: 'x' }),
          decisions.get(id),
          Array.fromAsync(decisions.versions(id)),
        ];
        const refusal = { code: 'permission_denied' };
        await Promise.all(refused.map((call) => expect(call).rejects.toMatchObject(refusal)));
      }
      expect((await Array.fromAsync(decisions.list())).flat()).toMatchObject([{ title: 'Use SQLite' }]);
    });
  });

  test('of another team look exactly like what does not exist, hidden or not, whatever team the message names', async () => {
    const [mine, other] = [await newTeam(service()), await newTeam(service())];
    const ids = await asMember(mine.teamKey, async ({ decisions }) => [
      (await decisions.create(decision)).decision_id,
      (await decisions.create({ ...decision, hidden: true })).decision_id,
    ]);
    const teamId = await teamIdOf(mine.teamKey);
    const stranger = await exchange(service(), other.teamKey);
    for (const method of ['GetDecision', 'EditDecision', 'ListDecisionVersions']) {
      const answers = [absent, ...ids].map((decisionId) =>
        callContent(service(), stranger, method, { teamId, decisionId, title: 'Stolen' }),
      );
      const [expected, ...others] = await Promise.all(answers);
      expect(expected).toMatchObject({ code: 'not_found' });
      expect(others).toEqual([expected, expected]);
    }
  });

  test('belong to their own team, whatever team the message names', async () => {
    const [mine, other] = [await newTeam(service()), await newTeam(service())];
    const teamId = await teamIdOf(mine.teamKey);
    const authorization = await exchange(service(), other.teamKey);
    const forged = { teamId, decision: { title: 'Planted', audience: 'TIER_TEAM' } };
    expect((await callContent(service(), authorization, 'CreateDecision', forged)).code).toBe('ok');
    const project = { teamId, slug: 'planted', name: 'Planted' };
    expect((await callContent(service(), authorization, 'CreateProject', project)).code).toBe('ok');
    expect((await mine.team.call('/decisions')).body.decisions).toEqual([]);
    expect((await mine.team.call('/projects')).body.projects).toEqual([]);
    expect((await other.team.call('/decisions')).body.decisions).toMatchObject([{ title: 'Planted' }]);
    expect((await other.team.call('/projects')).body.projects).toMatchObject([{ slug: 'planted' }]);
  });

  test('make tasks of the checkboxes in their bodies', async () => {
    const { team, teamKey } = await newTeam(service());
    await asMember(teamKey, ({ decisions }) =>
      decisions.create({ ...decision, body: '- [ ] tell all @bob\n' }),
    );
    expect((await team.call('/tasks')).body.tasks).toMatchObject([{ title: 'tell all', owner: 'bob' }]);
  });

  test('leave the sight of external keys as a removed row when they become internal', async () => {
    const { external, teamKey } = await newTeam(service());
    const rows = async () => (await external.call('/decisions?include_deleted=true')).body.decisions;
    await asMember(teamKey, async ({ decisions }) => {
      const { decision_id } = await decisions.create({ ...decision, audience: 'external' });
      expect(await rows()).toMatchObject([{ decision_id, title: 'Use SQLite' }]);
      await decisions.edit(decision_id, { audience: 'team' });
      expect(await rows()).toEqual([{ decision_id, updated_at: time, deleted: true }]);
    });
  });

  describe('with a token of their own', () => {
    test('cannot push items past the limit that the gateway counts', async () => {
      const { team, teamKey } = await newTeam(service());
      const authorization = await exchange(service(), teamKey);
      const item = { rowKey: 'a.md', content: 'a', frontmatterJson: 'e30=', tier: 'team' };
      const pushed = await callContent(service(), authorization, 'PushItems', { items: [item] });
      expect(pushed.code).toBe('permission_denied');
      expect(await team.rows()).toEqual([]);
    });

    test('is for one service: another refuses it', async () => {
      const { teamKey } = await newTeam(service());
      const authorization = await exchange(service(), teamKey, 'query');
      expect((await callContent(service(), authorization, 'ListItems')).code).toBe('unauthenticated');
    });
  });
});
