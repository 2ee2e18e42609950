import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { snapshot } from '../support/analytics/valid-bodies.ts';
import { expectAccessible } from '../support/dashboard/accessibility.ts';
import { describeDashboard } from '../support/dashboard/describe-dashboard.ts';
import { type FilledTeam, fillTeam } from '../support/dashboard/fill-team.ts';
import { narrow, sidewaysPixels, untilTitled } from '../support/dashboard/visit.ts';
import { newTeam } from '../support/http/key-holder.ts';

describeDashboard('the pages Readiness and Maturity', (dashboard) => {
  let filled: FilledTeam;
  beforeAll(async () => {
    filled = await fillTeam(dashboard().service);
  });

  const main = (page: Page) => page.getByRole('main');

  test('Readiness leads from the codebases to the score over commits and what each point came from', async () => {
    const { page } = await dashboard().visit({ key: filled.teamKey, path: '/readiness' });
    const codebases = main(page).getByRole('table', { name: /newest scans/ });
    await codebases.getByRole('row', { name: /booking.*\+\d/ }).waitFor();
    const failed = main(page).getByRole('table', { name: 'Checks that failed in most codebases' });
    await failed.getByRole('row', { name: /Somebody reviews changes.*CODEOWNERS/ }).waitFor();
    await main(page).getByLabel('Order of the codebases').selectOption('Highest score first');
    await codebases.getByRole('row').nth(1).filter({ hasText: 'tidebook/booking' }).waitFor();
    await main(page).getByRole('link', { name: 'tidebook/booking' }).click();
    await untilTitled(page, 'booking');
    expect(new URL(page.url()).pathname).toBe('/readiness/booking');
    const scans = main(page).getByRole('table', { name: /Scans of booking/ });
    await scans.getByRole('row').nth(8).waitFor();
    const parts = main(page).getByRole('region', { name: 'Parts of the score' });
    const newest = await parts.textContent();
    await scans
      .getByRole('button', { name: /Explain the score/ })
      .last()
      .click();
    await parts.filter({ hasNotText: newest ?? '' }).waitFor();
    await main(page).getByRole('region', { name: 'Pillars' }).getByText('observability').waitFor();
    const checks = main(page).getByRole('table', { name: 'Checks and where they were decided' });
    await checks.getByRole('row', { name: /Somebody reviews changes failed/ }).waitFor();
    await expectAccessible(page, 'a codebase');
    await page.setViewportSize(narrow);
    expect(await sidewaysPixels(page)).toBe(0);
    await page.goBack();
    await untilTitled(page, 'Readiness');
  });

  test('an address of no codebase says so and breaks nothing', async () => {
    for (const path of ['/readiness/none', '/readiness/%25']) {
      const visit = await dashboard().visit({ key: filled.teamKey, path });
      visit.expectFaults(/^4\d\d POST \/rpc\//);
      await main(visit.page).getByRole('link', { name: 'All codebases' }).waitFor();
    }
  });

  test('Maturity shows the team without names, the trend, and to oneself where each axis came from', async () => {
    const { page } = await dashboard().visit({ key: filled.keys.ines ?? '', path: '/maturity' });
    await main(page).getByRole('heading', { name: 'Members at each level' }).waitFor();
    await main(page).getByRole('table', { name: 'The median of each axis in each week' }).waitFor();
    await main(page).getByRole('heading', { name: 'You', exact: true }).waitFor();
    await main(page).getByLabel('Day of your snapshot').waitFor();
    await main(page)
      .getByRole('heading', { name: /^What raises you to L\d$/ })
      .waitFor();
    expect(await main(page).textContent()).not.toMatch(/jonas|mara/);
  });

  test('Maturity withholds the figures of fewer than three, and says why', async () => {
    const team = await newTeam(dashboard().service);
    await team.team.call('/metrics', { body: snapshot() });
    const { page } = await dashboard().visit({ key: team.teamKey, path: '/maturity' });
    await main(page).getByText('the figures are withheld').waitFor();
    await main(page).getByRole('heading', { name: 'What raises you to L5' }).waitFor();
    await main(page).getByText('Subagent usage is 0.45 and must be at least 0.5.').waitFor();
    expect(await main(page).getByRole('heading', { name: 'Members at each level' }).count()).toBe(0);
    await expectAccessible(page, 'figures that are withheld');
  });
});
