import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider, { errors } from 'oidc-provider';
import type { Attempt } from '../mcp/oauth-app.ts';

/** Another authorization server for public clients with PKCE, whose answers ours are compared with. */
export interface OtherServer {
  /** Where its doors begin: `/auth`, `/token`, `/token/revocation` and `/reg`. */
  url: string;
  /** A code as a person would have let the client have it. */
  codeFor(clientId: string, attempt: Attempt): Promise<string>;
  close(): Promise<void>;
}

/** Starts a certified server with the rules of ours: one resource, refresh tokens that are replaced, open registration. */
export async function startOtherServer(options: {
  clientIds: readonly string[];
  redirectUris: readonly string[];
  /** The only resource that there are tokens for. */
  resource: string;
}): Promise<OtherServer> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const scopes = ['memory:read', 'memory:propose', 'memory:own', 'memory:write'];
  const provider = new Provider(url, {
    clients: options.clientIds.map((client_id) => ({
      client_id,
      redirect_uris: options.redirectUris,
      application_type: 'native',
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    })),
    scopes,
    responseTypes: ['code'],
    clientAuthMethods: ['none'],
    cookies: { keys: ['a key of the cookies of this test'] },
    rotateRefreshToken: true,
    issueRefreshToken: () => true,
    features: {
      registration: { enabled: true },
      revocation: {
        enabled: true,
        allowedPolicy: (_context: unknown, client: { clientId: string }, token: { clientId: string }) =>
          client.clientId === token.clientId,
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => options.resource,
        useGrantedResource: () => true,
        getResourceServerInfo: (_context: unknown, resource: string) => {
          if (resource !== options.resource) throw new errors.InvalidTarget();
          return { scope: scopes.join(' '), accessTokenFormat: 'opaque' };
        },
      },
    },
    renderError: (context: { type: string; body: object }, out: object) => {
      context.type = 'json';
      context.body = out;
    },
    findAccount: (_context: unknown, accountId: string) => ({
      accountId,
      claims: () => ({ sub: accountId }),
    }),
  });
  server.on('request', provider.callback());
  return {
    url,
    async codeFor(clientId, { query, redirectUri }) {
      const scope = scopes.join(' ');
      const grant = new provider.Grant({ accountId: 'ada', clientId });
      grant.addResourceScope(options.resource, scope);
      const code = new provider.AuthorizationCode({
        accountId: 'ada',
        client: await provider.Client.find(clientId),
        grantId: await grant.save(),
        gty: 'authorization_code',
        redirectUri,
        codeChallenge: new URLSearchParams(query).get('code_challenge'),
        codeChallengeMethod: 'S256',
        resource: options.resource,
        scope,
      });
      return code.save();
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
