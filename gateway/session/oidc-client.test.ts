import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createOidcClient, type OidcClient } from './oidc-client.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** A client of a provider that answers as told. */
async function clientOf(answer: (issuer: string) => RequestListener): Promise<OidcClient> {
  const server = createServer();
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  server.on('request', answer(issuer));
  return createOidcClient({
    issuer,
    clientId: 'client',
    clientSecret: undefined,
    timeoutSeconds: 0.2,
    redirectUrl: 'http://localhost/session/oidc/callback',
    monotonicClock: () => performance.now(),
  });
}

const metadata = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/auth`,
  token_endpoint: `${issuer}/token`,
  response_types_supported: ['code'],
});

test('a provider that never answers is given up at the deadline', async () => {
  const client = await clientOf(() => () => undefined);
  await expect(client.begin()).rejects.toMatchObject({ reason: 'provider_unavailable' });
});

test('a provider that fails, or is somebody else, is refused, and asked again the next time', async () => {
  let isWell = false;
  const client = await clientOf((issuer) => (_request, response) => {
    if (!isWell) response.writeHead(503).end();
    else response.setHeader('content-type', 'application/json').end(JSON.stringify(metadata(issuer)));
  });
  await expect(client.begin()).rejects.toMatchObject({ reason: 'provider_unavailable' });
  isWell = true;
  expect((await client.begin()).url).toContain('/auth?');
  const impostor = await clientOf(() => (_request, response) => {
    const body = JSON.stringify(metadata('https://id.example.org'));
    response.setHeader('content-type', 'application/json').end(body);
  });
  await expect(impostor.begin()).rejects.toMatchObject({ reason: 'refused' });
});

test('what the provider says about itself is asked once, and every sign-in has checks of its own', async () => {
  let asked = 0;
  const client = await clientOf((issuer) => (_request, response) => {
    asked += 1;
    response.setHeader('content-type', 'application/json').end(JSON.stringify(metadata(issuer)));
  });
  const [first, second] = await Promise.all([client.begin(), client.begin()]);
  expect(asked).toBe(1);
  for (const name of ['state', 'nonce', 'codeVerifier'] as const) {
    expect(first.checks[name].length).toBeGreaterThan(40);
    expect(first.checks[name]).not.toBe(second.checks[name]);
  }
  const sent = new URL(first.url).searchParams;
  expect(Object.fromEntries(sent)).toMatchObject({
    response_type: 'code',
    client_id: 'client',
    redirect_uri: 'http://localhost/session/oidc/callback',
    scope: 'openid email',
    state: first.checks.state,
    nonce: first.checks.nonce,
    code_challenge_method: 'S256',
  });
  expect(sent.get('code_challenge')).not.toBe(first.checks.codeVerifier);
});
