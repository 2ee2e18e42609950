import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { startModelServer } from '@teammemory/testkit/model-server.ts';
import type { Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { expectAccessible } from '../support/dashboard/accessibility.ts';
import { describeDashboard } from '../support/dashboard/describe-dashboard.ts';
import { untilTitled } from '../support/dashboard/visit.ts';
import { item } from '../support/http/api.ts';
import { keyHolder, newTeam } from '../support/http/key-holder.ts';

const limits = { timeout: 60_000 };
/** How long a changed role or a revoked key may go on (design, "Who is calling"), and what a loaded machine adds. */
const takesEffectMs = 5_000 + 15_000;

const row = (page: Page, name: string | RegExp) => page.getByRole('row').filter({ hasText: name });
const dialog = (page: Page) => page.getByRole('dialog');

describeDashboard('the page Team', (dashboard) => {
  test('an administrator adds a member, makes a key that is shown once, and it works', limits, async () => {
    const team = await newTeam(dashboard().service);
    const { page, context } = await dashboard().visit({ key: team.teamKey, path: '/team' });
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Add member' }).click();
    await expectAccessible(page, 'adding a member');
    await dialog(page).getByLabel('Handle').fill('grace');
    await dialog(page).getByRole('button', { name: 'Add member' }).click();
    await row(page, 'grace').waitFor();
    await page.getByRole('tab', { name: 'Keys' }).click();
    await page.getByRole('button', { name: 'New key' }).first().click();
    await dialog(page).getByLabel('Member').selectOption('grace');
    await dialog(page).getByLabel('What it may do').selectOption('Read');
    await expectAccessible(page, 'making a key');
    await dialog(page).getByRole('button', { name: 'Make key' }).click();
    await page.getByText('This key is shown only now').waitFor();
    await page.getByText(`tms login --url ${dashboard().service.url} --team ${team.slug}`).waitFor();
    await expectAccessible(page, 'a key that was just made');
    await page.keyboard.press('Escape');
    await dialog(page).getByRole('button', { name: 'Copy' }).click();
    const key = await eventually('the key is copied', async () => {
      const text = await page.evaluate<string>('navigator.clipboard.readText()');
      return text.startsWith('tms_') ? text : undefined;
    });
    await dialog(page).getByRole('button', { name: 'I have copied it' }).click();
    const grace = keyHolder(dashboard().service, team, key);
    expect((await grace.call('/whoami')).body).toMatchObject({ member: 'grace', access: 'read' });
    await page.reload();
    await untilTitled(page, 'Team');
    expect(await page.locator('body').textContent()).not.toContain(key.split('_')[2]);
  });

  test('replaces a key with an overlap, and revokes one, which ends within seconds', limits, async () => {
    const team = await newTeam(dashboard().service);
    const key = await team.newKey('team', { member: 'bo' });
    const [, keyId = ''] = key.split('_');
    const { page } = await dashboard().visit({ key: team.teamKey, path: '/team?view=keys' });
    await row(page, keyId).getByRole('button', { name: 'Replace' }).click();
    await expectAccessible(page, 'replacing a key');
    await dialog(page).getByRole('button', { name: 'Replace key' }).click();
    const made = (await dialog(page).locator('pre').textContent()) ?? '';
    await dialog(page).getByRole('button', { name: 'I have copied it' }).click();
    for (const each of [key, made]) {
      const { status } = await keyHolder(dashboard().service, team, each).call('/whoami');
      expect(status).toBe(200);
    }
    await row(page, keyId).getByRole('button', { name: 'Revoke' }).click();
    await expectAccessible(page, 'revoking a key');
    await dialog(page)
      .getByRole('button', { name: /Revoke/ })
      .click();
    await dialog(page).waitFor({ state: 'detached' });
    await eventually(
      'the old key has ended',
      async () => (await keyHolder(dashboard().service, team, key).call('/whoami')).status === 401,
      { withinMs: takesEffectMs, everyMs: 250 },
    );
    expect((await keyHolder(dashboard().service, team, made).call('/whoami')).status).toBe(200);
  });

  test('changes roles, and the page is closed to whoever is no administrator any more', limits, async () => {
    const team = await newTeam(dashboard().service);
    const bo = await dashboard().visit({ key: await team.newKey('team', { member: 'bo' }) });
    const pages = bo.page.getByRole('navigation', { name: 'Pages' });
    expect(await pages.getByRole('link', { name: 'Team' }).count()).toBe(0);
    await bo.page.clock.install();
    await bo.page.reload();
    // An open page asks every 30 seconds what its session may do.
    const eventuallyLinks = (count: number) =>
      eventually(
        `${count} links lead to the page Team`,
        async () => {
          await bo.page.clock.fastForward(31_000);
          return (await pages.getByRole('link', { name: 'Team' }).count()) === count;
        },
        { withinMs: takesEffectMs, everyMs: 200 },
      );
    const { page } = await dashboard().visit({ key: team.teamKey, path: '/team' });
    await row(page, 'bo').getByRole('button', { name: 'Make administrator' }).click();
    await expectAccessible(page, 'changing a role');
    await dialog(page).getByRole('button', { name: 'Make administrator' }).click();
    await eventuallyLinks(1);
    await row(page, 'bo').getByRole('button', { name: 'Make member' }).click();
    await dialog(page).getByRole('button', { name: 'Make member' }).click();
    await eventuallyLinks(0);
    await bo.open('/team');
    await bo.page.getByText('Only administrators of the team').waitFor();
  });

  test('does not let the last administrator go, and says so', limits, async () => {
    const team = await newTeam(dashboard().service);
    const visit = await dashboard().visit({ key: team.teamKey, path: '/team' });
    visit.expectFaults(/^4\d\d POST \/rpc\//);
    const { page } = visit;
    await row(page, 'ada').getByRole('button', { name: 'Remove' }).click();
    await expectAccessible(page, 'removing a member');
    await dialog(page).getByRole('button', { name: 'Remove member' }).click();
    await dialog(page).getByRole('alert').waitFor();
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });
    await row(page, 'ada').waitFor();
  });

  test(
    'lets a member connect a program with an own key, see its first call, and revoke it',
    limits,
    async () => {
      const { service } = dashboard();
      const team = await newTeam(service);
      const key = await team.newKey('team', { member: 'bo' });
      const { page } = await dashboard().visit({ key, path: '/connect' });
      await page.getByLabel('Connect', { exact: true }).selectOption('curl');
      await page.getByRole('button', { name: 'Make key' }).press('Enter');
      await page.getByText('Waiting for the first call').waitFor();
      await expectAccessible(page, 'connecting a program');
      const command = (await page.locator('ol pre').textContent()) ?? '';
      const { stdout } = await promisify(execFile)('sh', ['-c', `${command} --silent`]);
      expect(JSON.parse(stdout)).toMatchObject({ member: 'bo', team: team.slug, access: 'read' });
      await page.getByText('The first call came').waitFor();
      const [, made = ''] = /tms_([0-9A-Za-z]{16})_/.exec(command) ?? [];
      await row(page, made)
        .getByRole('button', { name: /Revoke/ })
        .click();
      await dialog(page)
        .getByRole('button', { name: /Revoke/ })
        .click();
      await row(page, made).waitFor({ state: 'detached' });
      // Nobody else's key is in the list, nor is anything offered to a key that may make none.
      expect(await page.getByRole('table').textContent()).not.toContain(team.teamKey.split('_')[1]);
      const reader = await dashboard().visit({ key: team.readKey, path: '/connect' });
      await reader.page.getByText('Ask an administrator').waitFor();
      expect(await reader.page.getByRole('button', { name: 'Make key' }).count()).toBe(0);
    },
  );

  test('lists what was refused lately, and whose tasks are missing, with the reason', limits, async () => {
    const team = await newTeam(dashboard().service);
    const reader = keyHolder(dashboard().service, team, team.readKey);
    expect((await reader.push(item('a.md'))).status).toBe(403);
    const { page } = await dashboard().visit({ key: team.teamKey, path: '/team?view=refusals' });
    const refusals = page.getByRole('table', { name: /Refusals/ });
    await eventually('the refusal is listed', async () => {
      if ((await refusals.count()) > 0) return true;
      await page.reload();
      await refusals.waitFor({ timeout: 2_000 });
    });
    await refusals.getByText('ada').first().waitFor();
    await refusals.getByText('Push items').waitFor();
    await expectAccessible(page, 'what was refused');
    await team.team.push(item('deep-tasks.md', `${'> '.repeat(12)}- [ ] Measure the tide\n`));
    await page.getByRole('tab', { name: 'Missing tasks' }).press('Enter');
    await row(page, 'deep-tasks.md').getByText('more than ten lists').waitFor();
    await expectAccessible(page, 'missing tasks');
  });

  test('tells who changed what in the team, of everybody or of one member', limits, async () => {
    const team = await newTeam(dashboard().service);
    await team.team.push(item('old-plan.md'));
    await team.team.remove('old-plan.md');
    const { page } = await dashboard().visit({ key: team.teamKey, path: '/team?view=audit' });
    const removed = row(page, 'old-plan.md');
    await removed.getByText('Item removed').waitFor();
    await removed.getByText('ada').waitFor();
    await row(page, 'Key made').getByText('an administrator of the installation').first().waitFor();
    await expectAccessible(page, 'the audit log');
    await page.getByLabel('By', { exact: true }).selectOption('ada');
    await page.getByText('Key made').first().waitFor({ state: 'detached' });
    await removed.getByText('Item removed').waitFor();
  });

  test('adds a webhook with a secret that is shown once, tests it, and removes it', limits, async () => {
    const team = await newTeam(dashboard().service);
    const { page } = await dashboard().visit({ key: team.teamKey, path: '/team?view=webhooks' });
    await page.getByRole('button', { name: 'Add webhook' }).press('Enter');
    await dialog(page).getByLabel('Address').fill('https://hooks.invalid/memory');
    await expectAccessible(page, 'adding a webhook');
    await dialog(page).getByLabel('Address').press('Enter');
    await dialog(page)
      .getByText(/^whsec_/)
      .waitFor();
    await dialog(page).getByRole('button', { name: 'I have copied it' }).click();
    const webhook = row(page, 'hooks.invalid');
    await webhook.getByRole('button', { name: /^Test/ }).click();
    await dialog(page).getByText('Not delivered').waitFor();
    await dialog(page).getByRole('button', { name: 'Close', exact: true }).last().click();
    await webhook.getByRole('button', { name: /^Deliveries/ }).press('Enter');
    await dialog(page).getByText('No event has been sent yet').waitFor();
    await page.keyboard.press('Escape');
    await team.team.push(item('a.md'));
    await eventually(
      'a delivery that failed',
      async () => {
        await page.reload();
        await webhook.waitFor();
        return (await webhook.getByText('failed').count()) > 0;
      },
      { withinMs: takesEffectMs, everyMs: 500 },
    );
    await webhook.getByRole('button', { name: /^Deliveries/ }).press('Enter');
    await dialog(page)
      .getByRole('row', { name: /Not delivered.*items changed/ })
      .waitFor();
    await expectAccessible(page, 'the last deliveries of a webhook');
    await page.keyboard.press('Escape');
    await webhook.getByRole('button', { name: /^Switch off/ }).click();
    await dialog(page).getByRole('button', { name: 'Switch webhook off' }).click();
    await webhook.getByText('Off', { exact: true }).waitFor();
    await expectAccessible(page, 'webhooks of the team');
    await webhook.getByRole('button', { name: /^Remove/ }).click();
    await dialog(page).getByRole('button', { name: 'Remove webhook' }).click();
    await webhook.waitFor({ state: 'detached' });
    expect(await page.locator('body').textContent()).not.toContain('whsec_');
  });

  test('says who signs in with which address', limits, async () => {
    const team = await newTeam(dashboard().service);
    const { page } = await dashboard().visit({ key: team.teamKey, path: '/team?view=addresses' });
    await page.getByRole('button', { name: 'Add address' }).click();
    await dialog(page).getByLabel('Mail address').fill('ada@example.org');
    await expectAccessible(page, 'adding an address');
    await dialog(page).getByRole('button', { name: 'Add address' }).click();
    await row(page, 'ada@example.org')
      .getByRole('button', { name: /Remove/ })
      .click();
    await dialog(page).getByRole('button', { name: 'Remove address' }).click();
    await row(page, 'ada@example.org').waitFor({ state: 'detached' });
  });
});

