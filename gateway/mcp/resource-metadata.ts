import { isSlug } from '@teammemory/vocabulary/formats.ts';
import type { FastifyRequest } from 'fastify';
import { scopes } from '../oauth/metadata.ts';
import type { RequestHost } from './trusted-host.ts';

/** Where clients look for the metadata of a protected resource (RFC 9728). */
export const metadataPath = '/.well-known/oauth-protected-resource';

/** What a client without a key can learn: who issues access tokens, and for what they are asked. */
export interface ResourceMetadata {
  resource: string;
  authorization_servers: string[];
  scopes_supported: readonly string[];
  bearer_methods_supported: ['header'];
  resource_name: string;
  resource_documentation: string;
}

/**
 * Returns the metadata of a resource. It says the same about every path, so it does not tell which teams exist.
 * @param path of the resource: '', `/mcp` or `/mcp/<team>`
 */
export function resourceMetadata(origin: string, path: string): ResourceMetadata {
  return {
    resource: `${origin}${path}`,
    authorization_servers: [origin],
    scopes_supported: scopes,
    bearer_methods_supported: ['header'],
    resource_name: 'Team Memory',
    resource_documentation: `${origin}/docs`,
  };
}

/**
 * Returns the challenge that a request without a valid key gets: it names the metadata of the path of the request, and all
 * scopes at once, because clients do not ask for more later.
 */
export function keyChallenge(origin: string, path: string): string {
  return `Bearer resource_metadata="${origin}${metadataPath}${path}", scope="${scopes.join(' ')}"`;
}

/** Returns the path of the endpoint; a text that cannot be the slug of a team is left out. */
export function endpointPath(team: string | undefined): string {
  return isSlug(team) ? `/mcp/${team}` : '/mcp';
}

/**
 * Returns the origin under which a client knows this service. A reverse proxy says that it speaks TLS; a client that says
 * so itself only gets addresses of its own making.
 */
export function originOf(request: FastifyRequest, { host }: RequestHost): string {
  const scheme = request.headers['x-forwarded-proto'] === 'https' ? 'https' : 'http';
  return `${scheme}://${host}`;
}
