import { MemberRole } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { afterEach, describe, expect, it } from 'vitest';
import { type AdminClient, createAdminClient } from './admin-client.ts';
import { createdAt, fakeAuth, keyId, serveAuth } from './serve-auth.fixture.ts';

const stops: (() => void)[] = [];

afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

async function clientFor(auth: Parameters<typeof serveAuth>[0], timeoutMs?: number): Promise<AdminClient> {
  const server = await serveAuth(auth);
  const client = createAdminClient({ rpcUrl: server.rpcUrl, token: 'admin-token', timeoutMs });
  stops.push(client.close, server.close);
  return client;
}

describe('createAdminClient', () => {
  it('sends the admin token', async () => {
    let authorization: string | null = null;
    const client = await clientFor({
      revokeKey: (_, { requestHeader }) => {
        authorization = requestHeader.get('authorization');
        return { key: { keyId } };
      },
    });
    await client.revokeKey(keyId);
    expect(authorization).toBe('Bearer admin-token');
  });

  it('gives records with the names of the wire', async () => {
    const client = await clientFor(fakeAuth);
    const team = { team_id: 't1', slug: 'demo', name: 'Demo', created_at: createdAt };
    expect(await client.createTeam({ slug: 'demo', name: 'Demo' })).toEqual(team);
    const member = { member_id: 'm1', handle: 'ada', role: 'admin', created_at: createdAt };
    expect(await client.addMember({ team: 'demo', handle: 'ada', role: 'admin' })).toEqual(member);
  });

  it('creates a key with its expiry and gives the whole key', async () => {
    const client = await clientFor(fakeAuth);
    const expiresAt = new Date('2027-01-01T00:00:00.000Z');
    expect(
      await client.createKey({ team: 'demo', member: 'ada', tier: 'external', expiresAt }),
    ).toMatchObject({
      key: `tms_${keyId}_secret`,
      tier: 'external',
      expires_at: '2027-01-01T00:00:00.000Z',
      revoked_at: null,
    });
  });

  it('sums up a team, without the figures where they are withheld', async () => {
    const client = await clientFor(fakeAuth);
    expect(await client.getRollup({ team: 'demo', weeks: 1 })).toEqual({
      team: 'demo',
      from: '2026-11-16',
      to: '2026-11-22',
      rubric_version: 1,
      current: {
        members: 3,
        withheld: false,
        spines: { L0: 0, L2: 3 },
        median_axes: { autonomy: 2.5 },
      },
      trend: [{ week: '2026-11-16', members: 2, withheld: true, spines: null, median_axes: null }],
    });
    expect(await client.getRollup({ team: 'other' })).toMatchObject({
      current: { withheld: true },
      trend: [],
    });
  });

  it('scores every page of every team again, or of one team', async () => {
    const client = await clientFor(fakeAuth);
    expect(await client.rescore({})).toEqual({ teams: 2, scans: 4, snapshots: 1 });
    expect(await client.rescore({ team: 'demo' })).toEqual({ teams: 1, scans: 4, snapshots: 1 });
    expect(await client.rescore({ team: 'other' })).toEqual({ teams: 1, scans: 0, snapshots: 0 });
  });

  it('sums up the usage of a team from all its pages, with handles and dollars', async () => {
    const client = await clientFor(fakeAuth);
    const row = { day: '2026-11-20', model: 'gpt', calls: 2, input_tokens: 1_000, output_tokens: 30 };
    expect(await client.getUsage({ team: 'demo' })).toEqual({
      team: 'demo',
      from: '2026-10-23',
      to: '2026-11-21',
      usage: [
        { ...row, member: 'bob', cost_usd: 0.29 },
        { ...row, member: 'of-id-of-demo', cost_usd: 0.29 },
        { ...row, member: null, cost_usd: 0.000001 },
      ],
    });
    const days = { from: '2026-11-01', to: '2026-11-02' };
    expect(await client.getUsage({ team: 'demo', ...days })).toMatchObject(days);
  });

  it('creates, revokes and lists the credentials of services', async () => {
    const client = await clientFor(fakeAuth);
    const record = { credential_id: keyId, name: 'search', scopes: ['feed:read'], created_at: createdAt };
    const expiresAt = new Date('2027-01-01T00:00:00.000Z');
    const wanted = { name: 'search', scopes: ['feed:read'], expiresAt };
    expect(await client.createServiceCredential(wanted)).toEqual({
      ...record,
      expires_at: '2027-01-01T00:00:00.000Z',
      revoked_at: null,
      credential: `tmss_${keyId}_secret`,
    });
    const revoked = { ...record, expires_at: null, revoked_at: createdAt };
    expect(await client.revokeServiceCredential('search')).toEqual(revoked);
    const listed = (await Array.fromAsync(client.listServiceCredentials())).flat();
    expect(listed).toEqual(Array(2).fill({ ...record, expires_at: null, revoked_at: null }));
  });

  it('adds, removes and lists the addresses that people sign in with', async () => {
    const client = await clientFor(fakeAuth);
    const named = { address: 'ada@example.org', member: 'ada' };
    expect(await client.addSignInAddress({ team: 'demo', ...named })).toEqual({
      ...named,
      created_at: createdAt,
    });
    await client.removeSignInAddress({ team: 'demo', address: 'ada@example.org' });
    const listed = (await Array.fromAsync(client.listSignInAddresses('demo'))).flat();
    expect(listed.map(({ address }) => address)).toEqual(['ada@example.org', 'bo@example.org']);
  });

  it('lists every page of keys', async () => {
    const client = await clientFor(fakeAuth);
    expect((await Array.fromAsync(client.listKeys('demo'))).flat()).toHaveLength(2);
  });

  it("throws the service's own code and public message", async () => {
    const client = await clientFor(fakeAuth);
    await expect(client.createTeam({ slug: 'taken', name: 'Demo' })).rejects.toMatchObject({
      name: 'RpcError',
      code: 'already_exists',
      message: 'The slug is taken.',
    });
    await expect(client.revokeKey('mine')).rejects.toMatchObject({ code: 'permission_denied' });
  });

  it('gives up at its deadline, where nothing listens, and when it is cancelled', async () => {
    const client = await clientFor({ revokeKey: () => new Promise(() => undefined) }, 50);
    await expect(client.revokeKey('k')).rejects.toMatchObject({ code: 'timed_out' });
    const nobody = createAdminClient({ rpcUrl: 'http://127.0.0.1:1', token: 't' });
    stops.push(() => nobody.close());
    await expect(nobody.revokeKey('k')).rejects.toMatchObject({ code: 'unreachable' });
    const signal = AbortSignal.abort();
    await expect(nobody.revokeKey('k', { signal })).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('does not take a role of an unknown kind for an administrator', async () => {
    const client = await clientFor({
      addMember: ({ handle }) => ({ member: { memberId: 'm1', handle, role: MemberRole.UNSPECIFIED } }),
    });
    expect(await client.addMember({ team: 'demo', handle: 'ada', role: 'member' })).toMatchObject({
      role: 'member',
    });
  });
});
