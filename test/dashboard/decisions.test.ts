import { createMemberClient } from '@teammemory/client/rpc/member-client.ts';
import { eventually } from '@teammemory/testkit/eventually.ts';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { expectAccessible } from '../support/dashboard/accessibility.ts';
import { describeDashboard } from '../support/dashboard/describe-dashboard.ts';
import { type FilledTeam, fillTeam } from '../support/dashboard/fill-team.ts';
import { narrow, sidewaysPixels, untilTitled } from '../support/dashboard/visit.ts';

describeDashboard('the page Decisions', (dashboard) => {
  let filled: FilledTeam;
  beforeAll(async () => {
    filled = await fillTeam(dashboard().service);
  });

  const link = (page: Page, name: string) => page.getByRole('main').getByRole('link', { name, exact: true });
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const text = (page: Page) => page.getByLabel('Text', { exact: true });

  /** Writes a new decision by the form and returns its path. */
  async function write(page: Page, title: string, body: string): Promise<string> {
    await page.goto(new URL('/decisions/new', page.url()).href);
    await untilTitled(page, 'New decision');
    await page.getByLabel('Title').fill(title);
    await text(page).fill(body);
    await button(page, 'Create decision').click();
    await untilTitled(page, title);
    return new URL(page.url()).pathname;
  }

  test('lists what was decided, and filters by status, project and title, in the address too', async () => {
    const { page } = await dashboard().visit({ key: filled.teamKey, path: '/decisions' });
    await link(page, 'Take the card readers of Nordvik').waitFor();
    const form = page.getByRole('form', { name: 'Which decisions' });
    await form.getByLabel('Status').selectOption('Accepted');
    await link(page, 'Sell advertisements on the timetable').waitFor({ state: 'detached' });
    await form.getByLabel('Project').selectOption('card-payments');
    await link(page, 'Release on Tuesday mornings').waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe('?status=accepted&project=card-payments');
    await page.reload();
    await link(page, 'Take the card readers of Nordvik').waitFor();
    expect(await link(page, 'Release on Tuesday mornings').count()).toBe(0);
    await form.getByLabel('Title contains').fill('nothing like it');
    await button(page, 'Show all decisions').click();
    await link(page, 'Sell advertisements on the timetable').waitFor();
    await link(page, 'Take the card readers of Nordvik').click();
    await untilTitled(page, 'Take the card readers of Nordvik');
    await page.getByText('survived, and pays out the next day').waitFor();
    await expectAccessible(page, 'one decision');
    await page.goBack();
    await untilTitled(page, 'Decisions');
    const client = createMemberClient({ rpcUrl: dashboard().service.rpcUrl, key: filled.teamKey });
    await client.decisions.create({ title: 'Told as it happens', body: 'At once.', audience: 'team' });
    client.close();
    await link(page, 'Told as it happens').waitFor();
  });

  test('writes a decision with a preview, and asks before guests see it', async () => {
    const { page } = await dashboard().visit({ key: filled.teamKey, path: '/decisions' });
    await button(page, 'New decision').click();
    await untilTitled(page, 'New decision');
    await page.getByLabel('Title').fill('Paint the pier');
    await text(page).fill('**Blue**, like the ferry.');
    await page.getByRole('tab', { name: 'Preview' }).click();
    await page.locator('strong', { hasText: 'Blue' }).waitFor();
    await expectAccessible(page, 'a decision in preview');
    await page.getByLabel('The team and its guests').check();
    await button(page, 'Create decision').click();
    const dialog = page.getByRole('dialog', { name: 'Show it to guests?' });
    await dialog.waitFor();
    await expectAccessible(page, 'asking about guests');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByLabel('The team only').check();
    await button(page, 'Create decision').click();
    await untilTitled(page, 'Paint the pier');
    await button(page, 'Edit').click();
    await page.getByLabel('The team and its guests').check();
    await button(page, 'Save').click();
    await dialog.getByRole('button', { name: 'Show it to guests' }).click();
    await untilTitled(page, 'Paint the pier');
    const guest = await dashboard().visit({
      key: filled.externalKey,
      path: new URL(page.url()).pathname,
    });
    await untilTitled(guest.page, 'Paint the pier');
    expect(await button(guest.page, 'Edit').count()).toBe(0);
    expect(await guest.page.getByRole('tab').count()).toBe(0);
  });

  test('loses nothing when two people edit at once: both texts are shown, and each difference is chosen', async () => {
    const { page: ada } = await dashboard().visit({ key: filled.teamKey });
    const path = await write(ada, 'The harbour office', 'one\n\ntwo\n\nthree\n\nfour\n');
    const visit = await dashboard().visit({ key: filled.keys.ines ?? '', path: `${path}/edit` });
    const { page: ines } = visit;
    visit.expectFaults(/EditDecision/);
    await text(ines).fill('one\n\ntwo, says Ines\n\nthree\n\nFOUR by Ines\n');
    await button(ada, 'Edit').click();
    await text(ada).fill('ONE by Ada\n\ntwo\n\nthree\n\nfour by Ada\n');
    await ada.getByLabel('Status').selectOption('Accepted');
    await button(ada, 'Save').click();
    await untilTitled(ada, 'The harbour office');
    await button(ines, 'Save').click();
    await ines.getByText('saved another version').waitFor();
    for (const words of ['ONE by Ada', 'two, says Ines', 'four by Ada', 'FOUR by Ines']) {
      await ines.getByText(words).waitFor();
    }
    await expectAccessible(ines, 'two edits of one decision');
    await ines.setViewportSize(narrow);
    expect(await sidewaysPixels(ines)).toBe(0);
    await button(ines, 'Go on with this').click();
    const merged = 'ONE by Ada\n\ntwo, says Ines\n\nthree\n\nfour by Ada\nFOUR by Ines\n';
    await eventually('both edits are in the text', async () => (await text(ines).inputValue()) === merged);
    expect(await ines.getByLabel('Status').inputValue()).toBe('accepted');
    await button(ines, 'Save').click();
    await untilTitled(ines, 'The harbour office');
    await ines.getByText('four by Ada FOUR by Ines').waitFor();
    await ines.getByRole('tab', { name: 'History' }).click();
    await ines.locator('ins', { hasText: 'FOUR by Ines' }).waitFor();
    expect(await ines.getByRole('listitem').filter({ hasText: 'ada' }).count()).toBeGreaterThan(0);
    await expectAccessible(ines, 'the history of a decision');
  });

  test('keeps what was typed through a failed save, a look at another page and a reload', async () => {
    const visit = await dashboard().visit({ key: filled.teamKey, path: '/decisions' });
    const { page } = visit;
    visit.expectFaults(/CreateDecision|ERR_FAILED/);
    await button(page, 'New decision').click();
    await page.getByLabel('Title').fill('Typed for long');
    await page.route('**/CreateDecision', (route) => route.abort());
    await button(page, 'Create decision').click();
    await page.getByRole('alert').getByText('cannot be reached').waitFor();
    expect(await page.getByLabel('Title').inputValue()).toBe('Typed for long');
    await page.unroute('**/CreateDecision');
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Projects' }).click();
    await untilTitled(page, 'Projects');
    await page.goBack();
    await page.getByText('what you wrote before and did not save').waitFor();
    expect(await page.getByLabel('Title').inputValue()).toBe('Typed for long');
    await page.reload();
    await page.getByText('what you wrote before and did not save').waitFor();
    expect(await page.getByLabel('Title').inputValue()).toBe('Typed for long');
    await button(page, 'Create decision').click();
    await untilTitled(page, 'Typed for long');
  });

  test('hides a decision, and shows it again from the list of hidden ones', async () => {
    const visit = await dashboard().visit({ key: filled.keys.mara ?? '' });
    const { page } = visit;
    await write(page, 'A hidden thought', 'Not yet.');
    await button(page, 'Hide').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Hide' }).click();
    await page.getByText('This decision is hidden').waitFor();
    await page.goto(`${visit.url}/decisions`);
    await link(page, 'Release on Tuesday mornings').waitFor();
    expect(await link(page, 'A hidden thought').count()).toBe(0);
    await page.getByLabel('Status').selectOption('Hidden');
    await link(page, 'A hidden thought').click();
    await button(page, 'Show again').click();
    await button(page, 'Edit').waitFor();
    expect(await page.getByText('This decision is hidden').count()).toBe(0);
  });

  test('shows guests what is shared with them and nothing to press, and readers no buttons either', async () => {
    const visit = await dashboard().visit({ key: filled.externalKey, path: '/decisions' });
    await link(visit.page, 'Show the tide beside every departure').waitFor();
    expect(await link(visit.page, 'Release on Tuesday mornings').count()).toBe(0);
    expect(await visit.page.getByLabel('Status').textContent()).not.toContain('Hidden');
    expect(await button(visit.page, 'New decision').count()).toBe(0);
    await visit.open('/decisions/new');
    await visit.page.getByText('Your key writes no decisions').waitFor();
    const reader = await dashboard().visit({ key: filled.readKey, path: '/decisions' });
    await link(reader.page, 'Release on Tuesday mornings').click();
    await untilTitled(reader.page, 'Release on Tuesday mornings');
    expect(await button(reader.page, 'Edit').count()).toBe(0);
    expect(await button(reader.page, 'Hide').count()).toBe(0);
  });
});
