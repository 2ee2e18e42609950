import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { partsAreSeparate } from './support/deployment/deployment.ts';
import { newTeam } from './support/http/key-holder.ts';
import { type Browser, createBrowser } from './support/oidc/browser.ts';
import { type IdentityProvider, startIdentityProvider } from './support/oidc/identity-provider.ts';
import { asAdministrator } from './support/service/as-administrator.ts';
import { type StartedService, startService } from './support/service/running-service.ts';

/** Where browsers reach the service, as its settings say; the tests send what leads there to its own port. */
const publicUrl = 'http://localhost:8099';
const callback = `${publicUrl}/session/oidc/callback`;
const people = {
  ada: { email: 'Ada@Example.org', email_verified: true },
  eve: { email: 'ada@example.org', email_verified: false },
  mallory: { email: 'mallory@example.org', email_verified: true },
  nobody: {},
};

/** What `GET /session` says of a browser. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
async function readSession(browser: Browser, url: string): Promise<any> {
  return (await browser.send(`${url}/session`)).json();
}

/** By where the provider tells the address: over separate processes one, because the gateway alone reads it. */
const providers = [
  { name: 'with the address in the ID token', addressInIdToken: true },
  { name: 'with the address told on request', addressInIdToken: false },
].slice(partsAreSeparate ? 1 : 0);
const title = "signing in through the organisation's identity provider, $name";

