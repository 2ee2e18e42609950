import type { RateLimiter } from '@teammemory/admission/rolling-window.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { parseJsonBody } from '../bodies/json-body.ts';
import type { ReceivedBody } from '../bodies/read-body.ts';
import { takeSlots } from '../rate-limit/http-limits.ts';
import { originOf, strangerOf } from '../request.ts';
import { appName, redirectUris } from './client-documents.ts';
import { OAuthError } from './oauth-error.ts';
import { isListedRedirect } from './redirect-address.ts';
import type { RegisteredApps } from './registered-apps.ts';

/** Apps that one address registers in any 60 seconds. Hosted connectors register twice for each of their people. */
const maxRegistrations = 20;
const [grantTypes, responseTypes] = [['authorization_code', 'refresh_token'], ['code']];

/** What an app says of itself (RFC 7591, 2). Everything else is ignored, as that demands. */
const clientMetadata = z.object({
  redirect_uris: redirectUris,
  client_name: appName.default(''),
  // Without it the app may have meant a secret; the answer says that it has none.
  token_endpoint_auth_method: z.literal('none', 'must be none, as apps have no secret here').optional(),
  // Editors name grants beyond those that they need.
  grant_types: z
    .array(z.string())
    .refine((types) => types.includes('authorization_code'), 'must have authorization_code')
    .optional(),
  response_types: z
    .array(z.string())
    .refine((types) => types.includes('code'), 'must have code')
    .optional(),
});

/** Handles `POST /oauth/register` (RFC 7591): keeps what an app without a document says of itself. */
export function registrationHandler({
  registered,
  signIns,
}: {
  registered: RegisteredApps;
  signIns: RateLimiter;
}) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const { client_name: name, redirect_uris: addresses } = await readMetadata(request);
    const key = `registrations at ${strangerOf(request).address}`;
    await takeSlots({ limiter: signIns, policy: 'sign-ins', key, ownLimit: maxRegistrations, reply });
    const app = await registered.register({ name, redirectUris: addresses }, originOf(request));
    reply.code(201);
    return {
      client_id: app.clientId,
      client_id_issued_at: app.issuedAt,
      client_name: app.name,
      redirect_uris: app.redirectUris,
      grant_types: grantTypes,
      response_types: responseTypes,
      token_endpoint_auth_method: 'none',
    };
  };
}

/** @throws OAuthError `invalid_redirect_uri`, `invalid_client_metadata`, `invalid_request`; AppError `invalid_json`. */
async function readMetadata(request: FastifyRequest): Promise<z.output<typeof clientMetadata>> {
  const body = await parseJsonBody((request.body ?? undefined) as ReceivedBody | undefined);
  const { success, data, error } = clientMetadata.safeParse(body);
  const [issue] = error?.issues ?? [];
  if (success && data.redirect_uris.every((address) => isListedRedirect(address, [address]))) return data;
  if (success || issue?.path[0] === 'redirect_uris') {
    throw new OAuthError(
      'invalid_redirect_uri',
      'redirect_uris must be 1 to 20 addresses of https, or of http on 127.0.0.1, [::1] or localhost',
    );
  }
  const [member] = issue?.path ?? [];
  if (member === undefined) throw new OAuthError('invalid_request', 'the body must be a JSON object');
  throw new OAuthError('invalid_client_metadata', `${String(member)} ${issue?.message}`);
}
