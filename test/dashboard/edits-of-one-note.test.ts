import { once } from 'node:events';
import { join } from 'node:path';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { seededRandom } from '@teammemory/testkit/seeded-random.ts';
import { temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { describeDashboard } from '../support/dashboard/describe-dashboard.ts';
import { item } from '../support/http/api.ts';
import { newTeam } from '../support/http/key-holder.ts';
import { type TmsFolder, tmsFolder } from '../support/sync/tms-folder.ts';

const edits = 200;
const limits = { timeout: 240_000 };
const patience = { withinMs: 60_000, everyMs: 20 };
const random = seededRandom(29);
const name = 'log.md';

/** Starts `tms sync --watch` in a folder until the test ends. */
async function watch(folder: TmsFolder): Promise<void> {
  const child = folder.start('sync', '.', '--watch');
  onTestFinished(async () => {
    child.kill('SIGINT');
    await once(child, 'close');
  });
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    said += chunk;
  });
  await eventually('it watches', () => said.includes('watching'), patience);
}

/** Adds a line at the beginning or the end of the note that a page edits, and saves it. */
async function editInBrowser(page: Page, place: 'Home' | 'End', line: string): Promise<void> {
  await page.keyboard.press(`Control+${place}`);
  await page.keyboard.insertText(line);
  const state = page.getByRole('form').getByRole('status');
  await state.getByText('Kept in this browser').waitFor();
  await page.keyboard.press('Control+s');
  await state.getByText(/^Saved/).waitFor();
}

describeDashboard('one note', (dashboard) => {
  test('that two browsers and a watched folder edit 200 times loses no line', limits, async () => {
    const team = await newTeam(dashboard().service);
    await team.team.push(item(name, 'first\n\nmiddle\n\nlast\n'));
    const keys = [team.teamKey, await team.newKey('team', { member: 'bo' })];
    const pages: Page[] = [];
    for (const key of keys) {
      const visit = await dashboard().visit({ key, path: `/write?item=${name}` });
      visit.expectFaults(/^422 POST \/api\/v1\/items/);
      await visit.page.getByRole('textbox', { name: 'Text', exact: true }).click();
      pages.push(visit.page);
    }
    const [one, two] = pages as [Page, Page];
    const directory = await temporaryDirectory();
    onTestFinished(() => directory.remove());
    const environment = { TMS_URL: dashboard().service.url, TMS_TEAM: team.slug, TMS_KEY: team.teamKey };
    const folder = await tmsFolder(join(directory.path, 'notes'), environment);
    await watch(folder);
    const stored = async (): Promise<string> => (await team.team.rows())[0].content;
    const isSynced = async () => (await folder.files())[name] === (await stored());
    await eventually('the folder has the note', isSynced, patience);

    const lines: string[] = [];
    const writers: Record<string, (line: string) => Promise<void>> = {
      one: (line) => editInBrowser(one, 'Home', line),
      two: (line) => editInBrowser(two, 'End', line),
      folder: async (line) =>
        folder.write(name, (await folder.read(name)).replace('middle\n', `middle\n${line}`)),
    };
    while (lines.length < edits) {
      const round = Object.entries(writers)
        .filter(() => random.integerBelow(4) > 0)
        .slice(0, edits - lines.length)
        .map(([writer, write]) => {
          const line = `${writer} ${lines.length + 1}`;
          lines.push(line);
          return write(`${line}\n`);
        });
      await Promise.all(round);
      // Nobody edits a file at the very moment at which it is replaced.
      await eventually('the folder has what is stored', isSynced, patience);
    }
    const linesIn = (text: string) => (text.match(/\b(?:one|two|folder) \d+/g) ?? []).sort();
    const all = linesIn(lines.join('\n'));
    expect(all).toHaveLength(edits);
    expect(linesIn(await stored())).toEqual(all);
    expect(linesIn(await folder.read(name))).toEqual(all);
    for (const page of pages) {
      await page.getByRole('button', { name: 'Close' }).click();
      const article = page.getByRole('article');
      // Its text with line breaks: in `textContent` the first line follows upon the last word of the header.
      const shown = async () => linesIn((await article.allInnerTexts()).join('\n'));
      // The page shows what it saved, until it is told of the others' last edits.
      await eventually('the page follows', async () => (await shown()).length === all.length, patience);
      expect(await shown()).toEqual(all);
    }
  });
});
