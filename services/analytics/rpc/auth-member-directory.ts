import { createClient, type Transport } from '@connectrpc/connect';
import { AppError } from '@teammemory/errors/app-error.ts';
import { AuthService, MemberRole } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { requestIdHeaders } from '@teammemory/rpc/auth/call-origin.ts';
import { appErrorFromRpc } from '@teammemory/rpc/error-translation.ts';
import type { MemberDirectory } from '../domain/push-snapshot.ts';

/** A look-up takes milliseconds. If it takes longer than this, auth counts as unavailable. */
const callTimeoutMs = 5_000;

/** Looks members up in the auth service, with the identity of `serviceToken`. */
export function createAuthMemberDirectory(options: {
  transport: Transport;
  /** A token for calls to that service, with the scope auth:read. */
  serviceToken: (audience: 'auth') => Promise<string>;
}): MemberDirectory {
  const auth = createClient(AuthService, options.transport);
  return {
    async find(teamId, handle) {
      const headers = {
        authorization: `Bearer ${await options.serviceToken('auth')}`,
        ...requestIdHeaders(),
      };
      const { member } = await auth
        .findMember({ teamId, handle }, { headers, timeoutMs: callTimeoutMs })
        .catch((thrown: unknown) => {
          throw asOurs(appErrorFromRpc(thrown));
        });
      if (member === undefined) throw unknownMember();
      return { memberId: member.memberId, isAdministrator: member.role === MemberRole.ADMIN };
    },
  };
}

function unknownMember(): AppError {
  return new AppError('unknown_member', 'The member is not on the team of the key.', {
    violations: [{ pointer: '/member', detail: 'is not on the team' }],
  });
}

/** A refusal of our own token or request must not look like a refusal of the caller's. */
function asOurs(error: AppError): AppError {
  if (error.code === 'not_found') return unknownMember();
  if (error.code === 'unavailable') return error;
  return new AppError('internal', 'Something went wrong on our side.', { cause: error });
}
