import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { expectAccessible } from '../support/dashboard/accessibility.ts';
import { dashboardTexts } from '../support/dashboard/dashboard-texts.ts';
import { describeDashboard } from '../support/dashboard/describe-dashboard.ts';
import { type FilledTeam, fillTeam } from '../support/dashboard/fill-team.ts';
import { narrow, sidewaysPixels, untilTitled } from '../support/dashboard/visit.ts';

/** Eleven pages, the views of the page Team, and more. */
const walkTimeoutMs = 180_000;
/** Every page, with a word of its own besides its title. */
const pages: readonly (readonly [path: string, title: string, words: string])[] = [
  ['/', 'Fragen', 'Deine offenen Aufgaben'],
  ['/memory', 'Wissen', 'Neue Notiz'],
  ['/news', 'Neues', 'Wer was geändert hat'],
  ['/tasks', 'Aufgaben', 'Neue Aufgabe'],
  ['/decisions', 'Entscheidungen', 'Neue Entscheidung'],
  ['/projects', 'Projekte', 'Neues Projekt'],
  ['/team', 'Team', 'Mitglieder'],
  ['/team?view=invitations', 'Team', 'Einladung'],
  ['/team?view=keys', 'Team', 'gültige'],
  ['/team?view=webhooks', 'Team', 'Webhook'],
  ['/team?view=audit', 'Team', 'Wer was geändert hat'],
  ['/connect', 'Verbinden', 'Was verbunden wird'],
  ['/money', 'Kosten', 'Dein Team heute'],
  ['/readiness', 'Agententauglichkeit', 'Codebasen'],
  ['/review', 'Prüfen', 'Nichts wartet auf dich'],
  ['/maturity', 'Reifegrad', 'Gezeigt werden nur Gruppen'],
  ['/write', 'Neue Notiz', 'Notiz anlegen'],
  ['/decisions/new', 'Neue Entscheidung', 'Entscheidung anlegen'],
];

/** English texts that are long enough to be nothing else. */
const english = [...dashboardTexts().used.keys()].filter((text) => text.length > 12 && !/[{<]/.test(text));

describeDashboard('the dashboard for a browser that prefers German', (dashboard) => {
  let filled: FilledTeam;
  beforeAll(async () => {
    filled = await fillTeam(dashboard().service);
  });

  /** Signs in, by a form with German words. */
  async function enter(key: string, locale = 'de-AT'): Promise<Page> {
    const { page } = await dashboard().visit({ browser: { locale } });
    await page.getByLabel('Dein Schlüssel').fill(key);
    await page.getByRole('button', { name: 'Anmelden', exact: true }).click();
    await page.locator('main#main h1').waitFor();
    return page;
  }

  test('is German on every page, without faults, and nothing scrolls sideways on a phone', {
    timeout: walkTimeoutMs,
  }, async () => {
    const page = await enter(filled.teamKey);
    expect(await page.locator('html').getAttribute('lang')).toBe('de');
    const { origin } = new URL(page.url());
    for (const [path, title, words] of pages) {
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.goto(origin + path);
      await untilTitled(page, title);
      await page.getByText(words).first().waitFor();
      await page
        .getByText(/^Wird geladen/)
        .first()
        .waitFor({ state: 'detached' });
      const said = (await page.locator('body').textContent()) ?? '';
      expect(
        english.filter((text) => said.includes(text)),
        path,
      ).toEqual([]);
      await expectAccessible(page, `${path} in German`);
      for (const size of [{ width: 390, height: 844 }, narrow]) {
        await page.setViewportSize(size);
        expect(await sidewaysPixels(page), `${path} at ${size.width} pixels`).toBe(0);
      }
    }
  });

  test('counts, and writes days, as German does', async () => {
    const { teamKey } = await dashboard().service.createTeam();
    const page = await enter(teamKey, 'de-DE');
    const { origin } = new URL(page.url());
    await page.goto(`${origin}/team`);
    await page.getByRole('heading', { name: '1 Mitglied', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Mitglied hinzufügen' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Kürzel').fill('wanda');
    await dialog.getByRole('button', { name: 'Mitglied hinzufügen' }).click();
    await page.getByRole('heading', { name: '2 Mitglieder', exact: true }).waitFor();
    const added = page.getByRole('row', { name: /wanda/ }).locator('time');
    expect(await added.textContent()).toMatch(/^(?:in dieser|vor \d+) Minute/);
    expect(await added.getAttribute('title')).toMatch(/^\d\d\.\d\d\.\d{4}, \d\d:\d\d$/);
  });

  test('is English where neither of its languages is preferred, or English is preferred to German', async () => {
    for (const locale of ['fr-FR', 'en-US']) {
      const { page } = await dashboard().visit({ key: filled.teamKey, browser: { locale } });
      await untilTitled(page, 'Ask');
      expect(await page.locator('html').getAttribute('lang')).toBe('en');
    }
  });
});
