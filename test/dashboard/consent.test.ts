import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectAccessible } from '../support/dashboard/accessibility.ts';
import { describeDashboard } from '../support/dashboard/describe-dashboard.ts';
import { narrow, sidewaysPixels } from '../support/dashboard/visit.ts';
import { newTeam } from '../support/http/key-holder.ts';
import {
  attempt,
  connectApp,
  type OAuthApp,
  register,
  sendForm,
  startOAuthApp,
} from '../support/mcp/oauth-app.ts';

const limits = { timeout: 60_000 };
const environment = { OAUTH_ALLOWED_ADDRESSES: '127.0.0.1', OAUTH_DCR: 'on' };

describeDashboard(
  'the page that connects an app',
  (dashboard) => {
    let app: OAuthApp;
    /** Where the app waits for its answer. */
    const waiting = createServer((_request, response) => {
      response
        .setHeader('content-type', 'text/html')
        .end('<!doctype html><title>Back</title><p>Back in the app');
    });
    beforeAll(async () => {
      app = await startOAuthApp({ client_name: 'Claude <b>Code</b>' });
      await new Promise<void>((resolve) => waiting.listen(0, '127.0.0.1', resolve));
    });
    afterAll(async () => {
      await app?.close();
      waiting.closeAllConnections();
      waiting.close();
    });

    const originOfApp = () => `http://127.0.0.1:${(waiting.address() as AddressInfo).port}`;
    const pathOf = (fields: Record<string, string> = {}) => {
      const wanted = { redirect_uri: `${originOfApp()}/callback`, ...fields };
      const { query } = attempt(dashboard().service, app.clientId, wanted);
      return `/oauth/authorize?${query}`;
    };

    test(
      'says who asks for what, preselects to read, and leads back to the app; the app is then among the keys',
      limits,
      async () => {
        const team = await newTeam(dashboard().service);
        const { page, open, accept } = await dashboard().visit({ key: team.teamKey });
        accept(originOfApp());
        await open(pathOf());
        const { host } = new URL(app.clientId);
        await page.getByRole('heading', { name: `${host} asks to act for you` }).waitFor();
        await page.getByText(`It will act as ada in the team ${team.slug}`).waitFor();
        await page.getByText('Claude <b>Code</b>').waitFor();
        await page.getByText('a program on this machine').waitFor();
        expect(await page.getByLabel('What the app may do').inputValue()).toBe('read');
        await expectAccessible(page, 'the consent page');
        await page.setViewportSize(narrow);
        expect(await sidewaysPixels(page)).toBe(0);
        await expectAccessible(page, 'the consent page, narrow');
        const back = page.waitForURL(/127\.0\.0\.1:\d+\/callback/);
        await page.getByRole('button', { name: 'Let it act' }).click();
        await back;
        expect(page.url()).toMatch(/code=tmsc_\w+&state=a\+state&iss=/);
        await open('/team?view=keys');
        const row = page.getByRole('row').filter({ hasText: 'Connected app' });
        await row.filter({ hasText: host }).waitFor();
        expect(await row.getByRole('button', { name: 'Replace' }).count()).toBe(0);
      },
    );

    test(
      'tells a person alone what it cannot trust an app with, and tells the app that it was declined',
      limits,
      async () => {
        const team = await newTeam(dashboard().service);
        const { page, open, accept, expectFaults } = await dashboard().visit({ key: team.externalKey });
        accept(originOfApp());
        expectFaults(/^422 POST \/oauth\/consent/);
        await open(pathOf({ redirect_uri: 'https://evil.example/' }));
        await page.getByText('an address that its document does not list').waitFor();
        expect(new URL(page.url()).pathname).toBe('/oauth/authorize');
        await open(pathOf());
        await page.getByText('see what the team marked for guests').waitFor();
        const back = page.waitForURL(/127\.0\.0\.1:\d+\/callback/);
        await page.getByRole('button', { name: 'Decline' }).click();
        await back;
        expect(page.url()).toContain('error=access_denied');
      },
    );

    test('says of an app that registered itself that its name is its own claim', limits, async () => {
      const { service } = dashboard();
      const team = await newTeam(service);
      const redirect_uris = ['https://app.example/callback'];
      const { body } = await register(service, { client_name: 'claude.ai <b>', redirect_uris });
      const { query } = attempt(service, body.client_id, { redirect_uri: redirect_uris[0] });
      const path = `/oauth/authorize?${query}`;
      const { page } = await dashboard().visit({ key: team.teamKey, path });
      await page
        .getByRole('heading', { name: 'An app that registered itself asks to act for you' })
        .waitFor();
      await page.getByText('calls itself “claude.ai <b>”. Nobody has checked this name.').waitFor();
      await page.getByText('Go on only if you have just started this at app.example.').waitFor();
      await expectAccessible(page, 'the consent page of an app that registered itself');
    });

    test(
      'sends nobody away by itself: what is wrong is said first, and a button leads back',
      limits,
      async () => {
        const team = await newTeam(dashboard().service);
        const { page, open, accept, expectFaults } = await dashboard().visit({ key: team.teamKey });
        accept(originOfApp());
        expectFaults(/^422 POST \/oauth\/consent/);
        await open(pathOf({ resource: `${dashboard().service.url}/mcp/no-such-team` }));
        await page.getByText('a team that you are not signed in to').waitFor();
        expect(await page.getByRole('button', { name: /^Back to/ }).count()).toBe(0);
        await open(pathOf({ response_type: 'token' }));
        await page.getByText('response_type must be code').waitFor();
        await expectAccessible(page, 'the consent page for a wrong request');
        expect(new URL(page.url()).pathname).toBe('/oauth/authorize');
        const back = page.waitForURL(/127\.0\.0\.1:\d+\/callback/);
        await page.getByRole('button', { name: 'Back to the program on this machine' }).click();
        await back;
        expect(page.url()).toContain('error=unsupported_response_type');
      },
    );

    test(
      'a guest finds the apps that the own key connected, no other key, and ends them',
      limits,
      async () => {
        const { service } = dashboard();
        const team = await newTeam(service);
        await connectApp(service, app.clientId, team.teamKey);
        const guests = await connectApp(service, app.clientId, team.externalKey);
        const { page } = await dashboard().visit({ key: team.externalKey, path: '/connect' });
        const table = page.getByRole('table', { name: 'Your valid keys' });
        await page.getByRole('heading', { name: 'Apps that you connected' }).waitFor();
        // The heading, and the app.
        expect(await table.getByRole('row').count()).toBe(2);
        await expectAccessible(page, 'the apps of a guest');
        await table.getByRole('button', { name: /Revoke/ }).click();
        await page
          .getByRole('dialog')
          .getByRole('button', { name: /Revoke/ })
          .click();
        await table.waitFor({ state: 'detached' });
        const form = {
          grant_type: 'refresh_token',
          client_id: app.clientId,
          refresh_token: guests.refreshToken,
        };
        expect((await sendForm(service, '/oauth/token', form)).body.error).toBe('invalid_grant');
      },
    );
  },
  { environment },
);
