import { afterAll, beforeAll, expect, test } from 'vitest';
import { besideBystanders } from '../support/attacks/attacked-service.ts';
import { createBrowser } from '../support/oidc/browser.ts';
import { type IdentityProvider, startIdentityProvider } from '../support/oidc/identity-provider.ts';
import { asAdministrator } from '../support/service/as-administrator.ts';
import { type StartedService, startService, type Team } from '../support/service/running-service.ts';

const publicUrl = 'http://localhost:8098';
const callback = `${publicUrl}/session/oidc/callback`;
const [connections, each] = [60, 20];
const names = Array.from({ length: 8 }, (_, n) => `person-${n}`);

let provider: IdentityProvider;
let service: StartedService;
let team: Team;

beforeAll(async () => {
  const people = Object.fromEntries(
    names.map((name) => [name, { email: `${name}@example.org`, email_verified: true }]),
  );
  provider = await startIdentityProvider({ redirectUrl: callback, people, addressInIdToken: true });
  const { issuer: OIDC_ISSUER, clientId: OIDC_CLIENT_ID, clientSecret: OIDC_CLIENT_SECRET } = provider;
  service = await startService({
    environment: { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, PUBLIC_URL: publicUrl },
  });
  team = await service.createTeam();
  await asAdministrator(service, async (admin) => {
    for (const name of names)
      await admin.addSignInAddress({ team: team.slug, address: `${name}@example.org`, member: 'ada' });
  });
});
afterAll(async () => {
  await service?.remove();
  await provider?.close();
});

const begin = () => `${service.url}/session/oidc?team=${team.slug}`;
const complete = (search: string, cookie?: string) =>
  fetch(`${service.url}/session/oidc/callback${search}`, {
    redirect: 'manual',
    ...(cookie !== undefined && { headers: { cookie } }),
  });

test('a stranger with invented or used cookies has the provider asked nothing, and everybody signs in meanwhile', {
  timeout: 120_000,
}, async () => {
  const made = { state: 's', nonce: 'n', codeVerifier: 'v'.repeat(43), team: team.slug, returnTo: '/' };
  const invented = `tms_sign_in=${Buffer.from(JSON.stringify(made)).toString('base64url')}`;
  const logged = service.output().stderr.length;
  const other = await service.createTeam();
  await besideBystanders({ service, other, name: 'invented sign-ins', boundMegabytes: 50 }, async () => {
    const flood = Array.from({ length: connections }, async () => {
      for (let n = 0; n < each; n += 1) await complete('?state=s&code=invented', invented);
    });
    const people = names.map(async (name) => {
      const browser = createBrowser();
      const returned = await browser.signIn(begin(), { name }, callback);
      const { headers } = await browser.send(`${service.url}/session/oidc/callback${returned.search}`);
      return headers.get('location');
    });
    expect(await Promise.all(people)).toEqual(names.map(() => '/'));
    await Promise.all(flood);
  });
  expect(provider.tokenCalls()).toBe(names.length);

  const browser = createBrowser();
  const returned = await browser.signIn(begin(), { name: 'person-0' }, callback);
  const cookie = [...(browser.cookies.get(service.url) ?? [])].map((pair) => pair.join('=')).join('; ');
  returned.searchParams.set('code', 'invented');
  const ways = await Promise.all(
    Array.from({ length: 50 }, async () => (await complete(returned.search, cookie)).headers.get('location')),
  );
  expect(ways.filter((way) => way === '/sign-in?refused=refused')).toHaveLength(1);
  expect(provider.tokenCalls()).toBe(names.length + 1);
  // Twenty lines a second, of some hundred bytes.
  expect(service.output().stderr.length - logged).toBeLessThan(400_000);
});
