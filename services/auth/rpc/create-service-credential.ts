import type { MethodImpl } from '@connectrpc/connect';
import type { AuthService } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { requireAdministrator } from '@teammemory/rpc/auth/caller-context.ts';
import type { ServiceCredentials } from '../domain/service-credentials.ts';
import { scopesFromProto, serviceCredentialToProto } from './service-credential-proto.ts';
import { optionalTimestampFromProto } from './timestamp-proto.ts';

/** Answers CreateServiceCredential. */
export function createServiceCredentialHandler(
  serviceCredentials: ServiceCredentials,
): MethodImpl<typeof AuthService.method.createServiceCredential> {
  return async (request, context) => {
    requireAdministrator(context);
    const { credential, text } = await serviceCredentials.create({
      name: request.name,
      scopes: scopesFromProto(request.scopes),
      expiresAt: optionalTimestampFromProto(request.expiresAt),
    });
    return { serviceCredential: serviceCredentialToProto(credential), secretCredential: text };
  };
}
