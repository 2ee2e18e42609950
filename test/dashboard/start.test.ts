import { expect, test } from 'vitest';
import { expectAccessible } from '../support/dashboard/accessibility.ts';
import { describeDashboard } from '../support/dashboard/describe-dashboard.ts';
import { narrow, sidewaysPixels, untilTitled } from '../support/dashboard/visit.ts';
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
    await card('Your open tasks').getByRole('img', { name: 'Open' }).waitFor();
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

  test('is also which of one’s own notes should be checked; others’ stand in the list of the team', async () => {
    const { service } = dashboard();
    const team = await newTeam(service);
    const bo = keyHolder(service, team, await team.newKey('team', { member: 'bo' }));
    const frontmatter = { review_by: '2020-01-02' };
    await team.team.push(item('prices.md', '# Prices\n', { frontmatter }), item('plain.md', '# Plain\n'));
    await bo.push(item('rota.md', '# The rota\n', { frontmatter: { review_by: '2020-01-01' } }));
    const { page } = await dashboard().visit({ key: team.teamKey });
    const own = page.getByRole('region', { name: 'To be checked' });
    await own.getByRole('link', { name: 'Prices' }).waitFor();
    await own.getByText('since 2 Jan 2020').waitFor();
    expect(await own.getByRole('listitem').count()).toBe(1);
    await own.getByRole('link', { name: 'All your notes to check' }).click();
    await untilTitled(page, 'What’s new');
    const rows = page.getByRole('table', { name: 'Notes to be checked' }).getByRole('row');
    await rows.getByRole('link', { name: 'Prices' }).waitFor();
    expect(await rows.count()).toBe(2);
    await page.getByRole('tab', { name: 'All to check' }).click();
    await rows.getByRole('link', { name: 'The rota' }).waitFor();
    expect((await rows.allTextContents()).join()).toMatch(/The rota.*bo.*Prices.*ada/);
    await expectAccessible(page, 'notes to be checked');
    await page.setViewportSize(narrow);
    expect(await sidewaysPixels(page)).toBe(0);
    await bo.push(item('prices.md', '# New prices\n'));
    await rows.getByRole('link', { name: 'Prices' }).waitFor({ state: 'detached' });
    const guest = await dashboard().visit({ key: team.externalKey, path: '/news?view=check' });
    await guest.page.getByText('No note waits to be checked').waitFor();
  });

  test('is, for a team without an item, the way to the first ones, with its own address and name', async () => {
    const team = await dashboard().service.createTeam();
    const { page, url } = await dashboard().visit({ key: team.teamKey, browser: { viewport: narrow } });
    const steps = page.getByRole('region', { name: 'First steps' });
    await steps.getByText(`tms init ~/notes --url ${url} --team ${team.slug}`).waitFor();
    await steps.getByRole('tab', { name: 'macOS and Linux' }).press('ArrowRight');
    await steps.getByText(`tms init "$HOME\\notes" --url ${url} --team ${team.slug}`).waitFor();
    await steps.getByRole('link', { name: 'Make a link' }).waitFor();
    expect(await sidewaysPixels(page)).toBe(0);
    const guest = await dashboard().visit({ key: team.externalKey });
    await guest.page.getByText('Nobody else has changed anything').waitFor();
    expect(await guest.page.getByText('First steps').count()).toBe(0);
  });

  test('the palette leads by keyboard to what the session sees, and to nothing else', async () => {
    const { service } = dashboard();
    const team = await newTeam(service);
    const tasks = '# Tasks\n\n- [ ] Brush the otter @bo\n';
    await team.team.push(
      item('animals/otter.md', '# The otter\n\nIt eats sprats.\n'),
      item('tasks.md', tasks),
    );
    await team.external.push(item('open.md', '# Open to guests\n', { tier: 'external' }));
    const decision = { title: 'Otters may stay', body: 'They may.', audience: 'team' } as const;
    await asAdministrator(service, async (admin) => {
      await admin.createDecision({ team: team.slug, ...decision });
      await admin.createProject({ team: team.slug, slug: 'otter-house', name: 'Otter house' });
    });
    const { page } = await dashboard().visit({ key: team.teamKey });
    const palette = page.getByRole('dialog', { name: 'Find or do' });
    const option = (name: RegExp, group: string) =>
      palette.getByRole('group', { name: group }).getByRole('option', { name });
    await page.keyboard.press('Control+k');
    await palette.getByRole('combobox').and(page.locator(':focus')).waitFor();
    await page.keyboard.type('otter');
    await option(/The otter/, 'Notes').waitFor();
    await option(/Otters may stay/, 'Decisions').waitFor();
    await option(/Brush the otter/, 'Tasks').waitFor();
    await option(/Otter house/, 'Projects').waitFor();
    await option(/Ask “otter”/, 'Actions').waitFor();
    await expectAccessible(page, 'the palette');
    await palette.getByRole('combobox').fill('sprats');
    await option(/The otter/, 'In the text').waitFor();
    await palette.getByRole('combobox').fill('bo');
    await option(/^bo/, 'People').waitFor();
    await palette.getByRole('combobox').fill('money');
    await option(/Money/, 'Pages').and(page.locator('[aria-selected="true"]')).waitFor();
    await page.keyboard.press('Enter');
    await untilTitled(page, 'Money');
    await palette.waitFor({ state: 'detached' });
    await page.setViewportSize(narrow);
    await page.keyboard.press('/');
    await palette.waitFor();
    expect(await sidewaysPixels(page)).toBe(0);
    await page.keyboard.press('Escape');
    await palette.waitFor({ state: 'detached' });

    const guest = (await dashboard().visit({ key: team.externalKey })).page;
    await guest.getByRole('button', { name: 'Find or do' }).click();
    const options = guest.getByRole('dialog').getByRole('option');
    await options.getByText('Memory').waitFor();
    await guest.keyboard.type('o');
    await options.getByText('open.md').waitFor();
    await guest.getByText(/^\d+ found$/).waitFor();
    expect((await options.allTextContents()).join()).not.toMatch(/otter|Money|Projects|bo/i);

    const stranger = (await dashboard().visit()).page;
    await stranger.getByLabel('Your key').waitFor();
    await stranger.locator('h1').click();
    await stranger.keyboard.press('Control+k');
    expect(await stranger.getByRole('dialog').count()).toBe(0);
  });
});
