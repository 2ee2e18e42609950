import type { MethodImpl } from '@connectrpc/connect';
import type { AuthService } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { requireAdministrator } from '@teammemory/rpc/auth/caller-context.ts';
import { pageSizeFromProto } from '@teammemory/rpc/page-size.ts';
import { maxPageRows } from '@teammemory/vocabulary/limits.ts';
import type { ServiceCredentials } from '../domain/service-credentials.ts';
import { optionalTimestampFromProto, scopesFromProto, serviceCredentialToProto } from './auth-proto.ts';
import { nextPageTokenToProto, pageTokenFromProto } from './page-token.ts';

/** Handles `CreateServiceCredential`. */
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

/** Handles `RevokeServiceCredential`. */
export function revokeServiceCredentialHandler(
  serviceCredentials: ServiceCredentials,
): MethodImpl<typeof AuthService.method.revokeServiceCredential> {
  return async ({ name }, context) => {
    requireAdministrator(context);
    const credential = await serviceCredentials.revoke(name);
    return { serviceCredential: serviceCredentialToProto(credential) };
  };
}

const list = 'service-credentials';

/** Handles `ListServiceCredentials`. */
export function listServiceCredentialsHandler(
  serviceCredentials: ServiceCredentials,
): MethodImpl<typeof AuthService.method.listServiceCredentials> {
  return async (request, context) => {
    requireAdministrator(context);
    const afterName = pageTokenFromProto(list, request.pageToken);
    const page = await serviceCredentials.list(afterName, pageSizeFromProto(request.pageSize, maxPageRows));
    return {
      serviceCredentials: page.rows.map(serviceCredentialToProto),
      nextPageToken: nextPageTokenToProto(list, page, ({ name }) => name),
    };
  };
}
