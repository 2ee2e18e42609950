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

  test('is found by the palette and linked to by a few letters, in a few requests', limits, async () => {
    await team.team.push(item('links.md', '# Links\n\n[one](many/09876.md), [[08765]]\n'));
    const { page } = await dashboard().visit({ key: team.teamKey, path: '/write?item=many/09876.md' });
    const text = page.getByRole('textbox', { name: 'Text', exact: true });
    await text.waitFor();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname.split('/').at(-1) ?? ''));
    const counted = (method: string) => asked.filter((each) => each === method).length;
    await page.locator('h1').click();
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('dialog', { name: 'Find or do' });
    await palette.getByRole('combobox').and(page.locator(':focus')).waitFor();
    await page.keyboard.type('note 07654');
    const notes = palette.getByRole('group', { name: 'Notes' });
    await notes.getByRole('option', { name: /Note 07654/ }).waitFor();
    await page.getByText(/^\d+ found$/).waitFor();
    expect(counted('ListItems')).toBe(0);
    // Tasks, decisions and projects once; a name and a text for each rest while one types.
    expect(asked.length).toBeLessThanOrEqual(3 + 2 * 'note 07654'.length);
    await page.keyboard.press('Escape');
    asked.length = 0;
    await text.click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('[[06543');
    await page.getByRole('option', { name: /Note 06543/ }).click();
    await page.keyboard.type(' and [x](many/05432');
    await page.getByRole('option', { name: /05432\.md/ }).waitFor();
    expect(counted('ListItems')).toBe(0);
    expect(counted('FindItems')).toBeLessThanOrEqual('[[06543'.length + 'many/05432'.length + 1);
    await page.keyboard.press('Escape');
    asked.length = 0;
    await page.getByLabel('Path').fill('moved.md');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('links.md: 1 link').waitFor();
    expect(counted('ListItems')).toBe(0);
    expect(asked.length).toBeLessThanOrEqual(20);
    await page.getByRole('button', { name: 'Change their links' }).click();
    await page.getByRole('heading', { level: 1, name: 'Note 09876' }).waitFor();
    const [links] = await team.team.rows('?prefix=links.md');
    expect(links.content).toBe('# Links\n\n[one](moved.md), [[08765]]\n');
  });
});
