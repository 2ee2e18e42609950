import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { expectAccessible } from '../support/dashboard/accessibility.ts';
import { describeDashboard } from '../support/dashboard/describe-dashboard.ts';
import { type FilledTeam, fillTeam } from '../support/dashboard/fill-team.ts';
import { sidewaysPixels } from '../support/dashboard/visit.ts';
import { item } from '../support/http/api.ts';
import { keyHolder } from '../support/http/key-holder.ts';

/** Twelve pages, each in three widths, and in two colours at the widest and the narrowest. */
const walkTimeoutMs = 120_000;
const [desktop, tablet, phone] = [
  { width: 1440, height: 900 },
  { width: 768, height: 1_024 },
  { width: 390, height: 844 },
];
/** Cumulative layout shift: below .1 is good for most people, and half of it is asked for here. */
const maxLayoutShift = 0.05;
const pagesOfGuests = ['Ask', 'Memory', 'What’s new', 'Tasks', 'Decisions'];
const pagesOfReaders = [...pagesOfGuests, 'Projects', 'Money', 'Readiness', 'Maturity'];
const pagesOfMembers = [...pagesOfGuests, 'Review', 'Projects', 'Connect', 'Money', 'Readiness', 'Maturity'];
const allPages = [
  ...pagesOfGuests,
  'Review',
  'Projects',
  'Team',
  'Connect',
  'Money',
  'Readiness',
  'Maturity',
];

describeDashboard('every page of the dashboard', (dashboard) => {
  let filled: FilledTeam;
  beforeAll(async () => {
    const { service } = dashboard();
    filled = await fillTeam(service);
    const agent = keyHolder(
      service,
      filled,
      await filled.newKey('team', { member: 'ines', access: 'propose' }),
    );
    expect((await agent.push(item('notes/proposed.md', '# Proposed'))).body.proposed).toBe(1);
  });

  const links = (page: Page) => page.getByRole('navigation', { name: 'Pages' }).getByRole('link');

  /** Opens each page by the list of pages, waits until it has loaded, and looks at it in each width. */
  async function walk(page: Page, what: string): Promise<string[]> {
    const titles: string[] = [];
    await page.setViewportSize(desktop);
    for (const link of await links(page).all()) {
      const name = (await link.textContent()) ?? '';
      const isHere = (await link.getAttribute('aria-current')) === 'page';
      await link.focus();
      await page.keyboard.press('Enter');
      const heading = page.getByRole('heading', { level: 1 });
      await heading.filter({ hasText: name }).waitFor();
      await untilLoaded(page);
      titles.push(name);
      const focused = isHere ? 'nav :focus' : 'main#main :focus';
      await page.locator(focused).waitFor();
      expect(await page.title(), name).toBe(`${name} · Team Memory`);
      await expectAccessible(page, `${name}, ${what}`);
      for (const size of [desktop, tablet, phone]) {
        await page.setViewportSize(size);
        expect(await sidewaysPixels(page), `${name}, ${what}, at ${size.width} pixels`).toBe(0);
      }
      await expectAccessible(page, `${name}, ${what}, narrow`);
      await page.setViewportSize(desktop);
    }
    return titles;
  }

  test('of a team that has used it for a while has no faults, wide and narrow, light and dark', {
    timeout: walkTimeoutMs,
  }, async () => {
    const { page } = await dashboard().visit({ key: filled.teamKey });
    expect(await walk(page, 'in use')).toEqual(allPages);
  });

  test('of a new team has no faults either, and says what to do first', {
    timeout: walkTimeoutMs,
  }, async () => {
    const { teamKey } = await dashboard().service.createTeam();
    const { page } = await dashboard().visit({ key: teamKey });
    expect(await walk(page, 'empty')).toEqual(allPages);
  });

  test('keeps its place while it loads: nothing moves by more than people notice', {
    timeout: walkTimeoutMs,
  }, async () => {
    const visit = await dashboard().visit({ key: filled.teamKey });
    const { page } = visit;
    await page.addInitScript(`globalThis.shifts = [];
      new PerformanceObserver((list) => shifts.push(...list.getEntries().map(({ value }) => value)))
        .observe({ type: 'layout-shift', buffered: true });`);
    const paths = await links(page).evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
    const shifts: Record<string, number> = {};
    for (const path of [
      ...paths,
      '/readiness/booking',
      '/projects/tide-tables',
      '/news?view=check',
      '/memory/product/refunds.md',
    ]) {
      await visit.open(path);
      await untilLoaded(page);
      const moved = await page.evaluate<number[]>('shifts');
      const sum = moved.reduce((total, value) => total + value, 0);
      if (sum >= maxLayoutShift) shifts[path] = sum;
    }
    expect(shifts).toEqual({});
  });

  test('is for members as far as it concerns them, also with a key that only reads', async () => {
    const { page } = await dashboard().visit({ key: filled.keys.ines ?? '' });
    expect(await links(page).allTextContents()).toEqual(pagesOfMembers);
    const reader = await dashboard().visit({ key: filled.readKey });
    expect(await links(reader.page).allTextContents()).toEqual(pagesOfReaders);
  });

  test('is for guests only where it has rows of their tier, with no sign of others', {
    timeout: walkTimeoutMs,
  }, async () => {
    const visit = await dashboard().visit({ key: filled.externalKey });
    const { page } = visit;
    expect(await walk(page, 'for a guest')).toEqual(pagesOfGuests);
    expect(await page.getByRole('navigation', { name: 'Pages' }).locator('ul:not(:has(li))').count()).toBe(0);
    for (const path of [
      '/review',
      '/projects',
      '/team',
      '/money',
      '/readiness',
      '/maturity',
      '/projects/tide-tables',
    ]) {
      await visit.open(path);
      await page.getByText('There is no such page').waitFor();
    }
    for (const path of ['/', '/memory', '/news', '/tasks', '/decisions', '/connect']) {
      await visit.open(path);
      await untilLoaded(page);
      const text = (await page.locator('body').textContent()) ?? '';
      expect(text, path).not.toMatch(/On call|Nordvik|printers|How we work|wheelhouse|queue/i);
    }
  });
});

/** Waits until nothing on the page is still loading. */
async function untilLoaded(page: Page): Promise<void> {
  await page.locator('main#main').waitFor();
  await page
    .getByText(/^Loading/)
    .first()
    .waitFor({ state: 'detached' });
}