describe.each(providers)(title, ({ addressInIdToken }) => {
  let provider: IdentityProvider;
  let service: StartedService;
  /** Slug of a team whose member ada has the address of the provider's ada. */
  let slug: string;

  beforeAll(async () => {
    provider = await startIdentityProvider({ redirectUrl: callback, people, addressInIdToken });
    service = await startService({
      environment: {
        OIDC_ISSUER: provider.issuer,
        OIDC_CLIENT_ID: provider.clientId,
        OIDC_CLIENT_SECRET: provider.clientSecret,
        PUBLIC_URL: publicUrl,
      },
    });
    slug = (await newTeam(service)).slug;
    await asAdministrator(service, (admin) =>
      admin.addSignInAddress({ team: slug, address: 'ada@example.org', member: 'ada' }),
    );
  });
  afterAll(async () => {
    await service?.remove();
    await provider?.close();
  });

  const begin = (more = '', team = slug) => `${service.url}/session/oidc?team=${team}${more}`;
  /** Sends what the provider sent the browser back with, and returns where the service leads it. */
  async function finish(browser: Browser, returned: URL): Promise<string | null> {
    const answer = await browser.send(`${service.url}/session/oidc/callback${returned.search}`);
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([303, 'no-store']);
    return answer.headers.get('location');
  }
  async function signIn(
    name: string,
    from = begin(),
  ): Promise<{ browser: Browser; location: string | null }> {
    const browser = createBrowser();
    return { browser, location: await finish(browser, await browser.signIn(from, { name }, callback)) };
  }
  const sessionOf = (browser: Browser) => readSession(browser, service.url);
  test('a verified address opens the session of its member, back at the page that was asked for', async () => {
    const { browser, location } = await signIn('ada', begin('&return_to=%2Fdecisions%3Fstatus%3Dopen'));
    expect(location).toBe('/decisions?status=open');
    const { session, sign_in } = await sessionOf(browser);
    expect(session).toMatchObject({ team: slug, member: 'ada', tier: 'team', access: 'write' });
    expect(sign_in).toEqual({ oidc: true });
    expect([...(browser.cookies.get(service.url) ?? new Map()).keys()]).toEqual(['__Host-tms_session']);
  });

  test('the key of the session is listed, and revoking it ends the session', async () => {
    const { browser } = await signIn('ada');
    const { key_id: keyId } = (await sessionOf(browser)).session;
    const keys = await asAdministrator(service, async (admin) =>
      (await Array.fromAsync(admin.listKeys(slug))).flat(),
    );
    const key = keys.find((one) => one.key_id === keyId);
    expect(key).toMatchObject({ member: 'ada', tier: 'team', access: 'write', revoked_at: null });
    const lifetimeMs = Date.parse(key?.expires_at ?? '') - Date.parse(key?.created_at ?? '');
    // The two times are read one after the other.
    expect(Math.round(lifetimeMs / 1000)).toBe(12 * 60 * 60);
    await asAdministrator(service, (admin) => admin.revokeKey(keyId));
    await eventually('the end of the session', async () => (await sessionOf(browser)).session === null);
  });

  test.for([
    ['eve', 'unverified_address'],
    ['nobody', 'unverified_address'],
    ['mallory', 'unknown_address'],
  ] as const)('%s is signed in nowhere: %s', async ([name, reason]) => {
    const { browser, location } = await signIn(name);
    expect(location).toBe(`/sign-in?refused=${reason}`);
    expect((await sessionOf(browser)).session).toBeNull();
  });

  test('an address counts in its own team only, and a team that is none looks the same', async () => {
    const other = (await newTeam(service)).slug;
    for (const team of [other, `none-${randomUUID().slice(0, 8)}`]) {
      expect((await signIn('ada', begin('', team))).location).toBe('/sign-in?refused=unknown_address');
    }
    const browser = createBrowser();
    for (const team of ['', 'No%20Slug', `${slug}&team=x`]) {
      const answer = await browser.send(`${service.url}/session/oidc?team=${team}`);
      expect(answer.headers.get('location')).toBe('/sign-in?refused=no_team');
    }
  });

  test('a foreign state, no state, no cookie and a second use are refused', async () => {
    const [mine, theirs] = [createBrowser(), createBrowser()];
    const returned = await theirs.signIn(begin(), { name: 'ada' }, callback);
    await mine.signIn(begin(), { name: 'mallory' }, callback);
    expect(await finish(mine, returned)).toBe('/sign-in?refused=expired');
    expect(await finish(createBrowser(), returned)).toBe('/sign-in?refused=expired');
    const without = new URL(returned);
    without.searchParams.delete('state');
    const again = createBrowser();
    await again.signIn(begin(), { name: 'ada' }, callback);
    expect(await finish(again, without)).toBe('/sign-in?refused=expired');
    expect(await finish(theirs, returned)).toBe('/');
    expect(await finish(theirs, returned)).toBe('/sign-in?refused=expired');
    expect((await sessionOf(mine)).session).toBeNull();
  });

  test('a code that the provider gave for another sign-in is refused', async () => {
    const [mine, theirs] = [createBrowser(), createBrowser()];
    const stolen = await theirs.signIn(begin(), { name: 'ada' }, callback);
    const returned = await mine.signIn(begin(), { name: 'mallory' }, callback);
    returned.searchParams.set('code', stolen.searchParams.get('code') ?? '');
    expect(await finish(mine, returned)).toBe('/sign-in?refused=refused');
    expect((await sessionOf(mine)).session).toBeNull();
  });

  test('a person who cancels, and a code that the provider never gave, lead back with the reason', async () => {
    const browser = createBrowser();
    const cancelled = await browser.signIn(begin(), { cancels: true }, callback);
    expect(await finish(browser, cancelled)).toBe('/sign-in?refused=cancelled');
    const returned = await browser.signIn(begin(), { name: 'ada' }, callback);
    returned.searchParams.set('code', 'made-up');
    expect(await finish(browser, returned)).toBe('/sign-in?refused=refused');
  });

  test('the way back never leads to another site', async () => {
    for (const target of [
      '//evil.example',
      '/\\evil.example',
      'https://evil.example',
      'javascript:0',
      '/a b',
    ]) {
      const { location } = await signIn('ada', begin(`&return_to=${encodeURIComponent(target)}`));
      expect(location, target).toBe('/');
    }
  });

  test('the log names the reason of a refusal, and neither address nor token', async () => {
    await signIn('mallory');
    const logged = () => service.output().stderr;
    await eventually('the reason in the log', () => logged().includes('"reason":"unknown_address"'));
    expect(logged()).not.toMatch(/mallory@|code=|eyJ/);
  });
});

test('a provider that is away leads back with the reason, and without one there is no such sign-in', async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  const { port } = taken.address() as AddressInfo;
  await new Promise((resolve) => taken.close(resolve));
  const settings = { OIDC_ISSUER: `http://127.0.0.1:${port}`, OIDC_CLIENT_ID: 'x', PUBLIC_URL: publicUrl };
  const [away, without] = [await startService({ environment: settings }), await startService({})];
  try {
    const answer = await createBrowser().send(`${away.url}/session/oidc?team=a`);
    expect(answer.headers.get('location')).toBe('/sign-in?refused=provider_unavailable');
    expect((await createBrowser().send(`${without.url}/session/oidc?team=a`)).status).toBe(404);
    expect((await readSession(createBrowser(), without.url)).sign_in).toEqual({
      oidc: false,
    });
  } finally {
    await Promise.all([away.remove(), without.remove()]);
  }
});
