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

  test('has few rows in the page, is read on while one scrolls, and can be searched', limits, async () => {
    const { page } = await dashboard().visit({ key: team.teamKey, path: '/memory/many' });
    await list(page)
      .getByRole('link', { name: /Note 00000/ })
      .waitFor();
    const rows = () => list(page).getByRole('listitem').count();
    const whole = page.getByText(`${items.toLocaleString('en-GB')} items`).first();
    expect(await whole.count()).toBe(0);
    expect(await rows()).toBeLessThanOrEqual(maxRowsInPage);
    let most = 0;
    await list(page).focus();
    await eventually(
      'the end is read',
      async () => {
        await page.keyboard.press('End');
        most = Math.max(most, await rows());
        return (await whole.count()) > 0;
      },
      { withinMs: 60_000 },
    );
    expect(most).toBeLessThanOrEqual(maxRowsInPage);
    await page.keyboard.press('End');
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

  test(
    'shows the first screen of a folder, and of an item in it, without reading the others',
    limits,
    async () => {
      const { page } = await dashboard().visit({ key: team.teamKey, path: '/tasks' });
      const asked: string[] = [];
      page.on('request', (request) => asked.push(new URL(request.url()).pathname.split('/').at(-1) ?? ''));
      for (const path of ['/memory', '/memory/many', '/memory/many/05000.md']) {
        asked.length = 0;
        await page.goto(`${dashboard().service.url}${path}`);
        await page.getByRole('link', { name: path === '/memory' ? /many/ : /Note 00000/ }).waitFor();
        expect(asked.filter((method) => method === 'ListItems')).toEqual([]);
        // What is there, what is beside it, and both again once the page knows when they changed last.
        expect(asked.filter((method) => method === 'ListFolder').length).toBeLessThanOrEqual(5);
      }
      await page.getByRole('heading', { level: 1, name: 'Note 05000' }).waitFor();
    },
  );

  test('is shown by What’s new without drawing it whole', limits, async () => {
    const { page } = await dashboard().visit({ key: team.teamKey, path: '/news' });
    await page
      .getByText(/10,000 items/)
      .first()
      .waitFor({ timeout: 60_000 });
    expect(await page.getByRole('main').getByRole('listitem').count()).toBeLessThanOrEqual(maxRowsInPage);
  });
});
