import { AppError } from '@teammemory/errors/app-error.ts';
import { type Access, accesses } from '@teammemory/vocabulary/access.ts';
import { isSlug } from '@teammemory/vocabulary/formats.ts';
import type { ClientDocument } from './client-documents.ts';
import { scopeOfAccess } from './metadata.ts';
import { isListedRedirect } from './redirect-address.ts';

/** Characters of a request's query; the state is the only part whose length the client chooses. */
export const maxRequestCharacters = 4_096;

/** What a client asks a person for. */
export interface AuthorizationRequest {
  client: ClientDocument;
  redirectUri: string;
  codeChallenge: string;
  /** The endpoint that the tokens are for. */
  resource: string;
  /** What the client asks for at most. */
  access: Access;
  /** Returns the address that tells the client what became of its request. */
  answer(fields: Readonly<Record<string, string>>): string;
}

/**
 * A request that is wrong: what the person is told, and where the browser goes on once they want that. It is not sent there
 * at once, or this page would send anybody wherever a document lists.
 */
export interface RefusedRequest {
  client: ClientDocument;
  redirectUri: string;
  refused: string;
  location: string;
}

const single = [
  ...['client_id', 'redirect_uri', 'response_type', 'response_mode', 'scope', 'state'],
  ...['code_challenge', 'code_challenge_method'],
];

/**
 * Returns the request that a query of `/oauth/authorize` makes. Nothing is sent to an address until it is found to
 * be the client's; before that only the person learns what is wrong.
 * @throws AppError `invalid_request`, a sentence for people.
 */
export async function readAuthorizationRequest(
  query: string,
  { findClient, issuer }: { findClient(clientId: string): Promise<ClientDocument>; issuer: string },
): Promise<AuthorizationRequest | RefusedRequest> {
  const parameters = new URLSearchParams(query);
  for (const name of single) {
    if (parameters.getAll(name).length > 1) throw wrong(`The app sent ${name} more than once.`);
  }
  const client = await findClient(parameters.get('client_id') ?? '');
  const redirectUri = parameters.get('redirect_uri') ?? '';
  if (!isListedRedirect(redirectUri, client.redirectUris)) {
    throw wrong(
      'The app wants its answer at an address that its document does not list, or that it did not register.',
    );
  }
  const state = parameters.get('state');
  const answer = (fields: Readonly<Record<string, string>>) => {
    const url = new URL(redirectUri);
    // The issuer tells a client of several servers which of them answers (RFC 9207).
    const all = { ...fields, ...(state !== null && { state }), iss: issuer };
    for (const [name, value] of Object.entries(all)) url.searchParams.set(name, value);
    return url.href;
  };
  const refused = (error: string, description: string): RefusedRequest => ({
    client,
    redirectUri,
    refused: description,
    location: answer({ error, error_description: description }),
  });
  if (!parameters.has('response_type')) return refused('invalid_request', 'response_type is missing');
  if (parameters.get('response_type') !== 'code') {
    return refused('unsupported_response_type', 'response_type must be code');
  }
  if ((parameters.get('response_mode') ?? 'query') !== 'query') {
    return refused('invalid_request', 'response_mode must be query');
  }
  for (const name of ['request', 'request_uri']) {
    if (parameters.has(name)) return refused(`${name}_not_supported`, 'request objects are not supported');
  }
  const codeChallenge = parameters.get('code_challenge') ?? '';
  if (parameters.get('code_challenge_method') !== 'S256' || !/^[\w-]{43}$/.test(codeChallenge)) {
    return refused('invalid_request', 'code_challenge with code_challenge_method S256 is required');
  }
  const resource = resourceFrom(parameters.getAll('resource'), issuer);
  if (resource === undefined) return refused('invalid_target', `resource must be ${issuer}/mcp or below it`);
  const access = accessFrom(parameters.get('scope'));
  if (access === undefined) return refused('invalid_scope', 'no scope of this service');
  return { client, redirectUri, codeChallenge, resource, access, answer };
}

/**
 * The endpoint that a client names, without a query such as that of a profile; undefined for what is none. Some clients name
 * none at all, and others the origin: that is the endpoint for every team.
 */
export function resourceFrom(named: readonly string[], issuer: string): string | undefined {
  const [first = '', ...more] = named;
  if (more.length > 0) return undefined;
  const resource = first.replace(/\?[^#]*$/, '').replace(/\/$/, '');
  if (resource === '' || resource === issuer) return `${issuer}/mcp`;
  const path = resource.startsWith(`${issuer}/`) ? resource.slice(issuer.length) : '';
  const team = /^\/mcp\/(.*)$/.exec(path)?.[1];
  return path === '/mcp' || isSlug(team) ? resource : undefined;
}

/** The most that the scopes ask for; scopes of others, such as `offline_access`, ask for nothing here. */
function accessFrom(scope: string | null): Access | undefined {
  const words = (scope ?? '').split(' ').filter((word) => word !== '');
  if (words.length === 0) return 'write';
  return accesses.findLast((access) => words.includes(scopeOfAccess[access]));
}

function wrong(message: string): AppError {
  return new AppError('invalid_request', message);
}
