import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible } from '../support/dashboard/accessibility.ts';
import { describeDashboard } from '../support/dashboard/describe-dashboard.ts';
import { narrow, sidewaysPixels } from '../support/dashboard/visit.ts';
import { item } from '../support/http/api.ts';
import { newTeam, type TeamClients } from '../support/http/key-holder.ts';

const limits = { timeout: 60_000 };
const question = 'When does the ferry leave in winter?';

const answer = (page: Page) => page.getByRole('region', { name: 'Answer' });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const row = (page: Page) => page.getByRole('row').filter({ hasText: 'ferry' });

describeDashboard('ratings of answers', (dashboard) => {
  async function ferryTeam(): Promise<TeamClients> {
    const team = await newTeam(dashboard().service);
    await team.team.push(item('ferry.md', '# The ferry\n\nIn summer the ferry leaves at nine.'));
    await team.team.push(item('open.md', '# The harbour\n\nThe harbour is open.', { tier: 'external' }));
    return team;
  }

  async function ask(page: Page, text = question): Promise<void> {
    await page.getByRole('textbox', { name: 'Your question' }).fill(text);
    await page.keyboard.press('Enter');
    await answer(page).getByText('Asked', { exact: false }).first().waitFor();
  }

  /** Says something of the answer by keyboard alone. */
  async function tell(page: Page, label: string, note: string): Promise<void> {
    await button(page, label).press('Enter');
    await page.getByRole('dialog').getByText('Administrators of your team will see your name').waitFor();
    await page.keyboard.type(note);
    for (const key of ['Tab', 'Tab', 'Enter']) await page.keyboard.press(key);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }

  test(
    'an asker tells administrators by keyboard what was not found; they see it together, and remove it',
    limits,
    async () => {
      const team = await ferryTeam();
      const administrator = await dashboard().visit({ key: team.teamKey, path: '/team?view=questions' });
      const bo = await dashboard().visit({ key: await team.newKey('team', { member: 'bo' }) });
      const guest = await dashboard().visit({ key: await team.newKey('external', { member: 'eve' }) });
      await ask(bo.page);
      await ask(guest.page, 'when does the ferry leave in winter');
      // Who asks and tells nothing of it is not seen.
      await button(administrator.page, 'Look again').press('Enter');
      await administrator.page.getByText('Nobody has rated an answer yet').waitFor();
      await tell(bo.page, 'It did not help', 'The winter timetable');
      await answer(bo.page).getByText('You told the administrators that this answer did not help.').waitFor();
      await button(bo.page, 'It did not help').and(bo.page.locator(':focus')).waitFor();
      await expectAccessible(bo.page, 'an answer that was rated');
      await bo.page.reload();
      await button(bo.page, 'It did not help').and(bo.page.locator('[aria-pressed=true]')).waitFor();
      await button(bo.page, 'Take it back').waitFor();
      await tell(guest.page, 'It did not help', '');
      const { page } = administrator;
      await button(page, 'Look again').press('Enter');
      await row(page).getByText('rated 2 times').waitFor();
      expect(await row(page).textContent()).toMatch(
        /Guest eve: it did not help.*bo: it did not help.*timetable/,
      );
      await expectAccessible(page, 'questions that found nothing');
      await page.setViewportSize(narrow);
      expect(await sidewaysPixels(page)).toBe(0);
      await row(page).getByRole('button', { name: 'Remove' }).press('Enter');
      await button(page, 'Remove question').press('Enter');
      await page.getByText('Nobody has rated an answer yet').waitFor();
    },
  );

  test(
    'a rating can be changed and taken back, and a question without an answer can be told of',
    limits,
    async () => {
      const team = await ferryTeam();
      const bo = await dashboard().visit({
        key: await team.newKey('team', { member: 'bo', access: 'read' }),
      });
      const { page } = await dashboard().visit({ key: team.teamKey, path: '/team?view=questions' });
      await ask(bo.page);
      await tell(bo.page, 'It did not help', '');
      await tell(bo.page, 'It helped', 'Found it');
      await answer(bo.page).getByText('You told the administrators that this answer helped.').waitFor();
      await button(page, 'Look again').press('Enter');
      await button(page, 'Helped 1').press('Enter');
      await row(page).getByText('Found it').waitFor();
      await button(bo.page, 'Take it back').press('Enter');
      await answer(bo.page).getByText('only if you tell them').waitFor();
      await bo.page.locator('button:focus').waitFor();
      await button(page, 'Look again').press('Enter');
      await page.getByText('Nobody has rated an answer yet').waitFor();
      bo.expectFaults(/^net::ERR_FAILED/);
      await bo.page.route('**/*QueryService/Ask', (route) => route.abort());
      await button(bo.page, 'Ask again').press('Enter');
      await answer(bo.page).getByRole('alert').waitFor();
      await tell(bo.page, 'Tell administrators', '');
      await answer(bo.page).getByText('this question got no answer').waitFor();
      await button(page, 'Look again').press('Enter');
      await button(page, 'Not found 1').press('Enter');
      await row(page).getByText('no answer came').waitFor();
    },
  );
});
