import { createHash } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible } from '../support/dashboard/accessibility.ts';
import { otherHost } from '../support/dashboard/chromium.ts';
import { describeDashboard } from '../support/dashboard/describe-dashboard.ts';
import { narrow, sidewaysPixels, untilTitled, visitDashboard } from '../support/dashboard/visit.ts';
import { item } from '../support/http/api.ts';
import { keyHolder, newTeam } from '../support/http/key-holder.ts';

const limits = { timeout: 90_000 };

describeDashboard('writing notes', (dashboard) => {
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const text = (page: Page) => page.getByRole('textbox', { name: 'Text', exact: true });
  const preview = (page: Page) => page.getByRole('region', { name: 'Preview' });
  const state = (page: Page) => page.getByRole('form').getByRole('status');
  /** Puts the cursor at the end of the text and types. */
  async function typeAtEnd(page: Page, words: string): Promise<void> {
    await text(page).click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type(words);
  }
  const sum = (bytes: string) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

  test(
    'a new note is written with a preview, fields and a link, and read by others at once',
    limits,
    async () => {
      const team = await newTeam(dashboard().service);
      await team.team.push(item('handbook/ferry.md', '# The [early] ferry\n'));
      const { page } = await dashboard().visit({ key: team.teamKey, path: '/memory/handbook' });
      await button(page, 'New note').click();
      await untilTitled(page, 'New note');
      await page.getByLabel('Path').fill('handbook/harbour');
      await text(page).fill('# The harbour\n\nIt is **deep**. See ');
      await typeAtEnd(page, '[[early');
      await page.getByRole('option', { name: /early.*handbook\/ferry\.md/ }).waitFor();
      await expectAccessible(page, 'a new note with notes to link to');
      await page.keyboard.press('Enter');
      await preview(page).getByRole('link', { name: 'The [early] ferry' }).waitFor();
      await preview(page).locator('strong', { hasText: 'deep' }).waitFor();
      await page.getByLabel('Another field').fill('owner');
      await button(page, 'Add field').click();
      await page.getByLabel('owner', { exact: true }).fill('ada: the first');
      await expectAccessible(page, 'a note with fields');
      await page.setViewportSize(narrow);
      expect(await sidewaysPixels(page)).toBe(0);
      await page.setViewportSize({ width: 1280, height: 800 });
      await button(page, 'Create note').click();
      await untilTitled(page, 'The harbour');
      const rows = await team.team.rows();
      const row = rows.find(({ row_key }: { row_key: string }) => row_key === 'handbook/harbour.md');
      const body = '# The harbour\n\nIt is **deep**. See [The \\[early\\] ferry](ferry.md)';
      expect(row).toMatchObject({
        content: body,
        frontmatter: { owner: 'ada: the first' },
        tier: 'team',
        checksum: sum(`---\nowner: "ada: the first"\n---\n${body}`),
      });
      await page.getByRole('article').getByRole('link', { name: 'The [early] ferry' }).click();
      await untilTitled(page, 'The [early] ferry');
    },
  );

  test(
    'over plain HTTP from another machine, notes are read, written and followed as well',
    limits,
    async () => {
      const team = await newTeam(dashboard().service);
      await team.team.push(item('ferry.md', '# The ferry\n\nIt leaves at **nine**.\n'));
      const url = dashboard().service.url.replace('127.0.0.1', otherHost);
      const visit = await visitDashboard(dashboard().browser, url, {
        key: team.teamKey,
        path: '/memory/ferry.md',
      });
      visit.expectFaults(/Cross-Origin-Opener-Policy header has been ignored/);
      const { page } = visit;
      expect(await page.evaluate('isSecureContext')).toBe(false);
      await page.getByRole('article').locator('strong', { hasText: 'nine' }).waitFor();
      await button(page, 'Edit').click();
      await typeAtEnd(page, 'Or at ten.');
      await page.keyboard.press('Control+s');
      await state(page).getByText('Saved.').waitFor();
      const [row] = await team.team.rows();
      expect(row.checksum).toBe(sum('# The ferry\n\nIt leaves at **nine**.\nOr at ten.'));
      await page.goto(`${url}/news`);
      await untilTitled(page, 'What’s new');
      await team.team.push(item('harbour.md', '# The harbour\n'));
      await page.getByRole('link', { name: 'The harbour' }).waitFor();
    },
  );

  test(
    'an edit leaves every other byte as it was: ends of lines, front matter and the end of the file',
    limits,
    async () => {
      const team = await newTeam(dashboard().service);
      const source = "title: 'Mixed'   # quotes\r\n";
      const body = 'one\r\ntwo\nthree\r\n\r\nlast';
      const file = `---\r\n${source}---\r\n${body}`;
      await team.team.push(
        item('mixed.md', body, {
          frontmatter: { title: 'Mixed' },
          frontmatter_text: source,
          checksum: sum(file),
        }),
      );
      const { page } = await dashboard().visit({ key: team.teamKey, path: '/memory/mixed.md' });
      await button(page, 'Edit').click();
      await typeAtEnd(page, ' word');
      await page.keyboard.press('Control+s');
      await state(page).getByText('Saved.').waitFor();
      const [row] = await team.team.rows();
      expect(row).toMatchObject({
        content: `${body} word`,
        frontmatter_text: source,
        checksum: sum(`${file} word`),
      });
      await page.getByLabel('title', { exact: true }).fill('Other');
      await page.keyboard.press('Control+s');
      await state(page).getByText('Saved.').waitFor();
      const [other] = await team.team.rows();
      expect(other.frontmatter_text).toBe('title: Other   # quotes\r\n');
      expect(other.content).toBe(`${body} word`);
    },
  );

  test(
    'the edit of somebody else is merged where lines do not touch, and shown beside mine where they do',
    limits,
    async () => {
      const team = await newTeam(dashboard().service);
      const lines = '# Plan\n\none\n\ntwo\n\nthree\n';
      await team.team.push(item('plan.md', lines));
      const bo = keyHolder(dashboard().service, team, await team.newKey('team', { member: 'bo' }));
      const visit = await dashboard().visit({ key: team.teamKey, path: '/write?item=plan.md' });
      visit.expectFaults(/^422 POST \/api\/v1\/items/);
      const { page } = visit;
      await typeAtEnd(page, 'four\n');
      await bo.push(item('plan.md', lines.replace('one', 'ONE by Bo')));
      await page.keyboard.press('Control+s');
      await state(page).getByText('together with what somebody else wrote').waitFor();
      const merged = `${lines.replace('one', 'ONE by Bo')}four\n`;
      expect((await team.team.rows())[0]).toMatchObject({
        content: merged,
        checksum: sum(merged),
        updated_by: 'ada',
      });
      await preview(page).getByText('ONE by Bo').waitFor();
      await typeAtEnd(page, 'five by Ada\n');
      await bo.push(item('plan.md', `${merged}five by Bo\n`));
      await page.keyboard.press('Control+s');
      await page.getByText('saved another version').waitFor();
      await page.getByText('five by Bo').waitFor();
      await page.getByText('five by Ada').waitFor();
      await expectAccessible(page, 'two edits of one note');
      await button(page, 'Go on with this').click();
      await text(page).waitFor();
      await button(page, 'Save').click();
      await state(page).getByText('Saved.').waitFor();
      expect((await team.team.rows())[0].content).toBe(`${merged}five by Bo\nfive by Ada\n`);
    },
  );

  test(
    'what was typed is kept in this browser until it is saved, and gone when its author signs out',
    limits,
    async () => {
      const team = await newTeam(dashboard().service);
      await team.team.push(item('plan.md', '# Plan\n'));
      const { page } = await dashboard().visit({ key: team.teamKey, path: '/write?item=plan.md' });
      await typeAtEnd(page, 'typed for long');
      await state(page).getByText('Kept in this browser').waitFor();
      await page.reload();
      await page.getByText('what you wrote before and did not save').waitFor();
      await preview(page).getByText('typed for long').waitFor();
      await button(page, 'Discard').click();
      await untilTitled(page, 'Plan');
      await button(page, 'Edit').click();
      await typeAtEnd(page, 'once more');
      await state(page).getByText('Kept in this browser').waitFor();
      await button(page, 'Sign out').click();
      await page.getByLabel('Your key').waitFor();
      expect(
        await page.evaluate('Object.keys(localStorage).filter((name) => name.startsWith("draft"))'),
      ).toEqual([]);
    },
  );

  test(
    'a note moves with its text, never onto another one, and one that was removed is made anew',
    limits,
    async () => {
      const team = await newTeam(dashboard().service);
      const linking = 'See [A](../a.md#x), [[a]] and `[A](../a.md)`.\r\n\n- [b](b.md)';
      await team.team.push(
        item('a.md', '# A\n\n[B](b.md)\n'),
        item('b.md', '# B\n'),
        item('notes/c.md', linking),
        item('notes/d.md', '[A](/a.md)\n'),
      );
      const visit = await dashboard().visit({ key: team.teamKey, path: '/write?item=a.md' });
      visit.expectFaults(/^422 POST \/api\/v1\/items|^404 POST \/rpc\//);
      const { page } = visit;
      await page.getByLabel('Path').fill('b.md');
      await button(page, 'Save').click();
      await page.getByText('There is another note with this path').waitFor();
      await page.getByLabel('Path').fill('deep/c.md');
      await page.getByText('moves it here from a.md').waitFor();
      await button(page, 'Save').click();
      const dialog = page.getByRole('dialog', { name: 'Links to the note that you moved' });
      await dialog.getByText('3 notes link here.').waitFor();
      await dialog.getByText('notes/c.md: 2 links').waitFor();
      await expectAccessible(page, 'links to a note that was moved');
      await team.team.remove('notes/d.md');
      await button(page, 'Change their links').focus();
      await page.keyboard.press('Enter');
      await page.getByText('2 notes were changed. These were not:').waitFor();
      await page.getByText('notes/d.md: There is no such item').waitFor();
      await button(page, 'Open the note').click();
      await untilTitled(page, 'A');
      expect(new URL(page.url()).pathname).toBe('/memory/deep/c.md');
      const texts = (await team.team.rows()).map(({ row_key, content }) => [row_key, content]);
      expect(Object.fromEntries(texts)).toEqual({
        'b.md': '# B\n',
        'deep/c.md': '# A\n\n[B](../b.md)\n',
        'notes/c.md': linking.replace('../a.md#x', '../deep/c.md#x').replace('[[a]]', '[[deep/c]]'),
      });
      await button(page, 'Edit').click();
      await typeAtEnd(page, 'more\n');
      await team.team.remove('deep/c.md');
      await button(page, 'Save').click();
      await page.getByText('Somebody removed this note meanwhile').waitFor();
      await button(page, 'Save').click();
      await untilTitled(page, 'A');
      const row = (await team.team.rows()).find(
        ({ row_key }: { row_key: string }) => row_key === 'deep/c.md',
      );
      expect(row).toMatchObject({ content: '# A\n\n[B](../b.md)\nmore\n', tier: 'team' });
    },
  );

  test(
    'guests see a note only after a look at what they will see, and a change of mind takes it back',
    limits,
    async () => {
      const team = await newTeam(dashboard().service);
      const file = '---\naudience: team\nsecret: word\n---\n# Prices\n\nTen a day.\n';
      await team.team.push(
        item('prices.md', '# Prices\n\nTen a day.\n', {
          frontmatter: { audience: 'team', secret: 'word' },
          frontmatter_text: 'audience: team\nsecret: word\n',
          checksum: sum(file),
        }),
      );
      const { page } = await dashboard().visit({ key: team.teamKey, path: '/write?item=prices.md' });
      await text(page).waitFor();
      await page.getByLabel('The team and its guests').check();
      expect(await page.getByLabel('audience', { exact: true }).inputValue()).toBe('external');
      await button(page, 'Save').click();
      const dialog = page.getByRole('dialog', { name: 'Show it to guests?' });
      const shown = dialog.getByRole('region', { name: 'What guests will see' });
      await shown.getByText('Ten a day.').waitFor();
      await shown.getByText('word').waitFor();
      await expectAccessible(page, 'what guests will see');
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      expect(await team.external.rows()).toEqual([]);
      await button(page, 'Save').click();
      await dialog.getByRole('button', { name: 'Show it to guests' }).click();
      await state(page).getByText('Saved.').waitFor();
      expect(await team.external.rows()).toMatchObject([
        { row_key: 'prices.md', frontmatter: { audience: 'external' } },
      ]);
      await page.getByLabel('audience', { exact: true }).fill('team');
      expect(await page.getByLabel('The team only').isChecked()).toBe(true);
      await button(page, 'Save').click();
      await state(page).getByText('Saved.').waitFor();
      expect(await team.external.rows()).toEqual([]);
      await page.getByLabel('audience', { exact: true }).fill('private');
      await button(page, 'Save').click();
      await page.getByText('It says that it is private, and stays in this browser.').waitFor();
    },
  );

  test('who may not write a note finds no button, and no form at its address', limits, async () => {
    const team = await newTeam(dashboard().service);
    await team.team.push(item('team.md', '# Team\n'), item('open.md', '# Open\n', { tier: 'external' }));
    const own = await team.newKey('team', { member: 'bo', access: 'own' });
    for (const [key, path] of [
      [team.readKey, 'team.md'],
      [own, 'team.md'],
    ] as const) {
      const { page, open } = await dashboard().visit({ key, path: `/memory/${path}` });
      await untilTitled(page, 'Team');
      expect(await button(page, 'Edit').count()).toBe(0);
      await open(`/write?item=${path}`);
      await page.getByText('Your key does not write this note').waitFor();
      expect(await text(page).count()).toBe(0);
    }
    const reader = await dashboard().visit({ key: team.readKey, path: '/memory' });
    await reader.page.getByRole('link', { name: /Team/ }).first().waitFor();
    expect(await reader.page.getByRole('button', { name: /New note|Upload/ }).count()).toBe(0);
    await keyHolder(dashboard().service, team, own).push(item('bo.md', '# Bo\n'));
    await team.team.push(item('more.md', '[Bo](bo.md)\n'));
    const bo = await dashboard().visit({ key: own, path: '/write?item=bo.md' });
    await bo.page.getByLabel('Path').fill('moved.md');
    await button(bo.page, 'Save').click();
    await bo.page.getByText('more.md: others wrote it last').waitFor();
    expect(await button(bo.page, 'Change their links').count()).toBe(0);
    await button(bo.page, 'Go on').click();
    await untilTitled(bo.page, 'Bo');
    const guest = await dashboard().visit({ key: team.externalKey, path: '/write?item=team.md' });
    guest.expectFaults(/^404 POST \/rpc\//);
    await guest.page.getByText('There is no such item').waitFor();
    expect(await text(guest.page).count()).toBe(0);
    await guest.open('/write?item=open.md');
    await typeAtEnd(guest.page, 'by a guest\n');
    expect(await guest.page.getByRole('radio').count()).toBe(0);
    await guest.page.keyboard.press('Control+s');
    await state(guest.page).getByText('Saved.').waitFor();
    expect(await team.external.rows()).toMatchObject([{ content: '# Open\nby a guest\n', by_guest: true }]);
  });

  test(
    'a save does not show guests a note again that somebody took back from them meanwhile',
    limits,
    async () => {
      const team = await newTeam(dashboard().service);
      await team.team.push(item('notes/plain', '# Plain\n', { tier: 'external' }));
      const { page } = await dashboard().visit({ key: team.teamKey, path: '/write?item=notes%2Fplain' });
      await typeAtEnd(page, 'secret\n');
      const bo = keyHolder(dashboard().service, team, await team.newKey('team', { member: 'bo' }));
      await bo.push(item('notes/plain', '# Plain\n'));
      await page.keyboard.press('Control+s');
      await state(page).getByText('Saved.').waitFor();
      expect(await team.external.rows()).toEqual([]);
      expect(await page.getByLabel('The team only').isChecked()).toBe(true);
      expect(await team.team.rows()).toMatchObject([
        { row_key: 'notes/plain', content: '# Plain\nsecret\n', tier: 'team' },
      ]);
    },
  );
});
