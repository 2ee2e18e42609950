import { eventually } from '@teammemory/testkit/eventually.ts';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { expectAccessible } from '../support/dashboard/accessibility.ts';
import { describeDashboard } from '../support/dashboard/describe-dashboard.ts';
import { type FilledTeam, fillTeam } from '../support/dashboard/fill-team.ts';
import { untilTitled } from '../support/dashboard/visit.ts';
import { item } from '../support/http/api.ts';
import { keyHolder, newTeam } from '../support/http/key-holder.ts';
import { rpcCall } from '../support/rpc/rpc-call.ts';

const limits = { timeout: 60_000 };

describeDashboard('the page Memory', (dashboard) => {
  let filled: FilledTeam;
  beforeAll(async () => {
    filled = await fillTeam(dashboard().service);
  });

  const list = (page: Page) => page.getByRole('region', { name: 'Folders and search' });
  const article = (page: Page) => page.getByRole('article');
  const tab = (page: Page, name: string) => page.getByRole('tab', { name });

  test('leads through folders to an item: its text, who wrote it, who sees it, and its path to copy', async () => {
    const { page, context } = await dashboard().visit({ key: filled.teamKey, path: '/memory' });
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await list(page)
      .getByRole('link', { name: /^product/ })
      .click();
    await list(page)
      .getByRole('link', { name: /Refunds/ })
      .click();
    await untilTitled(page, 'Refunds');
    expect(new URL(page.url()).pathname).toBe('/memory/product/refunds.md');
    await article(page).getByRole('columnheader', { name: 'who decides' }).waitFor();
    await article(page).getByText('Guests too').waitFor();
    await article(page).getByText('ines').waitFor();
    await article(page).getByRole('button', { name: 'Searchable' }).waitFor();
    await article(page).getByRole('button', { name: 'Copy path' }).click();
    await article(page).getByText('Copied').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('product/refunds.md');
    await tab(page, 'Source').click();
    await article(page).getByText('| reason | refund | who decides |').waitFor();
    await expectAccessible(page, 'the source of an item');
    await page.goBack();
    await article(page).getByRole('table').waitFor();
    await page.goBack();
    await list(page)
      .getByRole('link', { name: /accessibility|wheelchair/i })
      .waitFor();
  });

  test('searches while one types, and leads to the passage that was found', async () => {
    const { page } = await dashboard().visit({ key: filled.teamKey, path: '/memory' });
    await list(page).getByRole('searchbox').pressSequentially('hydrographic office', { delay: 20 });
    const passage = list(page).getByRole('link', { name: /hydrographic office publishes/ });
    await passage.waitFor();
    await expectAccessible(page, 'what a search finds');
    await passage.click();
    await untilTitled(page, 'Where tides come from');
    await article(page).locator('mark').first().waitFor();
    expect(await article(page).locator('mark').first().textContent()).toContain('hydrographic');
    await list(page).getByRole('searchbox').fill('zzzqqqxx');
    await page.getByText('Nothing fits these words.').waitFor();
  });

  test('marks a note whose day of review has passed, and no other', async () => {
    const team = await newTeam(dashboard().service);
    const note = (name: string, review_by: string) => item(name, '# Dues', { frontmatter: { review_by } });
    await team.team.push(note('due.md', '2020-01-31'), note('later.md', '2999-01-31'));
    const { page } = await dashboard().visit({ key: team.teamKey, path: '/memory/due.md' });
    await article(page).getByText('To be checked since').waitFor();
    await expectAccessible(page, 'a note that is to be checked');
    await page.goto(`${dashboard().service.url}/memory/later.md`);
    await article(page).getByRole('button', { name: 'Searchable' }).waitFor();
    expect(await article(page).getByText('To be checked since').count()).toBe(0);
  });

  test('says of every item whether a search finds it, and why not', async () => {
    const team = await newTeam(dashboard().service);
    await team.team.push(
      item('found.md', '# Found\n\nThe lighthouse keeper counts gulls.\n'),
      item('blank.md', '', { frontmatter: { title: 'Blank' } }),
    );
    const { page } = await dashboard().visit({ key: team.teamKey, path: '/memory' });
    await list(page)
      .getByRole('link', { name: /Blank.*Not searchable/ })
      .click();
    await article(page).getByText('It has no text outside its front matter.').waitFor();
    await expectAccessible(page, 'an item that no search finds');
    await list(page).getByRole('link', { name: /Found/ }).click();
    await article(page).getByRole('button', { name: 'Searchable' }).click();
    await article(page).getByText('Answers and search use all of it').waitFor();
  });

  test('tells who pushed a file that was refused, and nobody else, until it was pushed with success', async () => {
    const team = await newTeam(dashboard().service);
    await team.team.push(item('kept.md', '# Kept\n\nFirst.\n'));
    const stale = { base_checksum: `sha256:${'0'.repeat(64)}` };
    await team.team.push(item('kept.md', '# Kept\n\nSecond.\n', stale));
    await team.team.push(item('never.md', '# Never\n', { checksum: 'none' }));
    // The gateway hands refusals on once a second, and a page that is open does not ask again.
    await eventually('both refusals are kept', async () => {
      const { adminToken, rpcUrl } = dashboard().service;
      const { message } = await rpcCall({
        rpcUrl,
        protocol: 'connect',
        message: { teamSlug: team.slug },
        authorization: `Bearer ${adminToken}`,
        method: 'teammemory.auth.v1.AuthService/ListRefusals',
      });
      return message.refusals?.length === 2;
    });
    const visit = await dashboard().visit({ key: team.teamKey, path: '/memory/kept.md' });
    visit.expectFaults(/^404 POST \/rpc\//);
    const refusal = visit.page.getByText('Your last push of this file was refused');
    await refusal.waitFor();
    await visit.page.getByText('is not the version').waitFor();
    await expectAccessible(visit.page, 'an item whose push was refused');
    await visit.open('/memory/never.md');
    await refusal.waitFor();
    const bo = await team.newKey('team', { member: 'bo' });
    const other = await dashboard().visit({ key: bo, path: '/memory/kept.md' });
    await article(other.page).getByText('First.').waitFor();
    expect(await other.page.getByText('was refused').count()).toBe(0);
    await team.team.push(item('kept.md', '# Kept\n\nThird.\n'));
    await visit.open('/memory/kept.md');
    await article(visit.page).getByText('Third.').waitFor();
    expect(await refusal.count()).toBe(0);
  });

  test('shows what each change did, and restores a version, for those who may write', limits, async () => {
    const team = await newTeam(dashboard().service);
    await team.team.push(item('plan.md', '# Plan\n\nWe sail on Monday.\n'));
    const bo = keyHolder(dashboard().service, team, await team.newKey('team', { member: 'bo' }));
    await bo.push(item('plan.md', '# Plan\n\nWe sail on Tuesday.\n'));
    const { page } = await dashboard().visit({ key: team.teamKey, path: '/memory/plan.md' });
    await tab(page, 'History').click();
    const change = page.getByRole('region', { name: 'The change' });
    await change.locator('ins', { hasText: 'We sail on Tuesday.' }).waitFor();
    await change.locator('del', { hasText: 'We sail on Monday.' }).waitFor();
    await expectAccessible(page, 'the history of an item');
    await page.getByRole('list', { name: 'Versions' }).getByRole('button', { name: /ada/ }).click();
    await change.getByRole('button', { name: 'Restore this version' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    await expectAccessible(page, 'the question before restoring');
    await dialog.getByRole('button', { name: 'Restore' }).click();
    await dialog.waitFor({ state: 'detached' });
    await eventually('the old text is the newest', async () => {
      const [row] = await team.team.rows();
      return row.content.includes('Monday');
    });
    const reader = await dashboard().visit({ key: team.readKey, path: '/memory/plan.md?view=history' });
    await reader.page.getByRole('list', { name: 'Versions' }).getByRole('button').nth(1).click();
    await reader.page.locator('ins, del').first().waitFor();
    expect(await reader.page.getByRole('button', { name: 'Restore this version' }).count()).toBe(0);
  });

  test('does not restore over a change that somebody made meanwhile', limits, async () => {
    const team = await newTeam(dashboard().service);
    await team.team.push(item('plan.md', '# Plan\n\nFirst.\n'));
    await team.team.push(item('plan.md', '# Plan\n\nSecond.\n'));
    const visit = await dashboard().visit({ key: team.teamKey, path: '/memory/plan.md?view=history' });
    const { page } = visit;
    visit.expectFaults(/^422 POST \/api\/v1\/items/);
    // The news of the change must not reach the page, as on a slow line.
    await page.route('**/api/v1/events', () => undefined);
    await page.reload();
    await page.getByRole('list', { name: 'Versions' }).getByRole('button').nth(1).click();
    await page.getByRole('button', { name: 'Restore this version' }).click();
    await team.team.push(item('plan.md', '# Plan\n\nThird.\n'));
    await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
    await page.getByText('Somebody has changed this item since you opened it').waitFor();
    expect((await team.team.rows())[0].content).toContain('Third.');
  });

  test(
    'an item that was removed can be found by its address, and restored for the team alone',
    limits,
    async () => {
      const team = await newTeam(dashboard().service);
      await team.team.push(item('gone.md', '# Gone\n\nIt was here.\n', { tier: 'external' }));
      await team.team.remove('gone.md');
      const visit = await dashboard().visit({ key: team.teamKey, path: '/memory/gone.md' });
      visit.expectFaults(/^404 POST \/rpc\//);
      const { page } = visit;
      await page.getByText('This item was removed.').waitFor();
      await expectAccessible(page, 'an item that was removed');
      await page.getByRole('button', { name: 'Restore this version' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
      await eventually('it is back', async () => (await team.team.rows()).length === 1);
      expect((await team.team.rows())[0].tier).toBe('team');
      expect(await team.external.rows()).toEqual([]);
      const never = await dashboard().visit({ key: team.teamKey, path: '/memory/never.md' });
      never.expectFaults(/^404 POST \/rpc\//);
      await never.page.getByText('There is no such item').waitFor();
    },
  );

  test(
    'an item is removed, or erased with every version, also after it was removed, by those who may',
    limits,
    async () => {
      const team = await newTeam(dashboard().service);
      for (const text of ['First.', 'Second.']) await team.team.push(item('a.md', text), item('b.md', text));
      const versions = async (name: string) =>
        (await team.team.call(`/items/${name}/versions`)).body.versions;
      const visit = await dashboard().visit({ key: team.teamKey, path: '/memory/a.md' });
      visit.expectFaults(/^404 POST \/rpc\//);
      const { page } = visit;
      const dialog = page.getByRole('dialog');
      await page.getByRole('button', { name: 'Remove' }).click();
      // What a window asks has the focus, and not the button that closes it.
      await dialog.locator('select:focus').waitFor();
      await dialog.getByLabel('Its earlier versions').selectOption('versions');
      await expectAccessible(page, 'the question before removing');
      await dialog.getByRole('button', { name: 'Erase every version' }).click();
      await page.getByText('no version of it is left').waitFor();
      expect(await versions('a.md')).toMatchObject([{ erased: true, updated_by: 'ada' }]);
      await visit.open('/memory/b.md');
      await page.getByRole('button', { name: 'Remove' }).click();
      await dialog.getByRole('button', { name: 'Remove' }).click();
      await page.getByText('Its earlier versions are kept').waitFor();
      expect(await versions('b.md')).toHaveLength(3);
      await page.getByRole('button', { name: 'Erase every version' }).click();
      await dialog.locator('h2:focus').waitFor();
      await dialog.getByRole('button', { name: 'Erase', exact: true }).click();
      await page.getByText('no version of it is left').waitFor();
      expect(await versions('b.md')).toMatchObject([{ erased: true }]);
      const bo = await team.newKey('team', { member: 'bo', access: 'own' });
      await team.team.push(item('c.md', 'Third.'));
      const other = await dashboard().visit({ key: bo, path: '/memory/c.md' });
      await article(other.page).getByText('Third.').waitFor();
      expect(await other.page.getByRole('button', { name: 'Remove' }).count()).toBe(0);
    },
  );

  test('a link with a line leads to that line of a long text', async () => {
    const team = await newTeam(dashboard().service);
    const lines = Array.from({ length: 200 }, (_, number) => `- [ ] Task number ${number + 1}\n`);
    await team.team.push(item('long/tasks.md', lines.join('')));
    const { page } = await dashboard().visit({ key: team.teamKey, path: '/memory/long/tasks.md#L150' });
    const line = article(page).getByText('Task number 150');
    await line.waitFor();
    await eventually('the line is in view', () => line.evaluate(isInView));
  });

  test('a note of 300 KiB is laid out, and its tasks show their state without a box', async () => {
    const team = await newTeam(dashboard().service);
    const chapter = `## Chapter\n\n${'Words about the harbour. '.repeat(100)}\n\n`;
    await team.team.push(
      item('long.md', `# Long\n\n- [x] Painted\n- [ ] Not painted\n\n${chapter.repeat(120)}`),
    );
    const { page } = await dashboard().visit({ key: team.teamKey, path: '/memory/long.md' });
    await article(page).getByRole('heading', { name: 'Chapter' }).nth(119).waitFor();
    await article(page).getByRole('img', { name: 'done' }).waitFor();
    expect(await article(page).getByRole('checkbox').count()).toBe(0);
  });

  test('a folder that is missing says so, and does not load for ever', async () => {
    const team = await newTeam(dashboard().service);
    await team.team.push(item('a.md', '# A\n'));
    const visit = await dashboard().visit({ key: team.teamKey, path: '/memory/no/such/folder' });
    visit.expectFaults(/^404 POST \/rpc\//);
    await visit.page.getByText('There is no such item').waitFor();
    await list(visit.page).getByText('There is nothing in this folder.').waitFor();
    await eventually('nothing loads', async () => (await visit.page.getByText(/^Loading/).count()) === 0);
  });

  test('a folder and an item of one path are both shown, and names that begin alike are told apart', async () => {
    const team = await newTeam(dashboard().service);
    await team.team.push(
      item('a', '# The item\n'),
      item('a/b.md', '# Below\n'),
      item('a-b/c 100%.md', '# Beside\n'),
      item('__proto__/ä/d.md', '# Deep\n'),
    );
    const { page } = await dashboard().visit({ key: team.teamKey, path: '/memory/a' });
    await article(page).getByRole('heading', { level: 1, name: 'The item' }).waitFor();
    await list(page).getByRole('link', { name: /Below/ }).waitFor();
    await list(page).getByRole('link', { name: 'All folders' }).click();
    await list(page).getByText('4 items', { exact: true }).waitFor();
    await list(page).getByRole('link', { name: /^a-b/ }).click();
    await list(page)
      .getByRole('link', { name: /Beside/ })
      .click();
    await article(page).getByRole('heading', { level: 1, name: 'Beside' }).waitFor();
    await list(page).getByRole('link', { name: 'All folders' }).click();
    await list(page)
      .getByRole('link', { name: /__proto__/ })
      .click();
    await list(page).getByRole('link', { name: /^ä/ }).click();
    await list(page).getByRole('link', { name: /Deep/ }).waitFor();
    await list(page).getByRole('status').filter({ hasText: '1 item' }).first().waitFor();
  });

  test('Back and Forward lead to the folder, the item and the search of the address', limits, async () => {
    const team = await newTeam(dashboard().service);
    await team.team.push(item('a/b/deep.md', '# Deep\n\nThe lighthouse.\n'), item('a/flat.md', '# Flat\n'));
    const { page } = await dashboard().visit({ key: team.teamKey, path: '/memory' });
    const shows = {
      '/memory': () => list(page).getByRole('link', { name: /^a/ }).waitFor(),
      '/memory/a': () => list(page).getByRole('link', { name: /^b/ }).waitFor(),
      '/memory/a/b': () => list(page).getByRole('link', { name: /^Deep/ }).waitFor(),
      '/memory/a/b/deep.md': () => untilTitled(page, 'Deep'),
      '/memory/a/flat.md': () => untilTitled(page, 'Flat'),
    };
    const untilShown = async (path: keyof typeof shows) => {
      await shows[path]();
      await eventually('the address is that of the page', () => new URL(page.url()).pathname === path);
      const isItem = path.endsWith('.md');
      await eventually(
        'an item is beside the list, or none',
        async () => (await article(page).count()) === (isItem ? 1 : 0),
      );
    };
    await list(page).getByRole('link', { name: /^a/ }).click();
    await untilShown('/memory/a');
    await list(page).getByRole('link', { name: /^b/ }).click();
    await untilShown('/memory/a/b');
    await list(page).getByRole('link', { name: /^Deep/ }).click();
    await untilShown('/memory/a/b/deep.md');
    await list(page).getByRole('link', { name: 'a', exact: true }).click();
    await untilShown('/memory/a');
    await list(page).getByRole('link', { name: /^Flat/ }).click();
    await untilShown('/memory/a/flat.md');
    for (const path of ['/memory/a', '/memory/a/b/deep.md', '/memory/a/b', '/memory/a', '/memory'] as const) {
      await page.goBack();
      await untilShown(path);
    }
    for (const path of ['/memory/a', '/memory/a/b', '/memory/a/b/deep.md'] as const) {
      await page.goForward();
      await untilShown(path);
    }
    await list(page).getByRole('searchbox').fill('lighthouse');
    await list(page)
      .getByRole('link', { name: /The lighthouse/ })
      .click();
    await eventually('the passage is in the address', () => page.url().includes('passage='));
    await list(page).getByRole('searchbox').fill('');
    await list(page).getByRole('link', { name: 'All folders' }).click();
    await untilShown('/memory');
    await page.goBack();
    await untilShown('/memory/a/b/deep.md');
    const asked = new URL(page.url()).searchParams.get('q') ?? '';
    const searched = () => list(page).getByRole('searchbox').inputValue();
    await eventually('the search is that of the address', async () => (await searched()) === asked);
  });

  test('text from right to left reads so, in titles and texts, and excerpts have no signs of tables', async () => {
    const team = await newTeam(dashboard().service);
    await team.team.push(
      item('rtl.md', '# מרחב\n\nשלום harbour עולם\n\n- אחת\n'),
      item('table.md', '# Table\n\n| port | depth |\n|:---|---:|\n| Kestrelhaven | 12 |\n'),
    );
    const { page } = await dashboard().visit({ key: team.teamKey, path: '/memory/rtl.md' });
    const direction = (part: Locator) =>
      part.evaluate((element) => element.ownerDocument.defaultView.getComputedStyle(element).direction);
    const text = article(page).locator('p', { hasText: 'harbour' });
    await text.waitFor();
    expect(await direction(text)).toBe('rtl');
    expect(await direction(article(page).getByRole('list').last())).toBe('rtl');
    expect(await direction(article(page).getByRole('heading', { level: 1 }))).toBe('rtl');
    await list(page).getByRole('searchbox').fill('Kestrelhaven');
    const passage = list(page).getByRole('link', { name: /port depth/ });
    await passage.waitFor();
    expect(await passage.textContent()).not.toMatch(/---|: -/);
  });

  test('a guest sees the items of their tier, without history, and nothing of others', async () => {
    const visit = await dashboard().visit({ key: filled.externalKey, path: '/memory' });
    visit.expectFaults(/^40[34] POST \/rpc\//);
    const { page } = visit;
    await list(page)
      .getByRole('link', { name: /^product/ })
      .waitFor();
    await list(page).getByRole('status').filter({ hasText: '2 items' }).first().waitFor();
    await visit.open('/memory/engineering/tide-api.md');
    await page.getByText('There is no such item').waitFor();
    expect(await page.locator('body').textContent()).not.toContain('hydrographic');
  });

  test('what a colleague pushes shows by itself a moment later', async () => {
    const team = await newTeam(dashboard().service);
    await team.team.push(item('first.md', '# First\n'));
    const { page } = await dashboard().visit({ key: team.teamKey, path: '/memory' });
    await list(page).getByRole('link', { name: /First/ }).waitFor();
    await team.team.push(item('second.md', '# Second\n'));
    await list(page)
      .getByRole('link', { name: /Second/ })
      .waitFor();
  });
});

// biome-ignore lint/suspicious/noExplicitAny: an element of the browser, whose types are not those of Node
function isInView(element: any): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  return top >= 0 && bottom <= element.ownerDocument.defaultView.innerHeight;
}
