import type { MethodImpl } from '@connectrpc/connect';
import type { AuthService } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { requireScope } from '@teammemory/rpc/auth/caller-context.ts';
import type { Members } from '../domain/members.ts';
import { memberToProto } from './member-proto.ts';

/** Answers FindMember. */
export function findMemberHandler(members: Members): MethodImpl<typeof AuthService.method.findMember> {
  return async (request, context) => {
    requireScope(context, 'auth:read');
    const member = await members.get(request.teamId, request.handle);
    return { member: memberToProto(member) };
  };
}
