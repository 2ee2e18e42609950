import type { MethodImpl } from '@connectrpc/connect';
import type { AuthService } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { requireAdministrator } from '@teammemory/rpc/auth/caller-context.ts';
import type { ServiceCredentials } from '../domain/service-credentials.ts';
import { nextPageTokenToProto, pageTokenFromProto } from './page-token.ts';
import { serviceCredentialToProto } from './service-credential-proto.ts';

const list = 'service-credentials';

/** Answers ListServiceCredentials. */
export function listServiceCredentialsHandler(
  serviceCredentials: ServiceCredentials,
): MethodImpl<typeof AuthService.method.listServiceCredentials> {
  return async (request, context) => {
    requireAdministrator(context);
    const afterName = pageTokenFromProto(list, request.pageToken);
    const page = await serviceCredentials.list(afterName, request.pageSize);
    return {
      serviceCredentials: page.rows.map(serviceCredentialToProto),
      nextPageToken: nextPageTokenToProto(list, page, ({ name }) => name),
    };
  };
}
