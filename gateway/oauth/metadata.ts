import type { Access } from '@teammemory/vocabulary/access.ts';

/** Where clients look for the metadata of the authorization server (RFC 8414). */
export const serverMetadataPath = '/.well-known/oauth-authorization-server';
/** The page on which a person lets a client act; the dashboard answers it. */
const authorizePath = '/oauth/authorize';
export const tokenPath = '/oauth/token';
export const revocationPath = '/oauth/revoke';
export const registrationPath = '/oauth/register';

/** The scopes by the access that they stand for, from least to most. */
export const scopeOfAccess = {
  read: 'memory:read',
  propose: 'memory:propose',
  own: 'memory:own',
  write: 'memory:write',
} as const satisfies Record<Access, string>;

/** All scopes. They are all named at once, because clients do not ask for more later. */
export const scopes: readonly string[] = Object.values(scopeOfAccess);

/**
 * Returns the metadata of the authorization server, which is this gateway on its own origin.
 * @param canRegister whether apps may register themselves
 */
export function serverMetadata(issuer: string, canRegister: boolean) {
  return {
    issuer,
    authorization_endpoint: `${issuer}${authorizePath}`,
    token_endpoint: `${issuer}${tokenPath}`,
    revocation_endpoint: `${issuer}${revocationPath}`,
    ...(canRegister && { registration_endpoint: `${issuer}${registrationPath}` }),
    scopes_supported: scopes,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    // Without both of these, hosted connectors silently fall back to registering themselves.
    token_endpoint_auth_methods_supported: ['none'],
    client_id_metadata_document_supported: true,
    revocation_endpoint_auth_methods_supported: ['none'],
    authorization_response_iss_parameter_supported: true,
    service_documentation: `${issuer}/docs`,
  };
}
