import type { Browser, BrowserContext, BrowserContextOptions, ConsoleMessage, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';

/** A loaded machine may take long to show a page; a good one takes a tenth of a second. */
const actionTimeoutMs = 30_000;
const wide = { width: 1280, height: 800 };
/** The width of the narrowest phones that people still have. */
export const narrow = { width: 360, height: 740 };
/** Chromium repeats every failed response in the console; the responses themselves are looked at. */
const repeatedResponse = /^Failed to load resource/;
/** The socket of a page that is left, and of a service that is stopped on purpose by a test that says so. */
const leftRequest = 'net::ERR_ABORTED';

/** How a person looks at the dashboard. */
export interface VisitOptions {
  /** The key to sign in with; without it nobody is signed in. */
  key?: string;
  path?: string;
  /** Settings of the browser, such as its width and colours. */
  browser?: BrowserContextOptions;
}

/** One person with a browser profile of their own. When the test ends, the page must have had no faults. */
export interface Visit {
  context: BrowserContext;
  page: Page;
  url: string;
  /** Everything that went wrong so far: errors of the page, failed answers, requests to other origins. */
  faults(): string[];
  /** Takes note that the test causes faults that look like this. Requests to other origins are never accepted. */
  expectFaults(pattern: RegExp): void;
  /** Takes requests to another address of the same service as its own. */
  accept(url: string): void;
  /** Opens a page by its address. */
  open(path: string): Promise<void>;
}

/** Opens the dashboard as somebody who has not been there before. */
export async function visitDashboard(
  browser: Browser,
  url: string,
  { key, path = '/', browser: settings = {} }: VisitOptions,
): Promise<Visit> {
  const context = await browser.newContext({ viewport: wide, locale: 'en-GB', ...settings });
  context.setDefaultTimeout(actionTimeoutMs);
  const faults: string[] = [];
  const foreign: string[] = [];
  const expected: RegExp[] = [];
  const origins = new Set([new URL(url).origin]);
  context.on('page', (page) => watch(page, origins, faults, foreign));
  onTestFinished(async () => {
    await context.close();
    expect(foreign, 'requests to other origins').toEqual([]);
    const surprises = faults.filter((fault) => !expected.some((pattern) => pattern.test(fault)));
    expect(surprises, 'faults of the page').toEqual([]);
  });
  const page = await context.newPage();
  const visit: Visit = {
    context,
    page,
    url,
    faults: () => [...foreign, ...faults],
    expectFaults: (pattern) => void expected.push(pattern),
    accept: (other) => void origins.add(new URL(other).origin),
    open: async (next) => {
      await page.goto(url + next);
    },
  };
  await visit.open(path);
  if (key !== undefined) await signIn(page, key);
  return visit;
}

/** Signs in with a key, by the form that every page shows to strangers. */
export async function signIn(page: Page, key: string): Promise<void> {
  await page.getByLabel('Your key').fill(key);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.locator('main#main h1').waitFor();
}

/** Reads the page anew, and returns whether nobody is signed in. */
export async function isSignedOut(page: Page): Promise<boolean> {
  await page.reload();
  // Who is signed in is asked after the page has loaded.
  const field = page.getByLabel('Your key');
  await field.or(page.locator('main#main h1')).first().waitFor();
  return field.isVisible();
}

/** Waits until the page has its title. */
export async function untilTitled(page: Page, title: string): Promise<void> {
  await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
}

/** By how many pixels the page is wider than the window, which makes people scroll sideways. */
export function sidewaysPixels(page: Page): Promise<number> {
  // The room that is kept for a scrollbar counts as negative.
  return page.locator('html').evaluate((element) => Math.max(0, element.scrollWidth - element.clientWidth));
}

function watch(page: Page, origins: ReadonlySet<string>, faults: string[], foreign: string[]): void {
  page.on('request', (request) => {
    const asked = new URL(request.url());
    const isOwn = origins.has(asked.origin) || asked.protocol === 'blob:';
    if (!isOwn) foreign.push(request.url().slice(0, 200));
  });
  page.on('response', (response) => {
    if (response.status() < 400) return;
    faults.push(`${response.status()} ${response.request().method()} ${new URL(response.url()).pathname}`);
  });
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? 'failed';
    if (reason !== leftRequest) faults.push(`${reason} ${new URL(request.url()).pathname}`);
  });
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
  page.on('console', (message) => {
    if (isFault(message)) faults.push(`console: ${message.text()}`);
  });
  page.on('dialog', async (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    await dialog.dismiss();
  });
}

function isFault(message: ConsoleMessage): boolean {
  return /^(?:error|warning)$/.test(message.type()) && !repeatedResponse.test(message.text());
}
