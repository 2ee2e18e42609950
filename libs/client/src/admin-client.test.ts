import { createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Code, ConnectError, type ServiceImpl } from '@connectrpc/connect';
import { connectNodeAdapter } from '@connectrpc/connect-node';
import { AuthService, MemberRole } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { ErrorDetailSchema } from '@teammemory/proto/common/v1/error_pb.ts';
import { Tier } from '@teammemory/proto/common/v1/tier_pb.ts';
import { afterEach, describe, expect, it } from 'vitest';
import { type AdminClient, createAdminClient } from './admin-client.ts';

const stops: (() => void)[] = [];

afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

async function clientFor(
  auth: Partial<ServiceImpl<typeof AuthService>>,
  timeoutMs?: number,
): Promise<AdminClient> {
  const server = createServer(connectNodeAdapter({ routes: (router) => router.service(AuthService, auth) }));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const rpcUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = createAdminClient({ rpcUrl, token: 'admin-token', timeoutMs });
  stops.push(() => {
    client.close();
    server.close();
  });
  return client;
}

const createdAt = timestampFromDate(new Date('2026-11-21T06:27:00.123Z'));
const key = { keyId: 'k'.repeat(16), memberHandle: 'ada', tier: Tier.EXTERNAL, createdAt };

describe('createAdminClient', () => {
  it('sends the admin token and gives records with the names of the wire', async () => {
    const client = await clientFor({
      createTeam: ({ slug, name }, { requestHeader }) => {
        expect(requestHeader.get('authorization')).toBe('Bearer admin-token');
        return { team: { teamId: 't1', slug, name, createdAt } };
      },
      addMember: ({ handle, role }) => ({ member: { memberId: 'm1', handle, role, createdAt } }),
    });
    const created_at = '2026-11-21T06:27:00.123Z';
    const team = { team_id: 't1', slug: 'demo', name: 'Demo', created_at };
    expect(await client.createTeam({ slug: 'demo', name: 'Demo' })).toEqual(team);
    const member = { member_id: 'm1', handle: 'ada', role: 'admin', created_at };
    expect(await client.addMember({ team: 'demo', handle: 'ada', role: 'admin' })).toEqual(member);
  });

  it('creates a key with its expiry and gives the whole key', async () => {
    const client = await clientFor({
      createKey: ({ tier, expiresAt }) => ({ key: { ...key, tier, expiresAt }, secretKey: 'tms_k_s' }),
    });
    const expiresAt = new Date('2027-01-01T00:00:00.000Z');
    expect(
      await client.createKey({ team: 'demo', member: 'ada', tier: 'external', expiresAt }),
    ).toMatchObject({
      key: 'tms_k_s',
      tier: 'external',
      expires_at: '2027-01-01T00:00:00.000Z',
      revoked_at: null,
    });
  });

  it('lists every page of keys', async () => {
    const client = await clientFor({
      listKeys: ({ pageToken }) => ({ keys: [key], nextPageToken: pageToken === '' ? 'p2' : '' }),
    });
    expect((await Array.fromAsync(client.listKeys('demo'))).flat()).toHaveLength(2);
  });

  it("throws the service's own code and public message", async () => {
    const client = await clientFor({
      createTeam: () => {
        const detail = { desc: ErrorDetailSchema, value: { code: 'already_exists' } };
        throw new ConnectError('The slug is taken.', Code.AlreadyExists, undefined, [detail]);
      },
      revokeKey: () => {
        throw new ConnectError('no', Code.PermissionDenied);
      },
    });
    await expect(client.createTeam({ slug: 'demo', name: 'Demo' })).rejects.toMatchObject({
      name: 'RpcError',
      code: 'already_exists',
      message: 'The slug is taken.',
    });
    await expect(client.revokeKey('k')).rejects.toMatchObject({ code: 'permission_denied' });
  });

  it('gives up at its deadline, and where nothing listens', async () => {
    const client = await clientFor({ revokeKey: () => new Promise(() => undefined) }, 50);
    await expect(client.revokeKey('k')).rejects.toMatchObject({ code: 'timed_out' });
    const nobody = createAdminClient({ rpcUrl: 'http://127.0.0.1:1', token: 't' });
    stops.push(() => nobody.close());
    await expect(nobody.revokeKey('k')).rejects.toMatchObject({ code: 'unreachable' });
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
