import { eventually } from '@teammemory/testkit/eventually.ts';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { describeDashboard } from '../support/dashboard/describe-dashboard.ts';
import { item } from '../support/http/api.ts';
import { newTeam, type TeamClients } from '../support/http/key-holder.ts';

const items = 10_000;
/** The most that one push takes. */
const pushedAtOnce = 200;
/** Rows that fit a window several times, and none of the thousands beside them. */
const maxRowsInPage = 60;
const limits = { timeout: 120_000 };

describeDashboard('a list of 10,000 items', (dashboard) => {
  let team: TeamClients;
  beforeAll(async () => {
    team = await newTeam(dashboard().service);
    for (let first = 0; first < items; first += pushedAtOnce) {
      const batch = Array.from({ length: pushedAtOnce }, (_, offset) => {
        const number = String(first + offset).padStart(5, '0');
        return item(`many/${number}.md`, `# Note ${number}\n`);
      });
      const { status } = await team.team.push(...batch);
      expect(status).toBe(200);
    }
  }, limits.timeout);

  const list = (page: Page) => page.getByRole('region', { name: 'many' });

  test('has few rows in the page, scrolls to its end, and can be searched', limits, async () => {
    const { page } = await dashboard().visit({ key: team.teamKey, path: '/memory/many' });
    await page
      .getByText(`${items.toLocaleString('en-GB')} items`)
      .first()
      .waitFor({ timeout: 60_000 });
    await list(page)
      .getByRole('link', { name: /Note 00000/ })
      .waitFor();
    const rows = () => list(page).getByRole('listitem').count();
    expect(await rows()).toBeLessThanOrEqual(maxRowsInPage);
    let most = 0;
    for (const part of [0.25, 0.5, 0.75, 1]) {
      await list(page).evaluate((element, share) => {
        element.scrollTop = element.scrollHeight * share;
      }, part);
      await eventually('rows are drawn', async () => (await rows()) > 5);
      most = Math.max(most, await rows());
    }
    expect(most).toBeLessThanOrEqual(maxRowsInPage);
    await list(page)
      .getByRole('link', { name: /Note 09999/ })
      .waitFor();
    await list(page)
      .getByRole('link', { name: /Note 09999/ })
      .click();
    await page.getByRole('heading', { level: 1, name: 'Note 09999' }).waitFor();
    await page.getByRole('searchbox').fill('04321');
    await page
      .getByRole('link', { name: /Note 04321/ })
      .first()
      .waitFor();
  });

  test('shows a folder at once, while the other items are still being read', limits, async () => {
    const { page } = await dashboard().visit({ key: team.teamKey, path: '/tasks' });
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/ListItems', async (route) => {
      const isOfFolder = route.request().postDataBuffer()?.includes('late/') === true;
      if (!isOfFolder) await released;
      await route.continue();
    });
    await team.team.push(item('late/last.md', '# The last note\n'));
    await page.goto(`${dashboard().service.url}/memory/late`);
    await page.getByRole('link', { name: /The last note/ }).waitFor();
    await page.getByText(/reading on/).waitFor();
    release();
    await page.getByText('10,001 items').first().waitFor({ timeout: 60_000 });
  });

  test('is shown by What’s new without drawing it whole', limits, async () => {
    const { page } = await dashboard().visit({ key: team.teamKey, path: '/news' });
    await page
      .getByText(/10,000 items|10,001 items/)
      .first()
      .waitFor({ timeout: 60_000 });
    expect(await page.getByRole('main').getByRole('listitem').count()).toBeLessThanOrEqual(maxRowsInPage);
  });
});
