import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible } from '../support/dashboard/accessibility.ts';
import { describeDashboard } from '../support/dashboard/describe-dashboard.ts';
import { narrow, sidewaysPixels, untilTitled } from '../support/dashboard/visit.ts';
import { item } from '../support/http/api.ts';
import { keyHolder, newTeam } from '../support/http/key-holder.ts';
import type { RunningService } from '../support/service/running-service.ts';

const limits = { timeout: 120_000 };
const link = (page: Page, name: string | RegExp) => page.getByRole('link', { name });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** A team in which an agent of bo has proposed these items, over those that are there. */
async function teamWithProposals(service: RunningService, ...proposed: object[]) {
  const team = await newTeam(service);
  await team.team.push(item('notes/ferry.md', '# Ferry\n\nIt leaves at nine.\n'));
  const key = await team.newKey('team', { member: 'bo', access: 'propose' });
  const agent = keyHolder(service, team, key);
  expect((await agent.push(...proposed)).body).toMatchObject({ proposed: proposed.length });
  return { ...team, agent };
}

const change = item('notes/ferry.md', '# Ferry\n\nIt leaves at ten.\n');
const mill = item('notes/mill.md', '# Mill <img src=x onerror=alert(1)>\n\nIt grinds.\n');

describeDashboard('the page Review', (dashboard) => {
  test(
    'counts what waits, compares it with the present text, and accepts it by keyboard',
    limits,
    async () => {
      const { service } = dashboard();
      const { team, teamKey, agent } = await teamWithProposals(service, change, mill);
      const { page } = await dashboard().visit({ key: teamKey });
      await page.getByRole('navigation', { name: 'Pages' }).getByText('2 wait').waitFor();
      await link(page, 'Review').focus();
      await page.keyboard.press('Enter');
      await untilTitled(page, 'Review');
      const rows = page.getByRole('main').getByRole('listitem');
      await rows.filter({ hasText: 'notes/ferry.md' }).getByText('Change', { exact: true }).waitFor();
      await rows.filter({ hasText: 'notes/mill.md' }).getByText('New note', { exact: true }).waitFor();
      await rows
        .filter({ hasText: agent.key.split('_')[1] ?? '' })
        .first()
        .waitFor();
      await expectAccessible(page, 'proposals that wait');
      await link(page, 'Ferry').focus();
      await page.keyboard.press('Enter');
      await untilTitled(page, 'Ferry');
      await page.locator('del', { hasText: 'It leaves at nine.' }).waitFor();
      await page.locator('ins', { hasText: 'It leaves at ten.' }).waitFor();
      await expectAccessible(page, 'a proposal');
      await page.setViewportSize(narrow);
      expect(await sidewaysPixels(page)).toBe(0);
      await button(page, 'Accept').focus();
      await page.keyboard.press('Enter');
      await untilTitled(page, 'Review');
      await link(page, 'Mill').waitFor();
      expect(await sidewaysPixels(page)).toBe(0);
      expect((await team.call('/items/notes%2Fferry.md')).body).toMatchObject({
        checksum: change.checksum,
        updated_by: 'ada',
      });
      await page.goto(`${service.url}/memory/notes/ferry.md?view=history`);
      await page.getByText('It was proposed by bo.').waitFor();
      await page.getByText(/With the key \w{16}, in the browser\./).waitFor();
    },
  );

  test(
    'accepts what a reviewer edited, and shows guests nothing that was not confirmed',
    limits,
    async () => {
      const { service } = dashboard();
      const open = item('notes/open.md', '# Open\n\nFor all.\n', { tier: 'external' });
      const { team, teamKey, external } = await teamWithProposals(service, open);
      const { page } = await dashboard().visit({ key: teamKey, path: '/review' });
      await link(page, 'Open').click();
      await button(page, 'Accept').click();
      await page.getByRole('dialog').getByText('Guests of the team will see').waitFor();
      await expectAccessible(page, 'accepting for guests');
      await button(page, 'Cancel').click();
      expect(await external.rows()).toEqual([]);
      await button(page, 'Edit, then accept').click();
      const editor = page.getByRole('textbox', { name: 'Text' });
      await editor.click();
      await page.keyboard.press('Control+End');
      await page.keyboard.type('Edited.');
      await page.getByRole('radio', { name: /^The team only/ }).check();
      await expectAccessible(page, 'editing a proposal');
      await button(page, 'Accept what you edited').click();
      await untilTitled(page, 'Review');
      await page.getByText('Nothing waits for you').waitFor();
      expect((await team.call('/items/notes%2Fopen.md')).body).toMatchObject({
        content: '# Open\n\nFor all.\nEdited.',
        tier: 'team',
      });
      expect(await external.rows()).toEqual([]);
      await page.getByRole('tab', { name: 'Decided' }).click();
      await page.getByText('Accepted, with changes').waitFor();
      await expectAccessible(page, 'proposals that were decided');
    },
  );

  test('declines with a reason, which whoever proposed it reads on the start page', limits, async () => {
    const { service } = dashboard();
    const { team, teamKey, agent } = await teamWithProposals(service, mill);
    const { page } = await dashboard().visit({ key: teamKey, path: '/review' });
    await link(page, /^Mill/).click();
    await button(page, 'Decline').click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByRole('button', { name: 'Decline' }).isDisabled()).toBe(true);
    await dialog.getByLabel('Why').fill('The mill is <b>closed</b>.');
    await expectAccessible(page, 'declining a proposal');
    await dialog.getByRole('button', { name: 'Decline' }).click();
    await untilTitled(page, 'Review');
    expect((await team.call('/items/notes%2Fmill.md')).status).toBe(404);
    const proposer = await dashboard().visit({ key: agent.key });
    await proposer.page.getByRole('heading', { name: 'Your proposals' }).waitFor();
    await proposer.page.getByText('The mill is <b>closed</b>.').waitFor();
    await expectAccessible(proposer.page, 'own proposals');
  });

  test('stores nothing over what somebody changed after the reviewer looked', limits, async () => {
    const { service } = dashboard();
    const { team, teamKey } = await teamWithProposals(service, change);
    const { page, expectFaults } = await dashboard().visit({ key: teamKey, path: '/review' });
    expectFaults(/^409 POST \/rpc\/.*AcceptProposal/);
    await link(page, 'Ferry').click();
    await button(page, 'Accept').waitFor();
    await page.getByText('It leaves at nine.').waitFor();
    const others = item('notes/ferry.md', '# Ferry\n\nIt leaves at noon.\n');
    await team.push(others);
    await button(page, 'Accept').click();
    await page.getByText('Nothing was stored.').waitFor();
    expect((await team.call('/items/notes%2Fferry.md')).body.checksum).toBe(others.checksum);
    await button(page, 'Look again').click();
    await page.getByText('It leaves at noon.').waitFor();
    await button(page, 'Accept').waitFor();
  });

  test(
    'is there for reviewers alone: not for guests, nor keys that read, propose or write their own',
    limits,
    async () => {
      const { service } = dashboard();
      const team = await teamWithProposals(service, mill);
      const keys = [
        team.externalKey,
        await team.newKey('external', { member: 'gus', access: 'propose' }),
        await team.newKey('team', { member: 'cy', access: 'read' }),
        await team.newKey('team', { member: 'cy', access: 'own' }),
        team.agent.key,
      ];
      for (const key of keys) {
        const { page } = await dashboard().visit({ key, path: '/review' });
        await page.getByText('There is no such page').waitFor();
        expect(await link(page, /^Review/).count()).toBe(0);
        const text = await page.locator('body').textContent();
        expect(text).not.toContain('mill');
      }
    },
  );
});
