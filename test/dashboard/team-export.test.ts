import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import { expect, test } from 'vitest';
import { expectAccessible } from '../support/dashboard/accessibility.ts';
import { describeDashboard } from '../support/dashboard/describe-dashboard.ts';
import { item } from '../support/http/api.ts';
import { newTeam } from '../support/http/key-holder.ts';
import { asAdministrator } from '../support/service/as-administrator.ts';

const limits = { timeout: 90_000 };
const path = '/team?view=export';

describeDashboard('the export of a team', (dashboard) => {
  test('is an archive of every item as it was written, that stays in its folder', limits, async () => {
    const team = await newTeam(dashboard().service);
    const other = await newTeam(dashboard().service);
    await other.team.push(item('others.md', '# Of another team'));
    const odd = ['con.md', 'CLAUDE.md', '.git/config.md', 'Plan.md', 'a:b.md', '-rf.md', 'übersicht.md'];
    await team.team.push(
      item('plan.md', '# Plan\n', { frontmatter: { owner: 'ada' } }),
      item('notes/two.md', 'before'),
      item('gone.md', 'removed'),
      item('guests.md', '# For guests\r\n', { tier: 'external' }),
    );
    await team.team.push(item('notes/two.md', 'after'), ...odd.map((name) => item(name, `This is ${name}`)));
    await team.team.remove('gone.md');
    const { page } = await dashboard().visit({ key: team.teamKey, path });
    const button = page.getByRole('button', { name: 'Download the archive' });
    await button.waitFor();
    await expectAccessible(page, 'the export of a team');
    const downloading = page.waitForEvent('download');
    await button.press('Enter');
    const download = await downloading;
    expect(download.suggestedFilename()).toBe(`${team.slug}.tar.gz`);
    await page.getByText('The archive has 10 items.').waitFor();
    const directory = await temporaryDirectory();
    try {
      await download.saveAs(join(directory.path, 'archive.tar.gz'));
      await promisify(execFile)('tar', ['-xzf', 'archive.tar.gz'], { cwd: directory.path });
      expect((await readdir(directory.path)).sort()).toEqual(['archive.tar.gz', team.slug].sort());
      const read = (name: string) => readFile(join(directory.path, team.slug, name), 'utf8');
      expect(await read('items/notes/two.md')).toBe('after');
      expect(await read('items/guests.md')).toBe('# For guests\r\n');
      expect(await read('items/übersicht.md')).toBe('This is übersicht.md');
      expect(await read('items/plan.md')).toContain('owner:');
      const renamed = (await read('renamed.tsv')).trim().split('\n');
      for (const line of renamed) {
        const [name = '', rowKey] = line.split('\t');
        expect(await read(name)).toBe(`This is ${rowKey}`);
      }
      expect(renamed.map((line) => line.split('\t')[1]).sort()).toEqual(
        ['.git/config.md', 'CLAUDE.md', 'Plan.md', 'a:b.md', 'con.md'].sort(),
      );
      const items = await readdir(join(directory.path, team.slug, 'items'));
      expect(items.sort()).toEqual(['-rf.md', 'guests.md', 'notes', 'plan.md', 'übersicht.md'].sort());
    } finally {
      await directory.remove();
    }
  });

  test('is offered to administrators of the team alone', limits, async () => {
    const team = await newTeam(dashboard().service);
    const keys = {
      guest: team.externalKey,
      'weak key': team.readKey,
      member: await team.newKey('team', { member: 'bo' }),
    };
    const refused = async (name: string, key: string) => {
      const { page } = await dashboard().visit({ key, path });
      await page
        .getByText(/Only administrators of the team|There is no such page|no page/)
        .first()
        .waitFor();
      expect([name, await page.getByRole('button', { name: 'Download the archive' }).count()]).toEqual([
        name,
        0,
      ]);
    };
    for (const [name, key] of Object.entries(keys)) await refused(name, key);
    await asAdministrator(dashboard().service, async (admin) => {
      await admin.setMemberRole({ team: team.slug, handle: 'bo', role: 'admin' });
      await admin.setMemberRole({ team: team.slug, handle: 'ada', role: 'member' });
    });
    await refused('former administrator', team.teamKey);
  });
});
