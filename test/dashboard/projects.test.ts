import { beforeAll, expect, test } from 'vitest';
import { expectAccessible } from '../support/dashboard/accessibility.ts';
import { describeDashboard } from '../support/dashboard/describe-dashboard.ts';
import { type FilledTeam, fillTeam } from '../support/dashboard/fill-team.ts';
import { narrow, sidewaysPixels, untilTitled } from '../support/dashboard/visit.ts';

describeDashboard('the page Projects', (dashboard) => {
  let filled: FilledTeam;
  beforeAll(async () => {
    filled = await fillTeam(dashboard().service);
  });

  test('creates a project, whose slug follows from its name, and renames it', async () => {
    const visit = await dashboard().visit({ key: filled.teamKey, path: '/projects' });
    const { page } = visit;
    await page.getByRole('button', { name: 'New project' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('New pier, 2027');
    expect(await dialog.getByLabel('Slug').inputValue()).toBe('new-pier-2027');
    await expectAccessible(page, 'creating a project');
    await dialog.getByRole('button', { name: 'Create project' }).click();
    await untilTitled(page, 'New pier, 2027');
    expect(new URL(page.url()).pathname).toBe('/projects/new-pier-2027');
    await page.getByRole('button', { name: 'Rename' }).click();
    await dialog.getByLabel('Name').fill('The new pier');
    await page.keyboard.press('Enter');
    await untilTitled(page, 'The new pier');
    await visit.open('/projects');
    await page.getByRole('link', { name: 'The new pier' }).waitFor();
    await page.getByRole('button', { name: 'New project' }).click();
    visit.expectFaults(/CreateProject/);
    await dialog.getByLabel('Name').fill('New pier 2027');
    await dialog.getByRole('button', { name: 'Create project' }).click();
    await dialog.getByRole('alert').getByText('The team has a project of this slug.').waitFor();
    expect(await dialog.getByLabel('Name').inputValue()).toBe('New pier 2027');
  });

  test('shows what belongs to a project, and leads to it', async () => {
    const { page } = await dashboard().visit({ key: filled.keys.ines ?? '', path: '/projects' });
    await page.getByRole('link', { name: 'Card payments on board' }).click();
    await untilTitled(page, 'Card payments on board');
    await page.getByRole('heading', { name: 'Decisions (1)' }).waitFor();
    await page.getByRole('link', { name: 'Take the card readers of Nordvik' }).waitFor();
    await page.getByRole('link', { name: 'projects/card-payments/tasks.md' }).waitFor();
    const task = page.getByRole('listitem').filter({ hasText: 'Order twelve readers from Nordvik' });
    await task.getByText('@ada').waitFor();
    await task.getByText('projects/card-payments/tasks.md').waitFor();
    await expectAccessible(page, 'a project');
    await page.setViewportSize(narrow);
    expect(await sidewaysPixels(page)).toBe(0);
    await page.getByRole('link', { name: 'All tasks of this project' }).click();
    await untilTitled(page, 'Tasks');
    await page.getByRole('link', { name: 'Order twelve readers from Nordvik' }).waitFor();
    expect(await page.getByRole('link', { name: 'Send the timetable to the printers' }).count()).toBe(0);
  });

  test('tells of each project how many items and open tasks it has, and when an item changed last', async () => {
    const { page } = await dashboard().visit({ key: filled.readKey, path: '/projects' });
    const card = page.getByRole('listitem').filter({ hasText: 'Card payments on board' });
    await card.getByText('5 open tasks').waitFor();
    await card.getByText('1 item', { exact: true }).waitFor();
    expect(await card.getByRole('time').count()).toBe(1);
  });

  test('has no buttons for keys that only read', async () => {
    const visit = await dashboard().visit({ key: filled.readKey, path: '/projects' });
    await visit.page.getByRole('link', { name: 'Winter timetable' }).waitFor();
    const main = visit.page.getByRole('main');
    expect(await main.getByRole('button').count()).toBe(0);
    await visit.open('/projects/nothing-here');
    await visit.page.getByText('There is no such project').waitFor();
  });
});
