import type { ServiceImpl } from '@connectrpc/connect';
import type { AuthService } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { requireAdministrator } from '@teammemory/rpc/auth/caller-context.ts';
import { scopes as knownScopes } from '@teammemory/rpc/auth/principal.ts';
import { pageSizeFromProto } from '@teammemory/rpc/request-fields.ts';
import type { Audit } from '@teammemory/rpc/server/audit-handlers.ts';
import { maxPageRows } from '@teammemory/vocabulary/limits.ts';
import type { ServiceCredentials } from '../domain/service-credentials.ts';
import { checkTeamScopes } from '../domain/team-scopes.ts';
import type { Teams } from '../domain/teams.ts';
import { optionalTimestampFromProto, serviceCredentialToProto } from './auth-proto.ts';
import { nextPageTokenToProto, pageTokenFromProto } from './page-token.ts';

type Handlers = ServiceImpl<typeof AuthService>;

interface Dependencies {
  serviceCredentials: ServiceCredentials;
  teams: Pick<Teams, 'get'>;
  audit: Audit;
}

/** Handles `CreateServiceCredential`. */
export function createServiceCredentialHandler({
  serviceCredentials,
  teams,
  audit,
}: Dependencies): Handlers['createServiceCredential'] {
  return async (request, context) => {
    requireAdministrator(context);
    await checkTeamScopes(teams, request.scopes, knownScopes);
    const wanted = {
      name: request.name,
      scopes: request.scopes,
      expiresAt: optionalTimestampFromProto(request.expiresAt),
    };
    const { credential, text } = await audit.act(
      context,
      {
        action: 'service_credential.create',
        object: wanted.name,
        after: { scopes: wanted.scopes.join(' ') },
      },
      () => serviceCredentials.create(wanted),
    );
    return { serviceCredential: serviceCredentialToProto(credential), secretCredential: text };
  };
}

/** Handles `RevokeServiceCredential`. */
export function revokeServiceCredentialHandler({
  serviceCredentials,
  audit,
}: Dependencies): Handlers['revokeServiceCredential'] {
  return async ({ name }, context) => {
    requireAdministrator(context);
    const credential = await audit.act(context, { action: 'service_credential.revoke', object: name }, () =>
      serviceCredentials.revoke(name),
    );
    return { serviceCredential: serviceCredentialToProto(credential) };
  };
}

const list = 'service-credentials';

/** Handles `ListServiceCredentials`. */
export function listServiceCredentialsHandler({
  serviceCredentials,
}: Dependencies): Handlers['listServiceCredentials'] {
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
