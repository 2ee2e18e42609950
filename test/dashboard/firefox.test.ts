import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { programOnPath } from '../support/dashboard/chromium.ts';
import { item } from '../support/http/api.ts';
import { newTeam } from '../support/http/key-holder.ts';
import { sharedService } from '../support/service/shared-service.ts';

/** A loaded machine takes 20 s to start a browser. */
const startTimeoutMs = 120_000;
const actionTimeoutMs = 30_000;
const limits = { timeout: 180_000 };

// Playwright drives Firefox as its authors build it; Puppeteer drives the one that people have, by WebDriver BiDi.
const executablePath = process.env.FIREFOX_PATH || programOnPath(['firefox-esr', 'firefox']);

/** Opens the page of a new person, whose faults the end of the test tells. */
async function visit(browser: Browser, url: string): Promise<Page> {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  page.setDefaultTimeout(actionTimeoutMs);
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(`error: ${String(error)}`));
  page.on('console', (message) => {
    if (/^(?:error|warn)/.test(message.type())) faults.push(`console: ${message.text()}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400) faults.push(`${response.status()} ${response.url()}`);
  });
  onTestFinished(async () => {
    await context.close();
    expect(faults, 'faults of the page').toEqual([]);
  });
  await page.goto(url);
  return page;
}

function declareJourneys(): void {
  const service = sharedService();
  let browser: Browser;
  beforeAll(async () => {
    browser = await puppeteer.launch({
      browser: 'firefox',
      ...(executablePath && { executablePath }),
      timeout: startTimeoutMs,
      extraPrefsFirefox: { 'intl.accept_languages': 'en-GB' },
    });
  }, startTimeoutMs);
  afterAll(() => browser?.close());

  test('signs in, asks, opens and edits a note, ticks a task and uploads', limits, async () => {
    const team = await newTeam(service());
    await team.team.push(
      item('otter.md', '# The otter\n\nThe otter Bartholomew sleeps in the harbour.\n'),
      item('tasks.md', '# Tasks\n\n- [ ] Feed Bartholomew\n'),
    );
    const page = await visit(browser, service().url);
    const one = (role: string, name: string) => page.locator(`::-p-aria([role="${role}"][name="${name}"])`);
    const textOf = async (rowKey: string) => {
      const rows = await team.team.rows();
      return rows.find(({ row_key }: { row_key: string }) => row_key === rowKey)?.content;
    };
    await page.locator('input[type="password"]').fill(team.teamKey);
    await one('button', 'Sign in').click();

    await one('textbox', 'Your question').fill('Where does the otter Bartholomew sleep?');
    await page.keyboard.press('Enter');
    await one('button', 'Source 1').click();
    await page.locator('aside ::-p-text(sleeps in the harbour)').wait();

    await one('link', 'Memory').click();
    await page.locator('main a[href="/memory/otter.md"]').click();
    await page.locator('h1 ::-p-text(The otter)').wait();
    await one('button', 'Edit').click();
    // Puppeteer does not notice what is added to a shadow root.
    await page.waitForFunction(`[...document.querySelectorAll('main div')].some((each) => each.shadowRoot)`);
    await page.locator('main >>> .cm-content').click();
    await page.keyboard.down('Control');
    await page.keyboard.press('End');
    await page.keyboard.up('Control');
    await page.keyboard.type('It eats fish.');
    await page.locator('form [role="status"] ::-p-text(Kept in this browser)').wait();
    await page.keyboard.down('Control');
    await page.keyboard.press('s');
    await page.keyboard.up('Control');
    await page.locator('form [role="status"] ::-p-text(Saved.)').wait();
    expect(await textOf('otter.md')).toMatch(/harbour\.\nIt eats fish\.$/);

    await one('link', 'Tasks').click();
    await one('checkbox', 'Feed Bartholomew').click();
    await eventually('the task is done', async () => /\[x\]/.test(await textOf('tasks.md')));

    const directory = await temporaryDirectory();
    onTestFinished(() => directory.remove());
    const file = join(directory.path, 'ferry.md');
    await writeFile(file, '# The ferry\n');
    await one('link', 'Memory').click();
    await one('button', 'Upload').click();
    const chosen = await page.waitForSelector('dialog input[type="file"]');
    await chosen?.uploadFile(file);
    await one('button', 'Upload 1 file').click();
    await page.locator('dialog ::-p-text(1 stored.)').wait();
    expect(await textOf('ferry.md')).toBe('# The ferry\n');
  });
}

if (executablePath === undefined)
  describe.skip('the dashboard in Firefox (skipped: no Firefox on the path)', declareJourneys);
else describe('the dashboard in Firefox', declareJourneys);
