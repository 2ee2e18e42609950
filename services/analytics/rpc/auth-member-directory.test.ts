import { Code, ConnectError, createClient } from '@connectrpc/connect';
import { AppError } from '@teammemory/errors/app-error.ts';
import { AnalyticsService } from '@teammemory/proto/analytics/v1/analytics_pb.ts';
import { AuthService, MemberRole } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { requestIdInterceptor } from '@teammemory/rpc/auth/call-origin.ts';
import { createDirectTransport } from '@teammemory/rpc/client/direct-transport.ts';
import { connectErrorFrom } from '@teammemory/rpc/error-translation.ts';
import { rpcService } from '@teammemory/rpc/server/rpc-service.ts';
import { expect, test } from 'vitest';
import type { KnownMember } from '../domain/push-snapshot.ts';
import { createAuthMemberDirectory } from './auth-member-directory.ts';

/** Looks `ada` up in a directory whose auth service answers like this. */
function lookUp(answer: () => { member?: { memberId: string; role?: MemberRole } }): Promise<KnownMember> {
  const service = rpcService(AuthService, {
    findMember({ teamId, handle }, { requestHeader }) {
      expect({ teamId, handle }).toEqual({ teamId: 'team-1', handle: 'Ada' });
      expect(requestHeader.get('authorization')).toBe('Bearer token for auth');
      return answer();
    },
  });
  const directory = createAuthMemberDirectory({
    transport: createDirectTransport(service, []),
    serviceToken: async (audience) => `token for ${audience}`,
  });
  return directory.find('team-1', 'Ada');
}

test('a member is found with a token of our own', async () => {
  const member = { memberId: 'm1' };
  expect(await lookUp(() => ({ member }))).toEqual({ ...member, isAdministrator: false });
});

test('only the role of administrators makes one', async () => {
  const roles = [MemberRole.ADMIN, MemberRole.MEMBER, MemberRole.UNSPECIFIED];
  const found = await Promise.all(roles.map((role) => lookUp(() => ({ member: { memberId: 'm1', role } }))));
  expect(found.map(({ isAdministrator }) => isAdministrator)).toEqual([true, false, false]);
});

test.for([
  ['nobody', new AppError('not_found', 'no'), 'unknown_member'],
  ['an outage', new AppError('unavailable', 'down'), 'unavailable'],
  ['a refusal of our token', new AppError('permission_denied', 'no'), 'internal'],
] as const)('%s is told apart', async ([, error, code]) => {
  const call = lookUp(() => {
    throw connectErrorFrom(error);
  });
  await expect(call).rejects.toMatchObject({ code });
});

test('a service that is not there is unavailable, not a missing member', async () => {
  const call = lookUp(() => {
    throw new ConnectError('connection refused', Code.Unavailable);
  });
  await expect(call).rejects.toMatchObject({ code: 'unavailable' });
  await expect(lookUp(() => ({}))).rejects.toMatchObject({ code: 'unknown_member' });
});

test('auth is told the id of the request that asks, and none where no request asks', async () => {
  const told: (string | null)[] = [];
  const service = rpcService(AuthService, {
    findMember(_request, { requestHeader }) {
      told.push(requestHeader.get('x-request-id'));
      return { member: { memberId: 'm1' } };
    },
  });
  const directory = createAuthMemberDirectory({
    transport: createDirectTransport(service, []),
    serviceToken: async () => 'token',
  });
  const asking = rpcService(AnalyticsService, {
    async listCodebases() {
      await directory.find('team-1', 'Ada');
      return {};
    },
  });
  const analytics = createClient(AnalyticsService, createDirectTransport(asking, [requestIdInterceptor]));
  await Promise.all(
    ['one', 'two'].map((id) => analytics.listCodebases({}, { headers: { 'x-request-id': id } })),
  );
  await directory.find('team-1', 'Ada');
  expect(told.toSorted()).toEqual([null, 'one', 'two'].toSorted());
});
