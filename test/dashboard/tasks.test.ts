import { createHash } from 'node:crypto';
import { createMemberClient } from '@teammemory/client/rpc/member-client.ts';
import { eventually } from '@teammemory/testkit/eventually.ts';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { expectAccessible } from '../support/dashboard/accessibility.ts';
import { describeDashboard } from '../support/dashboard/describe-dashboard.ts';
import { type FilledTeam, fillTeam } from '../support/dashboard/fill-team.ts';
import { untilTitled } from '../support/dashboard/visit.ts';
import { item } from '../support/http/api.ts';
import { keyHolder, newTeam } from '../support/http/key-holder.ts';

describeDashboard('the page Tasks', (dashboard) => {
  let filled: FilledTeam;
  beforeAll(async () => {
    filled = await fillTeam(dashboard().service);
  });

  const tasks = (page: Page) => page.getByRole('main').getByRole('listitem');
  const filter = (page: Page, name: string) =>
    page.getByRole('form', { name: 'Which tasks' }).getByLabel(name);
  /** Waits until so many tasks are listed, this one among them: a list that is read anew is empty for a moment. */
  const untilListed = (page: Page, count: number, title: string) =>
    eventually(`${count} tasks with "${title}"`, async () => {
      const isListed = await page.getByRole('link', { name: title }).isVisible();
      return isListed && (await tasks(page).count()) === count;
    });

  test('lists what is open, and filters by words, owner, project, day and status, in the address too', async () => {
    const { page } = await dashboard().visit({ key: filled.teamKey, path: '/tasks' });
    await untilListed(page, 11, 'Send the timetable to the printers');
    await filter(page, 'Owner').selectOption('mara');
    await untilListed(page, 3, 'Tell the island council');
    await filter(page, 'Project').selectOption('tide-tables');
    await untilListed(page, 1, 'Agree with the harbour office');
    expect(new URL(page.url()).search).toContain('owner=mara');
    await page.reload();
    await untilListed(page, 1, 'Agree with the harbour office');
    await filter(page, 'Project').selectOption('Any');
    await filter(page, 'Status').selectOption('Done');
    await untilListed(page, 1, 'Ask the skippers about the early ferry');
    await filter(page, 'Owner').selectOption('Anybody');
    await filter(page, 'Due on or before').fill('2026-11-06');
    await untilListed(page, 1, 'Try three readers');
    await filter(page, 'Status').selectOption('Cancelled');
    await page.getByText('No task fits').waitFor();
    await expectAccessible(page, 'no task fits');
    await page.getByRole('button', { name: 'Show all open tasks' }).click();
    await untilListed(page, 11, 'Send the timetable to the printers');
    await filter(page, 'Words').fill('readers NORDVIK');
    await untilListed(page, 1, 'Order twelve readers from Nordvik');
    await page.getByRole('link', { name: 'Order twelve readers from Nordvik' }).click();
    await page.waitForURL(/#L4$/);
    await page.goBack();
    await untilListed(page, 1, 'Order twelve readers from Nordvik');
    expect(await filter(page, 'Words').inputValue()).toBe('readers NORDVIK');
  });

  test('shows one’s own at a press', async () => {
    const { page } = await dashboard().visit({ key: filled.keys.ines ?? '', path: '/tasks' });
    await untilListed(page, 11, 'Send the timetable to the printers');
    await page.getByRole('button', { name: 'Only mine' }).click();
    await untilListed(page, 3, 'Send the timetable to the printers');
  });

  test('follows what others change, and keeps one’s own changes in their place', async () => {
    const team = await newTeam(dashboard().service);
    const lines = Array.from({ length: 80 }, (_, number) => `- [ ] Task ${number + 10}\n`).join('');
    await team.team.push(item('tasks.md', lines));
    const { page } = await dashboard().visit({ key: team.teamKey, path: '/tasks' });
    await untilListed(page, 20, 'Task 10');
    await page.getByRole('button', { name: 'Show 50 more' }).click();
    await untilListed(page, 70, 'Task 70');
    await box(page, 'Task 20').click();
    await eventually('it is done', () => box(page, 'Task 20').isChecked());
    await team.team.push(item('todo.md', '- [ ] By somebody else\n'));
    await untilListed(page, 70, 'By somebody else');
    expect(await box(page, 'Task 20').isChecked()).toBe(true);
    await team.team.remove('todo.md');
    await untilListed(page, 70, 'Task 20');
    await filter(page, 'Words').fill('task 66');
    await untilListed(page, 1, 'Task 66');
    await filter(page, 'Words').fill('');
    await untilListed(page, 70, 'Task 21');
  });

  test('leads from each task to the line that it is', async () => {
    const { page } = await dashboard().visit({ key: filled.teamKey, path: '/tasks' });
    await page.getByRole('link', { name: 'Order twelve readers from Nordvik' }).click();
    await page.waitForURL(/\/memory\/projects\/card-payments\/tasks\.md#L4$/);
    await page.goBack();
    await untilTitled(page, 'Tasks');
    await page.getByRole('link', { name: 'Sign the contract' }).click();
    await page.waitForURL(/\/decisions\/[0-9a-f-]{36}$/);
  });

  test('shows guests what is in texts of their tier, and no project as a link that they cannot open', async () => {
    const team = await newTeam(dashboard().service);
    await team.team.push(
      item('tasks.md', '- [ ] A task of the team @ada\n'),
      item('open/tasks.md', '- [ ] A task that guests see\n', {
        tier: 'external',
        frontmatter: { project: 'ferry' },
      }),
    );
    const { page } = await dashboard().visit({ key: team.externalKey, path: '/tasks' });
    await untilListed(page, 1, 'A task that guests see');
    expect(await page.locator('body').textContent()).not.toContain('A task of the team');
    expect(await page.getByRole('link', { name: 'ferry' }).count()).toBe(0);
  });

  const box = (page: Page, title: string) => page.getByRole('checkbox', { name: title });

  test('ticks and unticks a task by keyboard, and leaves every other byte of its file', async () => {
    const team = await newTeam(dashboard().service);
    const source = "title: 'T'  # kept\r\n";
    const body = '# List\r\n\r\n* [ ] First task\r\n* [ ] Second task @ada\r\n\n- [x] Third';
    const sum = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`;
    const file = (text: string) => `---\r\n${source}---\r\n${text}`;
    await team.team.push(
      item('tasks.md', body, {
        frontmatter: { title: 'T' },
        frontmatter_text: source,
        checksum: sum(file(body)),
      }),
    );
    const { page } = await dashboard().visit({ key: team.teamKey, path: '/tasks' });
    await untilListed(page, 2, 'First task');
    await box(page, 'First task').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Space');
    await eventually('it is done', () => box(page, 'Second task').isChecked());
    const ticked = body.replace('* [ ] Second', '* [x] Second');
    expect((await team.team.rows())[0]).toMatchObject({
      content: ticked,
      frontmatter_text: source,
      checksum: sum(file(ticked)),
    });
    await page.keyboard.press('Space');
    await eventually('it is open again', async () => !(await box(page, 'Second task').isChecked()));
    expect((await team.team.rows())[0]).toMatchObject({ content: body, checksum: sum(file(body)) });
    await page.keyboard.press('ArrowUp');
    expect(await box(page, 'First task').evaluate((element) => element.matches(':focus'))).toBe(true);
  });

  test('ticks the task that is shown, whatever somebody wrote around it to have another one ticked', async () => {
    const team = await newTeam(dashboard().service);
    const other = ['```', '- [ ] Wanted', '```', '<!--', '- [ ] Wanted', '-->', '', '    - [ ] Wanted', ''];
    const text = `${other.join('\n')}\r\r\n- [ ] a\u2028- [ ] b\f- [ ] c\n\n> 1. [ ] Wanted [ ] - [ ] \`[ ]\` @bo\n`;
    await team.team.push(item('tasks.md', text));
    const { page } = await dashboard().visit({ key: team.teamKey, path: '/tasks' });
    await box(page, 'Wanted').click();
    await eventually('it is done', () => box(page, 'Wanted').isChecked());
    expect((await team.team.rows())[0].content).toBe(text.replace('> 1. [ ]', '> 1. [x]'));
  });

  test('sets owner, day and project of a task, and adds one, in lists and decisions', async () => {
    const team = await newTeam(dashboard().service);
    await team.team.push(item('notes/todo.md', '- [ ] Paint the pier, soon\n- [ ] Other'));
    const { page } = await dashboard().visit({ key: team.teamKey, path: '/tasks' });
    await page.getByRole('button', { name: 'Edit Paint the pier, soon' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Owner').fill('@no good');
    await dialog.getByText('An owner is a name').waitFor();
    await dialog.getByLabel('Owner').fill('@bo');
    await dialog.getByLabel('Due on').fill('2026-12-24');
    await dialog.getByLabel('Project').fill('harbour');
    await expectAccessible(page, 'editing a task');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('@bo').waitFor();
    await page.getByRole('button', { name: 'New task' }).click();
    await dialog.getByLabel('Task', { exact: true }).fill('Buy blue paint');
    await expectAccessible(page, 'a new task');
    await dialog.getByRole('button', { name: 'Add task' }).click();
    await untilListed(page, 3, 'Buy blue paint');
    expect((await team.team.rows())[0].content).toBe(
      '- [ ] Paint the pier, soon @bo due:2026-12-24 +harbour\n- [ ] Other\n- [ ] Buy blue paint\n',
    );
    const decided = await dashboard().visit({ key: filled.teamKey, path: '/tasks' });
    await box(decided.page, 'Sign the contract').click();
    await eventually('it is done', () => box(decided.page, 'Sign the contract').isChecked());
    await expectAccessible(decided.page, 'a task that was ticked');
    await box(decided.page, 'Sign the contract').click();
    await eventually('it is open', async () => !(await box(decided.page, 'Sign the contract').isChecked()));
  });

  test('finds its line again where others have moved it, and does not touch a task that others changed', async () => {
    const team = await newTeam(dashboard().service);
    await team.team.push(item('tasks.md', '- [ ] One\n- [ ] Two\n'));
    const { page } = await dashboard().visit({ key: team.teamKey });
    // A page that hears of no changes shows what was before.
    await page.route('**/api/v1/events', (route) =>
      route.fulfill({ contentType: 'text/event-stream', body: ': quiet\n\n' }),
    );
    await page.reload();
    await page.getByRole('link', { name: 'Tasks' }).click();
    await untilListed(page, 2, 'Two');
    await team.team.push(item('tasks.md', '# New\n\n- [ ] Zero\n- [x] One\n- [ ] Two\n'));
    await box(page, 'One').click();
    await page.getByText('Somebody has changed this task since it was shown').waitFor();
    await box(page, 'Two').click();
    await eventually('it is done', () => box(page, 'Two').isChecked());
    expect((await team.team.rows())[0].content).toBe('# New\n\n- [ ] Zero\n- [x] One\n- [x] Two\n');
  });

  test('has boxes for those who may tick them, and for all others a state that looks like none', async () => {
    const team = await newTeam(dashboard().service);
    await team.team.push(
      item('tasks.md', '- [ ] By Ada\n'),
      item('open/tasks.md', '- [ ] Open\n', { tier: 'external' }),
    );
    const own = await team.newKey('team', { member: 'bo', access: 'own' });
    await keyHolder(dashboard().service, team, own).push(item('bo/tasks.md', '- [ ] By Bo\n'));
    const reader = await dashboard().visit({ key: team.readKey, path: '/tasks' });
    await untilListed(reader.page, 3, 'By Bo');
    expect(await reader.page.getByRole('checkbox').count()).toBe(0);
    expect(await reader.page.getByRole('button', { name: /New task|^Edit/ }).count()).toBe(0);
    const bo = await dashboard().visit({ key: own, path: '/tasks' });
    await box(bo.page, 'By Bo').waitFor();
    expect(await bo.page.getByRole('checkbox').count()).toBe(1);
    for (const [key, title] of [
      [own, 'Decided by Bo'],
      [team.teamKey, 'Decided by Ada'],
    ] as const) {
      const client = createMemberClient({ rpcUrl: dashboard().service.rpcUrl, key });
      await client.decisions.create({ title, body: `- [ ] ${title}\n`, audience: 'team' });
      client.close();
    }
    await untilListed(bo.page, 5, 'Decided by Ada');
    await box(bo.page, 'Decided by Bo').click();
    await eventually('it is done', () => box(bo.page, 'Decided by Bo').isChecked());
    expect(await bo.page.getByRole('checkbox').count()).toBe(2);
    const guest = await dashboard().visit({ key: team.externalKey, path: '/tasks' });
    await untilListed(guest.page, 1, 'Open');
    await box(guest.page, 'Open').click();
    await eventually('it is done', () => box(guest.page, 'Open').isChecked());
    const row = (await team.external.rows())[0];
    expect(row).toMatchObject({ content: '- [x] Open\n', tier: 'external' });
  });
});
