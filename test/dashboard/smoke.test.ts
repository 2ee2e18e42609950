import { eventually } from '@teammemory/testkit/eventually.ts';
import { expect, test } from 'vitest';
import { describeDashboard } from '../support/dashboard/describe-dashboard.ts';
import { isSignedOut, untilTitled } from '../support/dashboard/visit.ts';
import { item } from '../support/http/api.ts';
import { newTeam } from '../support/http/key-holder.ts';

/** A session that was ended may be known to another gateway for 4 s, and a machine may be loaded. */
const endedWithinMs = 15_000;
const limits = { timeout: 60_000 };

// The one file of the dashboard that also runs against separate processes, where there are two gateways.
describeDashboard('the dashboard, whichever gateway answers', (dashboard) => {
  test('signs in at one, asks and reads at every one, and signs out of all', limits, async () => {
    const { service } = dashboard();
    const team = await newTeam(service);
    await team.team.push(
      item('otter.md', '# The otter\n\nThe otter Bartholomew sleeps in the harbour.\n'),
      item('tasks.md', '# Tasks\n\n- [ ] Feed Bartholomew @ada due:2031-05-06\n'),
    );
    const visit = await dashboard().visit({ key: team.teamKey });
    visit.expectFaults(/^401 /);
    const { page } = visit;
    for (const url of service.urls) {
      // Cookies do not know ports, so the session is that of both.
      visit.accept(url);
      await page.goto(url);
      await page
        .getByRole('textbox', { name: 'Your question' })
        .fill('Where does the otter Bartholomew sleep?');
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Source 1', exact: true }).first().click();
      await page
        .getByRole('complementary', { name: /Source 1/ })
        .getByText('sleeps in the harbour')
        .waitFor();
      await page.getByRole('link', { name: 'Tasks', exact: true }).click();
      await untilTitled(page, 'Tasks');
      await page.getByRole('link', { name: 'Feed Bartholomew' }).waitFor();
    }
    await page.getByRole('button', { name: 'Everywhere' }).click();
    await page.getByLabel('Your key').waitFor();
    for (const url of service.urls) {
      await page.goto(url);
      await eventually('signed out', () => isSignedOut(page), { withinMs: endedWithinMs, everyMs: 250 });
    }
    expect(visit.faults().filter((fault) => !fault.startsWith('401 '))).toEqual([]);
  });
});
