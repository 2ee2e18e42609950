import { eventually } from '@teammemory/testkit/eventually.ts';
import type { CDPSession } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { describeDashboard } from '../support/dashboard/describe-dashboard.ts';
import { type FilledTeam, fillTeam } from '../support/dashboard/fill-team.ts';
import { untilTitled } from '../support/dashboard/visit.ts';

const limits = { timeout: 240_000 };
/** What is loaded once, and lists that stay in memory up to a bound, are there by then. */
const roundsBefore = 32;
/** Of 16 pages: 2,000 navigations. */
const rounds = 125;
/**
 * A page leaves hundreds of elements and kilobytes, and each is visited 93 times: one that stays each time leaves more than
 * 20,000. On a busy machine a few that were left last are still in memory.
 */
const mayGrow = { heap: 3 * 2 ** 20, nodes: 2_000, listeners: 60 };

/** Answers each call as it was answered first: the service allows fewer in a minute. */
const rememberAnswers = `
  const answers = new Map();
  const ask = fetch;
  fetch = async (input, init) => {
    if (!String(input).includes('/rpc/')) return ask(input, init);
    const key = input + ' ' + String(init.body);
    if (!answers.has(key)) answers.set(key, ask(input, { ...init, signal: undefined }));
    return (await answers.get(key)).clone();
  };`;

/** Goes from path to path as links do, and waits for the heading of each page, and for the editor. */
const walk = (paths: readonly string[], rounds: number) => `(async () => {
  const paths = Array(${rounds}).fill(${JSON.stringify(paths)}).flat();
  for (const path of paths) {
    const before = document.querySelector('main h1');
    history.pushState(null, '', path);
    const isShown = () => {
      const heading = document.querySelector('main h1');
      if (heading === before || heading === null) return false;
      return !path.startsWith('/write') || [...document.querySelectorAll('main div')].some((each) => each.shadowRoot);
    };
    for (const endMs = performance.now() + 30_000; !isShown(); ) {
      if (performance.now() > endMs) throw new Error('There is no new page at ' + path);
      await new Promise((resolve) => setTimeout(resolve));
    }
  }
})()`;

async function measure(devtools: CDPSession): Promise<Record<keyof typeof mayGrow, number>> {
  await devtools.send('HeapProfiler.collectGarbage');
  const { metrics } = await devtools.send('Performance.getMetrics');
  const metric = (name: string) => metrics.find((each) => each.name === name)?.value ?? Number.NaN;
  return {
    heap: metric('JSHeapUsedSize'),
    nodes: metric('Nodes'),
    listeners: metric('JSEventListeners'),
  };
}

describeDashboard('a window that is used for long', (dashboard) => {
  let filled: FilledTeam;
  beforeAll(async () => {
    filled = await fillTeam(dashboard().service);
  });

  test('does not grow by 2,000 navigations through all pages', limits, async () => {
    const visit = await dashboard().visit({ key: filled.teamKey, path: '/decisions' });
    const { page, context } = visit;
    const decision = page.getByRole('main').locator('a[href^="/decisions/"]:not([href$="/new"])').first();
    const note = 'team/on-call.md';
    const inside = [
      await decision.getAttribute('href'),
      '/projects/tide-tables',
      `/memory/${note}`,
      `/write?item=${note}`,
    ];
    await page.addInitScript(rememberAnswers);
    await visit.open('/memory');
    await untilTitled(page, 'Memory');
    const links = page.getByRole('navigation', { name: 'Pages' }).getByRole('link');
    const listed = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')));
    const paths = [...inside, ...listed].map((path) => path ?? '');
    expect(paths).toHaveLength(16);
    const devtools = await context.newCDPSession(page);
    await devtools.send('Performance.enable');
    /** Goes round, and back to a page of which everything is there. */
    const goRound = async (times: number) => {
      await page.evaluate(walk(paths, times));
      await page.evaluate(walk(['/memory'], 1));
      await page
        .getByRole('main')
        .getByRole('link', { name: /engineering/ })
        .waitFor();
    };
    await goRound(roundsBefore);
    const before = await measure(devtools);
    await goRound(rounds - roundsBefore);
    // The page that was left last may still be in memory, but is not after another round.
    let now = before;
    const settled = eventually(
      'it is as large as before',
      async () => {
        await goRound(1);
        now = await measure(devtools);
        return Object.entries(mayGrow).every(([name, most]) => {
          const measured = name as keyof typeof mayGrow;
          return now[measured] <= before[measured] + most;
        });
      },
      { withinMs: 60_000 },
    );
    await settled.finally(() => console.log('after 510 navigations', before, 'after 2,000', now));
  });
});