const model = await startModelServer((reply) => {
  reply.text('The otter sleeps in the harbour [1].');
  // More than any question can hold: the service charges what it reserved, at most.
  reply.finish({ prompt_tokens: 200_000, completion_tokens: 10_000 });
});
afterAll(() => model.stop());

describeDashboard(
  'the page Money',
  (dashboard) => {
    test(
      'shows what was spent by day, member and model against the caps, to administrators and to oneself',
      limits,
      async () => {
        const team = await newTeam(dashboard().service);
        await team.team.push(
          item('otter.md', '# The otter\n\nThe otter Bartholomew sleeps in the harbour.\n'),
        );
        const boKey = await team.newKey('team', { member: 'bo' });
        for (const key of [team.teamKey, team.teamKey, boKey]) {
          await keyHolder(dashboard().service, team, key).ask('Where does the otter Bartholomew sleep?');
        }
        const ada = await dashboard().visit({ key: team.teamKey, path: '/money' });
        await ada.page.getByRole('heading', { name: /Your team today/ }).waitFor();
        await row(ada.page, 'bo').first().waitFor();
        await row(ada.page, 'writer').first().waitFor();
        const text = (await ada.page.getByRole('main').textContent()) ?? '';
        expect(text).toMatch(/US\$0\.0[1-9]\d* of US\$7\.00/);
        await ada.page.getByText('The days as a table').click();
        await ada.page.getByRole('table', { name: 'Spending by day' }).waitFor();
        await expectAccessible(ada.page, 'the days as a table');
        const bo = await dashboard().visit({ key: boKey, path: '/money' });
        await bo.page.getByRole('heading', { name: /You today/ }).waitFor();
        expect(await row(bo.page, 'ada').count()).toBe(0);
      },
    );
  },
  {
    environment: {
      OPENAI_API_KEY: 'sk-dashboard-money-0123456789',
      OPENAI_BASE_URL: model.baseUrl,
      OPENAI_MODEL: 'writer',
      MODEL_PRICES: '{"writer":{"input":1,"output":2}}',
      DAILY_TEAM_CAP_USD: '7',
    },
  },
);
