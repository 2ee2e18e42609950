import { MemberRole as ProtoRole } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { invalidRequest } from '../domain/invalid-request.ts';
import type { MemberRole } from '../domain/member.ts';

/** A role as RPC writes it. */
export function roleToProto(role: MemberRole): ProtoRole {
  return role === 'admin' ? ProtoRole.ADMIN : ProtoRole.MEMBER;
}

/** A role from a request; throws AppError `invalid_request` for an unset or unknown one. */
export function roleFromProto(role: ProtoRole): MemberRole {
  if (role === ProtoRole.ADMIN) return 'admin';
  if (role === ProtoRole.MEMBER) return 'member';
  throw invalidRequest('/role', 'must be admin or member');
}
