import { expect, test } from 'vitest';
import { expectAccessible } from '../support/dashboard/accessibility.ts';
import { describeDashboard } from '../support/dashboard/describe-dashboard.ts';
import { narrow, sidewaysPixels } from '../support/dashboard/visit.ts';
import { item } from '../support/http/api.ts';
import { keyHolder, newTeam } from '../support/http/key-holder.ts';
import { asAdministrator } from '../support/service/as-administrator.ts';

describeDashboard('what the day starts with', (dashboard) => {
  test('is what others changed, one’s own tasks and what waits for a decision; a guest’s is of their tier', async () => {
    const { service } = dashboard();
    const team = await newTeam(service);
    const bo = keyHolder(service, team, await team.newKey('team', { member: 'bo' }));
    await team.team.push(item('mine.md', '# What ada wrote\n'));
    await bo.push(
      item('otter.md', '# The otter\n'),
      item('open.md', '# Open to guests\n', { tier: 'external' }),
      item('tasks.md', '# Tasks\n\n- [ ] Feed the otter @ada due:2020-01-02\n- [ ] Paint it @bo\n'),
    );
    const proposal = {
      title: 'Sail on Sundays',
      body: 'Why not?',
      audience: 'team',
      status: 'proposed',
    } as const;
    await asAdministrator(service, (admin) => admin.createDecision({ team: team.slug, ...proposal }));
    const visit = await dashboard().visit({ key: team.teamKey });
    const { page } = visit;
    const card = (name: string) => page.getByRole('region', { name });
    await page.getByRole('textbox', { name: 'Your question' }).and(page.locator(':focus')).waitFor();
    await card('In the last 7 days').getByRole('link', { name: 'The otter' }).waitFor();
    await card('Your open tasks').getByText('Overdue').waitFor();
    expect(await card('Your open tasks').getByRole('listitem').count()).toBe(1);
    await card('Waiting for a decision').getByRole('link', { name: 'Sail on Sundays' }).waitFor();
    expect(await page.getByText('What ada wrote').count()).toBe(0);
    await expectAccessible(page, 'the start of the day');
    await bo.push(item('later.md', '# Written meanwhile\n'));
    await card('In the last 7 days').getByRole('link', { name: 'Written meanwhile' }).waitFor();
    await card('Your open tasks').getByRole('link', { name: 'Feed the otter' }).click();
    await page.waitForURL(/memory\/tasks\.md#L3$/);
    const guest = await dashboard().visit({ key: team.externalKey });
    await guest.page.getByRole('link', { name: 'Open to guests' }).waitFor();
    expect(await guest.page.locator('main').textContent()).not.toMatch(/otter|Sundays|Written|ada wrote/);
  });

  test('is, for a team without an item, the way to the first ones, with its own address and name', async () => {
    const team = await dashboard().service.createTeam();
    const { page, url } = await dashboard().visit({ key: team.teamKey, browser: { viewport: narrow } });
    const steps = page.getByRole('region', { name: 'First steps' });
    await steps.getByText(`tms init ~/notes --url ${url} --team ${team.slug}`).waitFor();
    await steps.getByRole('tab', { name: 'macOS and Linux' }).press('ArrowRight');
    await steps.getByText(`tms init "$HOME\\notes" --url ${url} --team ${team.slug}`).waitFor();
    await steps.getByRole('link', { name: 'Add members' }).waitFor();
    expect(await sidewaysPixels(page)).toBe(0);
    const guest = await dashboard().visit({ key: team.externalKey });
    await guest.page.getByText('Nobody else has changed anything').waitFor();
    expect(await guest.page.getByText('First steps').count()).toBe(0);
  });
});
