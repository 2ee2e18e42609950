import { expect, test } from 'vitest';
import { expectAccessible } from '../support/dashboard/accessibility.ts';
import { describeDashboard } from '../support/dashboard/describe-dashboard.ts';
import { untilTitled } from '../support/dashboard/visit.ts';
import { item } from '../support/http/api.ts';
import { keyHolder, newTeam } from '../support/http/key-holder.ts';

describeDashboard('the page What’s new', (dashboard) => {
  test('shows who changed what, by day, while it happens', async () => {
    const team = await newTeam(dashboard().service);
    await team.team.push(
      item('notes/harbour.md', '# The harbour\n\nOld.\n'),
      item('tasks.md', '- [ ] Paint it\n'),
    );
    const { page } = await dashboard().visit({ key: team.teamKey, path: '/news' });
    await page.getByText('Live', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'The harbour' }).waitFor();
    const bo = keyHolder(dashboard().service, team, await team.newKey('team', { member: 'bo' }));
    await bo.push(item('notes/lighthouse.md', '# The lighthouse\n', { tier: 'external' }));
    await page.getByRole('link', { name: 'The lighthouse' }).waitFor();
    await page.getByText('bo', { exact: true }).first().waitFor();
    await bo.push(item('tasks.md', '- [x] Paint it\n'));
    await page.getByText('done').first().waitFor();
    await bo.remove('notes/lighthouse.md');
    await page.getByText('notes/lighthouse.md').first().waitFor();
    await expectAccessible(page, 'what is new');
    await page.getByRole('link', { name: 'The harbour' }).click();
    await untilTitled(page, 'The harbour');
    await page.goBack();
    await untilTitled(page, 'What’s new');
    await page.getByRole('link', { name: 'The harbour' }).waitFor();
    await page.goForward();
    await untilTitled(page, 'The harbour');
  });

  test('shows a guest the changes of their tier only', async () => {
    const team = await newTeam(dashboard().service);
    await team.team.push(item('secret.md', '# Secret\n'), item('open.md', '# Open\n', { tier: 'external' }));
    const { page } = await dashboard().visit({ key: team.externalKey, path: '/news' });
    await page.getByRole('link', { name: 'Open' }).waitFor();
    expect(await page.locator('body').textContent()).not.toMatch(/secret/i);
  });
});
