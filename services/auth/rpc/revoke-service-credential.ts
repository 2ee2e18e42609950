import type { MethodImpl } from '@connectrpc/connect';
import type { AuthService } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { requireAdministrator } from '@teammemory/rpc/auth/caller-context.ts';
import type { ServiceCredentials } from '../domain/service-credentials.ts';
import { serviceCredentialToProto } from './service-credential-proto.ts';

/** Answers RevokeServiceCredential. */
export function revokeServiceCredentialHandler(
  serviceCredentials: ServiceCredentials,
): MethodImpl<typeof AuthService.method.revokeServiceCredential> {
  return async ({ name }, context) => {
    requireAdministrator(context);
    const credential = await serviceCredentials.revoke(name);
    return { serviceCredential: serviceCredentialToProto(credential) };
  };
}
