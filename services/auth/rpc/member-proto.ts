import { create } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { MemberSchema, type Member as ProtoMember } from '@teammemory/proto/auth/v1/auth_pb.ts';
import type { Member } from '../domain/member.ts';
import { roleToProto } from './role-proto.ts';

/** A member as RPC writes it. */
export function memberToProto({ memberId, handle, role, createdAt }: Member): ProtoMember {
  return create(MemberSchema, {
    memberId,
    handle,
    role: roleToProto(role),
    createdAt: timestampFromMs(createdAt),
  });
}
