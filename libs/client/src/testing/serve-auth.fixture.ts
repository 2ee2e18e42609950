import { createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Code, ConnectError, type ServiceImpl } from '@connectrpc/connect';
import { connectNodeAdapter } from '@connectrpc/connect-node';
import { AuthService } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { ErrorDetailSchema } from '@teammemory/proto/common/v1/error_pb.ts';

/** When everything in `fakeAuth` was created. */
export const createdAt = '2026-11-21T06:27:00.123Z';
export const keyId = 'k'.repeat(16);

const created = timestampFromDate(new Date(createdAt));
const alreadyExists = { desc: ErrorDetailSchema, value: { code: 'already_exists' } };

/** An auth service without a memory; the team `taken` exists already, the key `mine` may not be revoked. */
export const fakeAuth: Partial<ServiceImpl<typeof AuthService>> = {
  createTeam: ({ slug, name }) => {
    if (slug !== 'taken') return { team: { teamId: 't1', slug, name, createdAt: created } };
    throw new ConnectError('The slug is taken.', Code.AlreadyExists, undefined, [alreadyExists]);
  },
  addMember: ({ handle, role }) => ({ member: { memberId: 'm1', handle, role, createdAt: created } }),
  createKey: ({ memberHandle, tier, expiresAt }) => ({
    key: { keyId, memberHandle, tier, createdAt: created, expiresAt },
    secretKey: `tms_${keyId}_secret`,
  }),
  revokeKey: ({ keyId }) => {
    if (keyId === 'mine') throw new ConnectError('no', Code.PermissionDenied);
    return { key: { keyId, createdAt: created, revokedAt: created } };
  },
  listKeys: ({ pageToken }) => ({
    keys: [{ keyId, memberHandle: 'ada', createdAt: created }],
    nextPageToken: pageToken === '' ? 'p2' : '',
  }),
};

/** Serves an auth service over Connect on h2c on a free port of this machine. */
export async function serveAuth(
  auth: Partial<ServiceImpl<typeof AuthService>>,
): Promise<{ rpcUrl: string; close(): void }> {
  const server = createServer(connectNodeAdapter({ routes: (router) => router.service(AuthService, auth) }));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const rpcUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { rpcUrl, close: () => server.close() };
}
