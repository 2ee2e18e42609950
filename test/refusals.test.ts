import { eventually } from '@teammemory/testkit/eventually.ts';
import { expect, test } from 'vitest';
import { item } from './support/http/api.ts';
import { openSession } from './support/http/browser-session.ts';
import { newTeam } from './support/http/key-holder.ts';
import { rpcCall } from './support/rpc/rpc-call.ts';
import { describeEachService } from './support/service/shared-service.ts';

describeEachService('refusals', (service) => {
  /** What the team was refused, as an administrator of the installation sees it. */
  async function refusalsOf(teamSlug: string): Promise<Record<string, string>[]> {
    const { message } = await rpcCall({
      rpcUrl: service().rpcUrl,
      protocol: 'connect',
      message: { teamSlug },
      authorization: `Bearer ${service().adminToken}`,
      method: 'teammemory.auth.v1.AuthService/ListRefusals',
    });
    return (message.refusals ?? []) as Record<string, string>[];
  }

  test('of requests, of items in a push and of RPCs can be looked up, by code and with the public detail', async () => {
    const { slug, team, external, teamKey } = await newTeam(service());
    const diary = '---\naudience: private\n---\n\nDear diary\n';
    await team.push(item('good.md'), item('a//b.md'), item('diary.md', diary));
    await external.push(item('note.md', '# Note\n', { tier: 'team' }));
    await team.call('/items?limit=-1');
    await team.call('/items/nowhere.md', { method: 'DELETE' });
    const session = await openSession(service(), { key: teamKey });
    expect((await session.rpc('teammemory.auth.v1.AuthService/CreateTeam', { slug: 'x' })).status).toBe(403);
    const refusals = await eventually('every refusal', async () => {
      const all = await refusalsOf(slug);
      return all.some(({ code }) => code === 'permission_denied') && all.length >= 5 ? all : undefined;
    });
    const found = (code: string) => refusals.filter((refusal) => refusal.code === code);
    const [denied] = found('permission_denied');
    expect(denied?.request).toBe('teammemory.auth.v1.AuthService/CreateTeam');
    expect(found('invalid_request')).toContainEqual(
      expect.objectContaining({ request: 'POST /api/v1/items', rowKey: 'a//b.md' }),
    );
    expect(found('invalid_request')).toContainEqual(
      expect.objectContaining({ request: 'GET /api/v1/items' }),
    );
    expect(found('forbidden_tier')).toHaveLength(1);
    expect(found('forbidden_tier')[0]?.keyId).not.toBe(denied?.keyId);
    expect(found('not_found')).toEqual([]);
    expect(found('admin_tier')).toHaveLength(1);
    expect(JSON.stringify(refusals)).not.toContain('diary');
  });

  test('of one team are not seen by another, and a guest sees none', async () => {
    const [mine, other] = [await newTeam(service()), await newTeam(service())];
    await mine.team.call('/items?limit=-1');
    await eventually('the refusal', async () => (await refusalsOf(mine.slug)).length > 0);
    expect(await refusalsOf(other.slug)).toEqual([]);
    const method = 'teammemory.auth.v1.AuthService/ListRefusals';
    const list = async (key: string) =>
      (await openSession(service(), { key })).rpc(method, { teamSlug: mine.slug });
    expect((await list(mine.teamKey)).body.refusals).toHaveLength(1);
    expect((await list(other.teamKey)).status).toBe(404);
    expect(await list(mine.externalKey)).toMatchObject({ status: 403, body: { code: 'permission_denied' } });
  });
});
