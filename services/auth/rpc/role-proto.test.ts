import { MemberRole } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { expect, test } from 'vitest';
import { roleFromProto, roleToProto } from './role-proto.ts';

test('roles survive the way there and back', () => {
  for (const role of ['admin', 'member'] as const) expect(roleFromProto(roleToProto(role))).toBe(role);
  expect(roleToProto('admin')).toBe(MemberRole.ADMIN);
});

test('a role that is unset or unknown is refused, never taken for one', () => {
  for (const role of [MemberRole.UNSPECIFIED, 3 as MemberRole, -1 as MemberRole]) {
    expect(() => roleFromProto(role)).toThrowError(expect.objectContaining({ code: 'invalid_request' }));
  }
});
