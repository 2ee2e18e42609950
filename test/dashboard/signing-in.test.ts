import { eventually } from '@teammemory/testkit/eventually.ts';
import { expect, test } from 'vitest';
import { expectAccessible } from '../support/dashboard/accessibility.ts';
import { describeDashboard } from '../support/dashboard/describe-dashboard.ts';
import { isSignedOut, sidewaysPixels, signIn } from '../support/dashboard/visit.ts';
import { newTeam } from '../support/http/key-holder.ts';
import { asAdministrator } from '../support/service/as-administrator.ts';

/** How long a revoked key may go on working (design, "Who is calling"), and what a loaded machine adds. */
const revocationLimitMs = 5_000 + 15_000;
const sessionCookie = /tms_session$/;
const refusedSignIn = /^401 POST \/session/;

describeDashboard('signing in to the dashboard', (dashboard) => {
  const newKey = async () => (await dashboard().service.createTeam()).teamKey;

  test('a key signs in, and the browser keeps a cookie that no script reads instead of it', async () => {
    const key = await newKey();
    const { page, context } = await dashboard().visit({ key });
    const cookies = (await context.cookies()).filter(({ name }) => sessionCookie.test(name));
    expect(cookies).toMatchObject([{ httpOnly: true, sameSite: 'Strict', path: '/' }]);
    expect(await page.evaluate('document.cookie')).toBe('');
    const kept = await page.evaluate<string>(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state, location.href])',
    );
    for (const secret of [key, key.split('_')[2] ?? '', cookies[0]?.value ?? '']) {
      expect(kept).not.toContain(secret);
    }
  });

  test('a key that is wrong is refused in the words of the service, and can be corrected', async () => {
    const key = await newKey();
    const visit = await dashboard().visit();
    visit.expectFaults(refusedSignIn);
    const { page } = visit;
    await page.getByLabel('Your key').fill('tms_wrong');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    await page.getByText('An administrator of your team can make a new one').waitFor();
    await expectAccessible(page, 'a refused sign-in');
    await signIn(page, key);
  });

  test('a link signs in once, and its token stays neither in the address nor in the history', async () => {
    const team = await newTeam(dashboard().service);
    const link = await team.team.call('/sign-in-links', { method: 'POST' });
    const token: string = link.body.sign_in_token;
    const first = await dashboard().visit({ path: `/sign-in#${token}` });
    await first.page.locator('main#main h1').waitFor();
    expect(first.page.url()).not.toContain(token);
    await first.page.goBack().catch(() => null);
    expect(first.page.url()).not.toContain(token);

    const second = await dashboard().visit({ path: `/sign-in#${token}` });
    second.expectFaults(refusedSignIn);
    await second.page.getByRole('alert').waitFor();
    await second.page.getByLabel('Your key').waitFor();
  });

  test('signing out ends this session only, and everywhere ends the others too', async () => {
    const key = await newKey();
    const [here, there] = [await dashboard().visit({ key }), await dashboard().visit({ key })];
    for (const visit of [here, there]) visit.expectFaults(/^401 /);
    await here.page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await here.page.getByLabel('Your key').waitFor();
    expect((await here.context.cookies()).filter(({ name }) => sessionCookie.test(name))).toEqual([]);
    await there.page.reload();
    await there.page.locator('main#main h1').waitFor();

    await signIn(here.page, key);
    await here.page.getByRole('button', { name: 'Everywhere' }).click();
    await here.page.getByLabel('Your key').waitFor();
    await eventually('the other browser is signed out', () => isSignedOut(there.page), {
      withinMs: revocationLimitMs,
      everyMs: 500,
    });
  });

  test('a page whose key is revoked says within seconds that the session has ended, and keeps what was typed', async () => {
    const team = await dashboard().service.createTeam();
    const visit = await dashboard().visit({ key: team.teamKey });
    visit.expectFaults(/^401 /);
    const { page } = visit;
    const question = page.getByRole('textbox', { name: 'Your question' });
    await question.fill('What did we decide about the harbour?');
    const [, keyId = ''] = team.teamKey.split('_');
    await asAdministrator(dashboard().service, (admin) => admin.revokeKey(keyId));
    await page.getByText('Your session has ended').waitFor({ timeout: revocationLimitMs });
    await expectAccessible(page, 'the page after its session has ended');
    await page.keyboard.press('Escape');
    await signIn(page, await team.newKey('team'));
    await page.getByText('Your session has ended').waitFor({ state: 'detached' });
    expect(await question.inputValue()).toBe('What did we decide about the harbour?');
  });

  test('when somebody else signs in after the session has ended, nothing of the first team stays', async () => {
    const [first, second] = [await dashboard().service.createTeam(), await dashboard().service.createTeam()];
    const visit = await dashboard().visit({ key: first.teamKey });
    visit.expectFaults(/^401 /);
    const { page } = visit;
    await page.getByRole('textbox', { name: 'Your question' }).fill('A secret of the first team');
    await page.evaluate("fetch('/session?everywhere=true', { method: 'DELETE' }).then(() => undefined)");
    await page.getByText('Your session has ended').waitFor({ timeout: revocationLimitMs });
    await signIn(page, second.teamKey);
    await page.getByRole('complementary').getByText(second.slug).waitFor();
    expect(await page.getByRole('textbox', { name: 'Your question' }).inputValue()).toBe('');
    expect(await page.getByText(first.slug).count()).toBe(0);
  });

  test('a deep link leads where it should after signing in', async () => {
    const { page } = await dashboard().visit({ key: await newKey(), path: '/memory' });
    expect(new URL(page.url()).pathname).toBe('/memory');
  });

  test('the sign-in page works by keyboard, at 360 pixels and for screen readers', async () => {
    const key = await newKey();
    const { page } = await dashboard().visit({ browser: { viewport: { width: 360, height: 740 } } });
    await page.getByLabel('Your key').waitFor();
    expect(await sidewaysPixels(page)).toBe(0);
    await expectAccessible(page, 'the sign-in page');
    await page.getByLabel('Your key').focus();
    await page.keyboard.type(key);
    await page.keyboard.press('Enter');
    await page.locator('main#main h1').waitFor();
  });
});
