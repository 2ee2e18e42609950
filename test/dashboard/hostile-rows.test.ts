import { eventually } from '@teammemory/testkit/eventually.ts';
import { beforeAll, expect, test } from 'vitest';
import { describeDashboard } from '../support/dashboard/describe-dashboard.ts';
import { harmfulElements } from '../support/dashboard/harmful-elements.ts';
import { sidewaysPixels } from '../support/dashboard/visit.ts';
import { item } from '../support/http/api.ts';
import { newTeam, type TeamClients } from '../support/http/key-holder.ts';
import { markupShapes } from '../support/models/markup-shapes.ts';
import { asAdministrator } from '../support/service/as-administrator.ts';

const limits = { timeout: 90_000 };
/** Texts that would run, load or break out, where a title, a name or a path is expected. */
const names = [
  '<img src=x onerror=alert(1)>',
  '"><script>alert(1)</script>',
  "'; alert(1); //",
  'javascript:alert(1)',
  '{{constructor.constructor("alert(1)")()}}',
  '\u0024{alert(1)}',
  '</title><script>alert(1)</script>',
  '__proto__',
  'constructor',
  'toString',
  '[object Object]',
  '\u202eevil\u202c',
  'a\u0301'.repeat(60),
  '\u200b',
  '🦦'.repeat(40),
  'W'.repeat(300),
  'x '.repeat(150),
  '../../etc/passwd',
  '%3Cscript%3E',
  '%00',
  '?q=1#L1',
  '#fragment',
  'https://evil.test/',
  '//evil.test/',
  'ﷺ'.repeat(30),
  'مرحبا بالعالم',
  'null',
  'undefined',
  'NaN',
  '0',
  '-1',
  '[1]',
  '[x](javascript:alert(1))',
  '![](https://evil.test/p.png)',
  '`\u0024{7*7}`',
  '<svg/onload=alert(1)>',
  '&lt;b&gt;',
  '\\',
  '"',
  '<a href=//evil.test>x</a>',
];

describeDashboard('rows that somebody wrote to do harm', (dashboard) => {
  let team: TeamClients;
  const texts = markupShapes.map((text, number) => ({ rowKey: `texts/${number}.md`, text }));
  beforeAll(async () => {
    team = await newTeam(dashboard().service);
    for (const [number, name] of names.entries()) {
      const content = `# ${name}\n\n${name}\n\n- [ ] ${name} @ada\n`;
      const wanted = item(`names/${number}/tasks.md`, content, {
        frontmatter: { title: name, [`k${number}`]: name, review_by: '2020-01-02' },
      });
      const { status } = await team.team.push(wanted);
      expect(status).toBe(200);
      await team.team.push(item(`paths/${name}.md`, '# A path\n'));
    }
    for (const { rowKey, text } of texts) await team.team.push(item(rowKey, text));
    await asAdministrator(dashboard().service, async (admin) => {
      for (const title of names) {
        await admin
          .createDecision({ team: team.slug, title, body: title, audience: 'team' })
          .catch(() => undefined);
      }
      for (const [number, name] of names.entries()) {
        await admin.createProject({ team: team.slug, slug: `p-${number}`, name }).catch(() => undefined);
      }
    });
  }, limits.timeout);

  test('run nothing and load nothing as titles, names, paths and tasks, on no page', limits, async () => {
    const visit = await dashboard().visit({ key: team.teamKey });
    const { page } = visit;
    const main = page.locator('main#main');
    for (const path of [
      '/',
      '/memory',
      '/memory/names',
      '/memory/paths',
      '/news',
      '/news?view=check',
      '/tasks',
      '/decisions',
      '/projects',
    ]) {
      await visit.open(path);
      await main.getByRole('link').nth(1).waitFor();
      expect(await harmfulElements(main), path).toEqual([]);
      await page.setViewportSize({ width: 360, height: 740 });
      expect(await sidewaysPixels(page), `${path} at 360 pixels`).toBe(0);
      await page.setViewportSize({ width: 1280, height: 800 });
    }
  });

  test('run nothing and load nothing as Markdown that is read', limits, async () => {
    const visit = await dashboard().visit({ key: team.teamKey, path: '/memory/texts/0.md' });
    // The sanitiser parses texts in a document of its own, where nothing runs; Chromium still says what its policy forbids.
    visit.expectFaults(/^console: (?:Executing inline event handler|Applying inline style) violates/);
    const { page } = visit;
    const text = page.getByRole('article');
    for (const { rowKey } of texts) {
      // Inside the page, as a person goes from one to the next: 120 loads would take minutes.
      await page.evaluate(`history.pushState(null, '', ${JSON.stringify(`/memory/${rowKey}`)})`);
      await text.getByText(rowKey, { exact: true }).waitFor();
      await text.locator('[class*="markdown"], [class*="blank"]').first().waitFor({ state: 'attached' });
      expect(await harmfulElements(text), rowKey).toEqual([]);
    }
  });

  test('can be opened, each at its own address, also with the strangest path', limits, async () => {
    const visit = await dashboard().visit({ key: team.teamKey, path: '/memory/paths' });
    const { page } = visit;
    const rows = await team.team.rows('?limit=500');
    const stored: string[] = rows
      .map(({ row_key }) => row_key)
      .filter((key: string) => key.startsWith('paths/'));
    expect(stored.length).toBeGreaterThan(15);
    for (const rowKey of stored) {
      const address = `/memory/${rowKey.split('/').map(encodeURIComponent).join('/')}`;
      await page.evaluate(`history.pushState(null, '', ${JSON.stringify(address)})`);
      await eventually(`the item ${rowKey}`, async () => {
        const shown = await page.getByRole('article').locator('code').first().textContent();
        return shown === rowKey;
      });
      await page.getByRole('tab', { name: 'Text' }).waitFor();
    }
  });

  test(
    'run nothing and load nothing in the editor, its fields, its preview and its list of links',
    limits,
    async () => {
      const visit = await dashboard().visit({ key: team.teamKey, path: '/write?item=names/0/tasks.md' });
      visit.expectFaults(/^console: (?:Executing inline event handler|Applying inline style) violates/);
      const { page } = visit;
      const main = page.locator('main#main');
      for (const number of names.keys()) {
        const path = `names/${number}/tasks.md`;
        await page.evaluate(`history.pushState(null, '', ${JSON.stringify(`/write?item=${path}`)})`);
        await eventually(`the editor of ${path}`, async () => {
          const field = page.getByLabel('Path');
          return (await field.count()) === 1 && (await field.inputValue()) === path;
        });
        await page.getByRole('textbox', { name: 'Text', exact: true }).waitFor();
        expect(await harmfulElements(main), path).toEqual([]);
      }
      const text = page.getByRole('textbox', { name: 'Text', exact: true });
      await text.click();
      await page.keyboard.type('[[');
      const options = page.getByRole('option');
      await options.nth(20).waitFor({ state: 'attached' });
      expect(await harmfulElements(page.getByRole('listbox'))).toEqual([]);
      await page.keyboard.type('alert');
      await page.getByRole('option', { name: /alert/, selected: true }).waitFor();
      // The editor takes no key for the list in the first moment that this is shown.
      await page.waitForTimeout(300);
      await page.keyboard.press('Enter');
      await main.getByRole('region', { name: 'Preview' }).getByRole('link', { name: /alert/ }).waitFor();
      expect(await harmfulElements(main)).toEqual([]);
    },
  );
});
