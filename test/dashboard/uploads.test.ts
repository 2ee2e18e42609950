import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible } from '../support/dashboard/accessibility.ts';
import { describeDashboard } from '../support/dashboard/describe-dashboard.ts';
import { item } from '../support/http/api.ts';
import { keyHolder, newTeam } from '../support/http/key-holder.ts';

const limits = { timeout: 60_000 };
const markdownFile = (name: string, text: string | Buffer) => ({
  name,
  mimeType: 'text/markdown',
  buffer: Buffer.from(text),
});

describeDashboard('uploading notes', (dashboard) => {
  const dialog = (page: Page) => page.getByRole('dialog', { name: 'Upload notes' });
  const group = (page: Page, name: string) => dialog(page).getByRole('region', { name });
  const keysOf = (rows: { row_key: string }[]) => rows.map(({ row_key }) => row_key).sort();

  test(
    'lists what will happen before it does, then says of each file what became of it',
    limits,
    async () => {
      const team = await newTeam(dashboard().service);
      await team.team.push(
        item('in/same.md', 'same\n'),
        item('in/other.md', 'before\n', { tier: 'external' }),
      );
      const { page } = await dashboard().visit({ key: team.teamKey, path: '/memory/in' });
      await page.getByRole('button', { name: 'Upload' }).click();
      await expectAccessible(page, 'choosing files');
      await dialog(page)
        .getByLabel('Files')
        .setInputFiles([
          markdownFile('same.md', 'same\n'),
          markdownFile('other.md', '\ufeffafter\r\n'),
          markdownFile('new.md', '---\naudience: external\n---\nnew'),
          markdownFile('private.md', '---\naudience: private\n---\nThe secret word.\n'),
          markdownFile('broken.md', '---\na: [\n---\n'),
          markdownFile('bytes.md', Buffer.from([0xff, 0xfe])),
          markdownFile('large.md', 'x'.repeat(1_200_000)),
          markdownFile('picture.png', 'x'),
          markdownFile('<img src=x onerror=alert(1)>.md', 'odd\n'),
        ]);
      await group(page, 'Unchanged').getByText('in/same.md').waitFor();
      await group(page, 'Changed').getByText('in/other.md').waitFor();
      await group(page, 'New').getByText('Guests too').waitFor();
      const refused = group(page, 'Refused');
      for (const reason of [
        /private/,
        /not valid YAML/,
        /UTF-8/,
        /larger than 1 MiB/,
        /not a Markdown file/,
      ]) {
        await refused.getByText(reason).first().waitFor();
      }
      await expectAccessible(page, 'what an upload will do');
      expect(await team.team.rows()).toHaveLength(2);
      const sent: string[] = [];
      page.on('request', (request) => sent.push(request.postData() ?? ''));
      await dialog(page).getByRole('button', { name: 'Upload 3 files' }).click();
      await dialog(page).getByText('3 stored.').waitFor();
      await expectAccessible(page, 'what became of an upload');
      expect(sent.join()).not.toContain('secret word');
      const rows = await team.team.rows();
      expect(keysOf(rows)).toEqual([
        'in/<img src=x onerror=alert(1)>.md',
        'in/new.md',
        'in/other.md',
        'in/same.md',
      ]);
      const find = (key: string) => rows.find(({ row_key }: { row_key: string }) => row_key === key);
      expect(find('in/other.md')).toMatchObject({ content: '\ufeffafter\r\n', tier: 'external' });
      expect(find('in/new.md')).toMatchObject({ content: 'new', tier: 'external' });
      await dialog(page).getByRole('button', { name: 'Close', exact: true }).last().click();
      await page.getByRole('link', { name: /new\.md/ }).waitFor();
    },
  );

  test('takes a folder, and files that are dropped, but for what is hidden', limits, async () => {
    const team = await newTeam(dashboard().service);
    const directory = await temporaryDirectory();
    await mkdir(join(directory.path, 'notes', 'deep'), { recursive: true });
    await mkdir(join(directory.path, 'notes', '.git'));
    await writeFile(join(directory.path, 'notes', 'a.md'), '# A\n');
    await writeFile(join(directory.path, 'notes', 'deep', 'b.md'), '# B\n');
    await writeFile(join(directory.path, 'notes', '.git', 'config.md'), '# No\n');
    const { page } = await dashboard().visit({ key: team.teamKey, path: '/memory' });
    await page.getByRole('button', { name: 'Upload' }).click();
    await dialog(page).getByLabel('A folder').setInputFiles(join(directory.path, 'notes'));
    await dialog(page).getByRole('button', { name: 'Upload 2 files' }).click();
    await dialog(page).getByText('2 stored.').waitFor();
    expect(keysOf(await team.team.rows())).toEqual(['notes/a.md', 'notes/deep/b.md']);
    await page.keyboard.press('Escape');
    const drop = `(() => {
      const data = new DataTransfer();
      data.items.add(new File(['# Dropped\\n'], 'dropped.md'));
      document.querySelector('#main search').dispatchEvent(
        new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: data }),
      );
    })()`;
    await page.evaluate(drop);
    await group(page, 'New').getByText('dropped.md').waitFor();
    await dialog(page).getByRole('button', { name: 'Upload 1 file' }).click();
    await dialog(page).getByText('1 stored.').waitFor();
    await directory.remove();
  });

  test(
    'stores each file by itself: one that somebody changed meanwhile is refused, and keeps no other out',
    limits,
    async () => {
      const team = await newTeam(dashboard().service);
      await team.team.push(item('a.md', 'first\n'));
      const { page } = await dashboard().visit({ key: team.teamKey, path: '/memory' });
      await page.getByRole('button', { name: 'Upload' }).click();
      await dialog(page)
        .getByLabel('Files')
        .setInputFiles([markdownFile('a.md', 'mine\n'), markdownFile('b.md', 'b\n')]);
      await group(page, 'Changed').getByText('a.md').waitFor();
      const bo = keyHolder(dashboard().service, team, await team.newKey('team', { member: 'bo' }));
      await bo.push(item('a.md', 'theirs\n'));
      await dialog(page).getByRole('button', { name: 'Upload 2 files' }).click();
      await group(page, 'Refused').getByText('is not the version').waitFor();
      await group(page, 'Stored').getByText('b.md').waitFor();
      const rows = await team.team.rows();
      expect(rows.find(({ row_key }: { row_key: string }) => row_key === 'a.md').content).toBe('theirs\n');
    },
  );

  test(
    'is for those who may write: others find no button, and what they drop is left to the browser',
    limits,
    async () => {
      const team = await newTeam(dashboard().service);
      await team.team.push(item('a.md', 'first\n'), item('open.md', 'open\n', { tier: 'external' }));
      const reader = await dashboard().visit({ key: team.readKey, path: '/memory' });
      await reader.page.getByRole('link', { name: /a\.md/ }).waitFor();
      expect(await reader.page.getByRole('button', { name: 'Upload' }).count()).toBe(0);
      const own = await team.newKey('team', { member: 'bo', access: 'own' });
      const { page } = await dashboard().visit({ key: own, path: '/memory' });
      await page.getByRole('button', { name: 'Upload' }).click();
      await dialog(page)
        .getByLabel('Files')
        .setInputFiles([markdownFile('a.md', 'mine\n')]);
      await group(page, 'Refused').getByText('Your key does not change this note.').waitFor();
      const guest = await dashboard().visit({ key: team.externalKey, path: '/memory' });
      await guest.page.getByRole('button', { name: 'Upload' }).click();
      await dialog(guest.page)
        .getByLabel('Files')
        .setInputFiles([markdownFile('g.md', '---\naudience: team\n---\nby a guest\n')]);
      await group(guest.page, 'Refused').getByText('your key writes only what guests see').waitFor();
      expect((await team.team.rows()).filter(({ tier }: { tier: string }) => tier === 'team')).toHaveLength(
        1,
      );
    },
  );
});

describeDashboard(
  'an upload of more than the key may write in a minute',
  (dashboard) => {
    test('waits, says so, and goes on by itself', { timeout: 120_000 }, async () => {
      const team = await newTeam(dashboard().service);
      const visit = await dashboard().visit({ key: team.teamKey, path: '/memory' });
      visit.expectFaults(/^429 POST \/api\/v1\/items/);
      const { page } = visit;
      await page.getByRole('button', { name: 'Upload' }).click();
      const files = Array.from({ length: 8 }, (_, number) => markdownFile(`n${number}.md`, `# ${number}\n`));
      await page.getByRole('dialog').getByLabel('Files').setInputFiles(files);
      await page.getByRole('button', { name: 'Upload 8 files' }).click();
      await page.getByText('The limit of your key is reached').waitFor();
      await page.getByText('8 stored.').waitFor({ timeout: 100_000 });
      expect(await team.team.rows()).toHaveLength(8);
    });
  },
  { environment: { ITEM_WRITES_PER_MINUTE: '5' } },
);
