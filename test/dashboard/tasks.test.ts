import { eventually } from '@teammemory/testkit/eventually.ts';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { expectAccessible } from '../support/dashboard/accessibility.ts';
import { describeDashboard } from '../support/dashboard/describe-dashboard.ts';
import { type FilledTeam, fillTeam } from '../support/dashboard/fill-team.ts';
import { untilTitled } from '../support/dashboard/visit.ts';
import { item } from '../support/http/api.ts';
import { newTeam } from '../support/http/key-holder.ts';

describeDashboard('the page Tasks', (dashboard) => {
  let filled: FilledTeam;
  beforeAll(async () => {
    filled = await fillTeam(dashboard().service);
  });

  const tasks = (page: Page) => page.getByRole('main').getByRole('listitem');
  const filter = (page: Page, name: string) =>
    page.getByRole('form', { name: 'Which tasks' }).getByLabel(name);
  /** Waits until so many tasks are listed, this one among them: a list that is read anew is empty for a moment. */
  const untilListed = (page: Page, count: number, title: string) =>
    eventually(`${count} tasks with "${title}"`, async () => {
      const isListed = await page.getByRole('link', { name: title }).isVisible();
      return isListed && (await tasks(page).count()) === count;
    });

  test('lists what is open, and filters by owner, project, day and status, in the address too', async () => {
    const { page } = await dashboard().visit({ key: filled.teamKey, path: '/tasks' });
    await untilListed(page, 11, 'Send the timetable to the printers');
    await filter(page, 'Owner').fill('@mara');
    await page.keyboard.press('Enter');
    await page
      .getByRole('link', { name: 'Send the timetable to the printers' })
      .waitFor({ state: 'detached' });
    await untilListed(page, 3, 'Tell the island council');
    await filter(page, 'Project').fill('tide-tables');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Tell the island council' }).waitFor({ state: 'detached' });
    await untilListed(page, 1, 'Agree with the harbour office');
    expect(new URL(page.url()).search).toContain('owner=mara');
    await page.reload();
    await untilListed(page, 1, 'Agree with the harbour office');
    await filter(page, 'Project').fill('');
    await page.keyboard.press('Enter');
    await filter(page, 'Status').selectOption('Done');
    await untilListed(page, 1, 'Ask the skippers about the early ferry');
    await filter(page, 'Owner').fill('');
    await page.keyboard.press('Enter');
    await filter(page, 'Due on or before').fill('2026-11-06');
    await untilListed(page, 1, 'Try three readers');
    await filter(page, 'Status').selectOption('Cancelled');
    await page.getByText('No task fits').waitFor();
    await expectAccessible(page, 'no task fits');
    await page.getByRole('button', { name: 'Show all open tasks' }).click();
    await untilListed(page, 11, 'Send the timetable to the printers');
  });

  test('shows one’s own at a press', async () => {
    const { page } = await dashboard().visit({ key: filled.keys.ines ?? '', path: '/tasks' });
    await untilListed(page, 11, 'Send the timetable to the printers');
    await page.getByRole('button', { name: 'Only mine' }).click();
    await page.getByRole('link', { name: 'Tell the island council' }).waitFor({ state: 'detached' });
    await untilListed(page, 3, 'Send the timetable to the printers');
  });

  test('leads from each task to the line that it is', async () => {
    const { page } = await dashboard().visit({ key: filled.teamKey, path: '/tasks' });
    await page.getByRole('link', { name: 'Order twelve readers from Nordvik' }).click();
    await page.waitForURL(/\/memory\/projects\/card-payments\/tasks\.md#L4$/);
    await page.goBack();
    await untilTitled(page, 'Tasks');
    await page.getByRole('link', { name: 'Sign the contract' }).click();
    await page.waitForURL(/\/decisions\/[0-9a-f-]{36}$/);
  });

  test('shows guests what is in texts of their tier, and no project as a link that they cannot open', async () => {
    const team = await newTeam(dashboard().service);
    await team.team.push(
      item('tasks.md', '- [ ] A task of the team @ada\n'),
      item('open/tasks.md', '- [ ] A task that guests see\n', {
        tier: 'external',
        frontmatter: { project: 'ferry' },
      }),
    );
    const { page } = await dashboard().visit({ key: team.externalKey, path: '/tasks' });
    await untilListed(page, 1, 'A task that guests see');
    expect(await page.locator('body').textContent()).not.toContain('A task of the team');
    expect(await page.getByRole('link', { name: 'ferry' }).count()).toBe(0);
  });
});
