import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

/** What the provider knows of a person; the person signs in with the name alone. */
export interface Person {
  email?: string;
  email_verified?: boolean;
}

/** The identity provider of an organisation, in this process. */
export interface IdentityProvider {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Calls of services, which come without a browser: for tokens. */
  tokenCalls(): number;
  close(): Promise<void>;
}

/** Starts a provider that sends browsers back to one address. Its people are known by the name that they type. */
export async function startIdentityProvider(options: {
  redirectUrl: string;
  people: Readonly<Record<string, Person>>;
  /** Whether the address is in the ID token; otherwise it is told to whoever asks with the access token. */
  addressInIdToken: boolean;
}): Promise<IdentityProvider> {
  const { redirectUrl, people } = options;
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const [clientId, clientSecret] = ['team-memory', 'a secret of the client'];
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [redirectUrl],
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    conformIdTokenClaims: !options.addressInIdToken,
    cookies: { keys: ['a key of the cookies of this test'] },
    pkce: { required: () => true },
    findAccount: async (_context: unknown, accountId: string) => ({
      accountId,
      claims: async () => ({ sub: accountId, ...people[accountId] }),
    }),
  });
  let tokenCalls = 0;
  server.on('request', ({ url }) => {
    if (url === '/token') tokenCalls += 1;
  });
  server.on('request', provider.callback());
  return {
    issuer,
    clientId,
    clientSecret,
    tokenCalls: () => tokenCalls,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
