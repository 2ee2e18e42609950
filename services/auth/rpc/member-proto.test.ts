import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { MemberRole } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { expect, test } from 'vitest';
import { memberToProto } from './member-proto.ts';

test('a member is shown as it is stored', () => {
  expect(memberToProto({ memberId: 'id', handle: 'ada', role: 'admin', createdAt: 1_500 })).toMatchObject({
    memberId: 'id',
    handle: 'ada',
    role: MemberRole.ADMIN,
    createdAt: timestampFromMs(1_500),
  });
});
