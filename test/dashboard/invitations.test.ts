import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible } from '../support/dashboard/accessibility.ts';
import { describeDashboard } from '../support/dashboard/describe-dashboard.ts';
import { narrow, sidewaysPixels, untilTitled } from '../support/dashboard/visit.ts';
import { keyHolder, newTeam } from '../support/http/key-holder.ts';

const limits = { timeout: 60_000 };
const dialog = (page: Page) => page.getByRole('dialog');
const nameField = (page: Page) => page.getByLabel('Your name in the team');

/** Presses Tab until a button has the focus, then Enter. */
async function press(page: Page, name: string): Promise<void> {
  const button = page.getByRole('button', { name, exact: true });
  await button.waitFor();
  const hasFocus = () => button.evaluate((element) => element.matches(':focus'));
  for (let tabs = 0; tabs < 60 && !(await hasFocus()); tabs += 1) await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
}

/** The link that the open dialog shows. */
async function linkShown(page: Page): Promise<string> {
  await page.getByText('This link is shown only now').waitFor();
  return (await dialog(page).locator('pre code').textContent()) ?? '';
}

describeDashboard('an invitation', (dashboard) => {
  test(
    'is made and taken by keyboard: whoever opens the link has a name, a session and a key that works',
    limits,
    async () => {
      const { service } = dashboard();
      const team = await newTeam(service);
      const { page } = await dashboard().visit({ key: team.teamKey });
      await page.getByRole('link', { name: 'Make a link on the page Team' }).focus();
      await page.keyboard.press('Enter');
      await untilTitled(page, 'Team');
      await page.getByText('No invitation is open').waitFor();
      await expectAccessible(page, 'no invitations');
      await press(page, 'Invite somebody');
      await dialog(page).getByLabel('What it may do').waitFor();
      await expectAccessible(page, 'inviting somebody');
      await press(page, 'Make link');
      const link = await linkShown(page);
      expect(link).toMatch(new RegExp(`^${service.url}/invitation#tmsi_`));
      await expectAccessible(page, 'the link of an invitation');
      await press(page, 'I have copied it');
      const [, token = ''] = link.split('#');
      await page
        .getByRole('row')
        .filter({ hasText: token.split('_')[1] ?? '' })
        .waitFor();
      await expectAccessible(page, 'open invitations');
      expect(await page.locator('body').textContent()).not.toContain(token);

      const guest = await dashboard().visit({ path: `/invitation#${token}`, browser: { viewport: narrow } });
      guest.expectFaults(/^409 POST \/session/);
      await guest.page.getByText('ada invites you as a member').waitFor();
      expect(guest.page.url()).not.toContain(token);
      expect(await sidewaysPixels(guest.page)).toBe(0);
      await expectAccessible(guest.page, 'an invitation');
      await nameField(guest.page).focus();
      await guest.page.keyboard.type('ada');
      await guest.page.keyboard.press('Enter');
      await guest.page.getByText('The team has a member of this name already').waitFor();
      await nameField(guest.page).focus();
      await guest.page.keyboard.press('ControlOrMeta+A');
      await guest.page.keyboard.type('grace');
      await guest.page.keyboard.press('Enter');
      await untilTitled(guest.page, 'You are in');
      const texts = await guest.page.locator('pre code').allTextContents();
      const [key = ''] = texts;
      expect(texts).toContain(`tms login --url ${service.url} --team ${team.slug}`);
      expect(await sidewaysPixels(guest.page)).toBe(0);
      await expectAccessible(guest.page, 'a key that an invitation made');
      const grace = keyHolder(service, team, key);
      expect((await grace.call('/whoami')).body).toMatchObject({ member: 'grace', access: 'write' });
      await guest.page.getByRole('link', { name: 'Open Team Memory' }).focus();
      await guest.page.keyboard.press('Enter');
      await guest.page.locator('main#main h1').waitFor();
      await guest.page.goBack();
      expect(guest.page.url()).not.toContain(token);
      expect(await guest.page.locator('body').textContent()).not.toContain(key);
    },
  );

  test(
    'that is for guests or was revoked says so, and a link that was used asks for a new one',
    limits,
    async () => {
      const team = await newTeam(dashboard().service);
      const { page } = await dashboard().visit({ key: team.teamKey, path: '/team?view=invitations' });
      await page.getByRole('button', { name: 'Invite somebody' }).click();
      await dialog(page).getByLabel('Role').waitFor();
      await dialog(page).getByLabel('What it sees').selectOption('Guest (external)');
      await dialog(page).getByLabel('Role').waitFor({ state: 'detached' });
      await dialog(page).getByRole('button', { name: 'Make link' }).click();
      const link = new URL(await linkShown(page));
      await dialog(page).getByRole('button', { name: 'I have copied it' }).click();
      const path = `/invitation${link.hash}`;
      const guest = await dashboard().visit({ path });
      await guest.page.getByText('You will see what the team marked for guests.').waitFor();

      await page.getByRole('button', { name: 'Revoke invitation' }).click();
      await expectAccessible(page, 'revoking an invitation');
      await dialog(page).getByRole('button', { name: 'Revoke invitation' }).click();
      await page.getByText('No invitation is open').waitFor();
      guest.expectFaults(/^401 POST \/session/);
      await nameField(guest.page).fill('late');
      await guest.page.keyboard.press('Enter');
      await guest.page.getByText('The invitation was used already').waitFor();
      const again = await dashboard().visit({ path });
      again.expectFaults(/^401 POST \/session/);
      await again.page.getByText('Ask whoever invited you for a new link').waitFor();
      await expectAccessible(again.page, 'an invitation that has ended');
    },
  );

  test(
    'does not replace the session of somebody who is signed in, unless they sign out',
    limits,
    async () => {
      const team = await newTeam(dashboard().service);
      const visit = await dashboard().visit({ key: team.teamKey, path: '/team?view=invitations' });
      const { page } = visit;
      await page.getByRole('button', { name: 'Invite somebody' }).click();
      await dialog(page).getByRole('button', { name: 'Make link' }).click();
      const link = new URL(await linkShown(page));
      await visit.open(`/invitation${link.hash}`);
      await page.getByText(`You are signed in as ada of ${team.slug}`).waitFor();
      await page.getByRole('button', { name: 'Sign out' }).click();
      await nameField(page).fill('grace');
      await page.keyboard.press('Enter');
      await untilTitled(page, 'You are in');
    },
  );
});
