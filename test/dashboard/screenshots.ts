// Makes the screenshots of docs/dashboard.md: starts a service, fills a team, and writes PNG files to docs/images. With
// `--all <folder>` it writes every page to that folder instead, wide and narrow, light and dark, to be looked at.
// Run `npm run dashboard` first, then `node test/dashboard/screenshots.ts`; it needs a Chromium.
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { ModelScript } from '@teammemory/testkit/model-server.ts';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { startChromium } from '../support/dashboard/chromium.ts';
import { type FilledService, startFilledService } from '../support/dashboard/filled-service.ts';
import { question } from '../support/dashboard/product-team.ts';

const images = join(import.meta.dirname, '..', '..', 'docs', 'images');
/** What a file of docs may have. */
const maxBytes = 160_000;
const wide = { width: 1180, height: 690 };
const narrow = { width: 360, height: 740 };

/** A page to be shown, and what a person does there first. */
interface Shot {
  name: string;
  path: string;
  prepare?: (page: Page) => Promise<void>;
}

const shots: readonly Shot[] = [
  { name: 'ask', path: '/', prepare: askQuestion },
  { name: 'memory', path: '/memory/product/refunds.md', prepare: readNote },
  { name: 'decisions', path: '/decisions', prepare: openDecision },
  { name: 'tasks', path: '/tasks' },
  { name: 'team', path: '/team' },
  { name: 'money', path: '/money' },
];
const others: readonly Shot[] = [
  { name: 'memory-folders', path: '/memory' },
  { name: 'news', path: '/news' },
  { name: 'webhooks', path: '/team?view=webhooks', prepare: addWebhook },
  { name: 'invitations', path: '/team?view=invitations' },
  { name: 'audit', path: '/team?view=audit' },
  { name: 'connect', path: '/connect', prepare: makeKey },
  { name: 'decision-list', path: '/decisions' },
  { name: 'projects', path: '/projects' },
  { name: 'project', path: '/projects/tide-tables' },
  { name: 'codebase', path: '/readiness', prepare: openCodebase },
  { name: 'codebases', path: '/readiness' },
  { name: 'maturity', path: '/maturity' },
];

/** The number of the source that has these words, as the service names sources to a model. */
function sourceWith(words: string, { messages }: { messages: { content: string }[] }): string {
  const text = messages.map(({ content }) => content).join('\n');
  const [, ...parts] = text.split(/source (\d+)\n/);
  const at = parts.findIndex((part) => part.includes(words));
  return parts[at - 1] ?? '1';
}

/** What a good model would write. */
const writeAnswer: ModelScript = (reply, { body }) => {
  const cite = (words: string) => `[${sourceWith(words, body)}]`;
  reply.text(
    `Seven of nine look at the tide table first and at our timetable second ${cite('Seven of nine look at')}. `,
    'They trust the harbour office’s paper more, because it is corrected by hand.\n\n',
    `That is why the timetable shows the height of the water beside every departure ${cite('shows its height')}. `,
    `A departure is marked as uncertain when the water at the pier is below 120 cm ${cite('below 120 cm')}.`,
  );
  reply.finish({ prompt_tokens: 5_800, completion_tokens: 160 });
};

async function askQuestion(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Your question' }).fill(question);
  await page.keyboard.press('Enter');
  await page.getByRole('list', { name: 'Sources' }).waitFor();
  await page.getByRole('button', { name: 'Source 1', exact: true }).first().click();
  await page
    .getByRole('complementary', { name: /Source 1/ })
    .locator('mark')
    .first()
    .waitFor();
}

async function readNote(page: Page): Promise<void> {
  await page.getByText('Passengers get their money back').waitFor();
}

async function openDecision(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Take the card readers of Nordvik' }).click();
  await page.getByText('What we looked at').waitFor();
}

async function makeKey(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Make key' }).click();
  await page.getByText('Waiting for the first call').waitFor();
}

async function addWebhook(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add webhook' }).click();
  await page.getByLabel('Address').fill('https://hooks.invalid/memory');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'I have copied it' }).click();
}

async function openCodebase(page: Page): Promise<void> {
  await page.getByRole('main').getByRole('link', { name: 'booking' }).first().click();
}

async function shoot(
  browser: Browser,
  { service, team }: FilledService,
  { name, path, prepare }: Shot,
  { file, ...settings }: BrowserContextOptions & { file: string },
): Promise<void> {
  const context = await browser.newContext({ locale: 'en-GB', reducedMotion: 'reduce', ...settings });
  const page = await context.newPage();
  try {
    await page.goto(service.url + path);
    await page.getByLabel('Your key').fill(team.teamKey);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.locator('main#main h1').waitFor();
    await prepare?.(page);
    await page
      .getByText(/^Loading/)
      .first()
      .waitFor({ state: 'detached' });
    await page.mouse.move(0, 0);
    await page.evaluate('document.fonts.ready.then(() => document.activeElement?.blur())');
    await page.screenshot({ path: file });
    process.stdout.write(`${file} (${Math.round(statSync(file).size / 1024)} KB)\n`);
  } catch (error) {
    await page.screenshot({ path: file });
    process.stdout.write(
      `${name} is not as wanted: ${error instanceof Error ? error.message.split('\n', 1)[0] : error}\n`,
    );
    process.exitCode = 1;
  } finally {
    await context.close();
  }
}

const { values } = parseArgs({ options: { all: { type: 'string' }, only: { type: 'string' } } });
const folder = values.all ?? images;
mkdirSync(folder, { recursive: true });
const [browser, filled] = await Promise.all([startChromium(), startFilledService(writeAnswer)]);
try {
  const wanted = (values.all === undefined ? shots : [...shots, ...others]).filter(
    ({ name }) => values.only === undefined || values.only.split(',').includes(name),
  );
  for (const shot of wanted) {
    if (values.all === undefined) {
      const file = join(folder, `dashboard-${shot.name}.png`);
      await shoot(browser, filled, shot, { file, viewport: wide });
      if (statSync(file).size > maxBytes) throw new Error(`${file} is larger than ${maxBytes} bytes`);
      continue;
    }
    for (const colorScheme of ['light', 'dark'] as const) {
      const file = (width: string) => join(folder, `${shot.name}-${width}-${colorScheme}.png`);
      await shoot(browser, filled, shot, { file: file('wide'), viewport: wide, colorScheme });
      await shoot(browser, filled, shot, {
        file: file('narrow'),
        viewport: narrow,
        colorScheme,
        isMobile: true,
        hasTouch: true,
      });
    }
  }
} finally {
  await browser.close();
  await filled.remove();
}
