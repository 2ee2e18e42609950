import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { freePort } from '@teammemory/testkit/free-port.ts';
import { temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import type { Page, Request } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { expectAccessible } from '../support/dashboard/accessibility.ts';
import { describeDashboard, describeWithBrowser } from '../support/dashboard/describe-dashboard.ts';
import { narrow, sidewaysPixels, untilTitled, visitDashboard } from '../support/dashboard/visit.ts';
import { item } from '../support/http/api.ts';
import { encodedAnswer } from '../support/http/encoded-answer.ts';
import { newTeam } from '../support/http/key-holder.ts';
import { startService } from '../support/service/running-service.ts';

const product = JSON.parse(readFileSync(join(import.meta.dirname, '..', '..', 'package.json'), 'utf8'));
const built = join(import.meta.dirname, '..', '..', 'gateway', 'dashboard', 'dist');
/** JavaScript that is loaded before the first view, compressed as by gzip. */
const maxFirstViewBytes = 95 * 1024;
/** JavaScript of the editor, which is loaded when somebody writes. */
const maxEditorBytes = 120 * 1024;
/** A page whose stream ends connects again after a second, then after two and so on; a start takes a second on a good machine. */
const noticedWithinMs = 20_000;
const startTimeoutMs = 90_000;

/** What the focus is on, as a screen reader would name it. */
const focused = (page: Page) => page.locator(':focus');
const goTo = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name, exact: true }).click();

describeDashboard('the frame of the dashboard', (dashboard) => {
  const signedIn = async (path = '/', browser = {}) => {
    const { teamKey } = await dashboard().service.createTeam();
    return dashboard().visit({ key: teamKey, path, browser });
  };

  test('its page allows nothing but its own origin, no inline script and no frame around it', async () => {
    for (const path of ['/', '/tasks', '/sign-in', '/memory/notes/a.md']) {
      const { headers, status } = await fetch(dashboard().service.url + path);
      const policy = headers.get('content-security-policy') ?? '';
      expect([path, status]).toEqual([path, 200]);
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/unsafe|https?:|\*|data:/);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('cache-control')).toBe('no-cache');
    }
  });

  test('the API and its pages stay where they are', async () => {
    const types: [string, number, RegExp][] = [
      ['/healthz', 200, /json/],
      ['/docs', 200, /html/],
      ['/problems/internal', 200, /html/],
      ['/api/v1/openapi.json', 200, /json/],
      ['/api/v1/no-such-path', 401, /problem\+json/],
      ['/no-such-page', 404, /problem\+json/],
      ['/manifest.json', 404, /problem\+json/],
      ['/app.webmanifest', 200, /manifest\+json/],
      ['/icon.svg', 200, /svg/],
      ['/assets/no-such-file.js', 404, /problem\+json/],
      ['/assets/../manifest.json', 404, /problem\+json/],
      ['/assets/%2e%2e/manifest.json', 404, /problem\+json/],
    ];
    for (const [path, status, type] of types) {
      const answer = await fetch(dashboard().service.url + path);
      expect([path, answer.status]).toEqual([path, status]);
      expect(answer.headers.get('content-type')).toMatch(type);
    }
  });

  test('a page and an asset come whole, whatever range or version a stranger asks for', async () => {
    const { url } = dashboard().service;
    const [, path = ''] = /src="(\/assets\/[^"]+\.js)"/.exec(await (await fetch(url)).text()) ?? [];
    for (const [name, value] of [
      ['if-match', '"x"'],
      ['if-unmodified-since', 'Mon, 01 Jan 2024 00:00:00 GMT'],
      ['range', 'bytes=99999999-'],
      ['range', 'bytes=0-3'],
    ] as const) {
      for (const place of ['/', path, '/icon.svg']) {
        const { status } = await fetch(url + place, { headers: { [name]: value } });
        expect([place, name, value, status]).toEqual([place, name, value, 200]);
      }
    }
  });

  test('an asset is the same for whoever accepts brotli, gzip, something else or nothing', async () => {
    const { url } = dashboard().service;
    const [, path = ''] = /src="(\/assets\/[^"]+\.js)"/.exec(await (await fetch(url)).text()) ?? [];
    const { text } = await encodedAnswer(url + path, 'br');
    expect(text.length).toBeGreaterThan(1_000);
    for (const [accepted, coding] of [
      ['gzip, deflate, br, zstd', 'br'],
      ['gzip', 'gzip'],
      ['zstd', undefined],
      ['br;q=0, *;q=0', undefined],
      [undefined, undefined],
    ]) {
      const answer = await encodedAnswer(url + path, accepted);
      const { 'content-encoding': sent, 'content-type': type, vary } = answer.headers;
      expect([accepted, answer.status, sent, type]).toEqual([
        accepted,
        200,
        coding,
        expect.stringMatching(/javascript/),
      ]);
      expect(vary).toMatch(/accept-encoding/i);
      expect(answer.text).toBe(text);
      const head = await encodedAnswer(url + path, accepted, { method: 'HEAD' });
      expect([head.status, head.headers['content-encoding'], head.text]).toEqual([200, coding, '']);
    }
  });

  test('a browser finds nothing that keeps it from installing the dashboard as an app', async () => {
    const { page } = await signedIn();
    const developerTools = await page.context().newCDPSession(page);
    const { installabilityErrors } = await developerTools.send('Page.getInstallabilityErrors');
    // The browser of the tests keeps nothing, and installs nothing for that reason alone.
    expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([]);
    const { data, errors } = await developerTools.send('Page.getAppManifest');
    expect(errors).toEqual([]);
    expect(JSON.parse(data ?? '')).toMatchObject({ start_url: '/', display: 'standalone' });
  });

  test('the back button and the address lead to the pages that were seen, each with its own title', async () => {
    const { page } = await signedIn();
    await goTo(page, 'Tasks');
    await untilTitled(page, 'Tasks');
    expect(await page.title()).toBe('Tasks · Team Memory');
    await goTo(page, 'Ask');
    await untilTitled(page, 'Ask');
    await page.goBack();
    await untilTitled(page, 'Tasks');
    await page.goForward();
    await untilTitled(page, 'Ask');
    await page.goBack();
    await page.reload();
    await untilTitled(page, 'Tasks');
    expect(new URL(page.url()).pathname).toBe('/tasks');
  });

  test('a path that is none says so, for whoever is signed in', async () => {
    const { page } = await signedIn('/memory');
    // The service knows some paths only; others lead here by a link inside the page.
    await page.evaluate("history.pushState(null, '', '/no-such-page')");
    await untilTitled(page, 'Not found');
    await expectAccessible(page, 'a path that is none');
  });

  test('everything is reached by keyboard: past the list of pages, into it, and on to a page', async () => {
    const { page } = await signedIn('/tasks');
    await untilTitled(page, 'Tasks');
    await page.reload();
    await untilTitled(page, 'Tasks');
    await page.locator('h1:focus', { hasText: 'Tasks' }).waitFor();
    await page.locator('body').evaluate((body) => {
      body.tabIndex = -1;
      body.focus();
      body.removeAttribute('tabindex');
    });
    await page.keyboard.press('Tab');
    expect(await focused(page).textContent()).toBe('Skip to the page');
    await expectVisibleFocus(page);
    await page.keyboard.press('Enter');
    await page.locator('main#main:focus').waitFor();
    await page.getByRole('link', { name: 'Ask', exact: true }).focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Shift+Tab');
    await expectVisibleFocus(page);
    await page.keyboard.press('Enter');
    await untilTitled(page, 'Ask');
    // The heading, or what the page is for: never lost somewhere at the beginning.
    await page.locator('main#main :focus').waitFor();
  });

  test('seven tabs share one event stream, and hidden ones have none and ask for nothing', async () => {
    const team = await newTeam(dashboard().service);
    const visit = await dashboard().visit({ key: team.teamKey, path: '/memory' });
    const { context, page: first } = visit;
    const streams = new Set<Request>();
    const asked: string[] = [];
    context.on('request', (request) => {
      asked.push(request.url());
      if (request.url().endsWith('/api/v1/events')) streams.add(request);
    });
    const isOver = (request: Request) => void streams.delete(request);
    context.on('requestfailed', isOver).on('requestfinished', isOver);
    const others: Page[] = [];
    for (let tab = 2; tab <= 7; tab += 1) {
      const page = await context.newPage();
      others.push(page);
      await page.goto(`${visit.url}/memory`);
      await page.getByText('The memory is empty').waitFor();
    }
    // The first tab has had it since before anybody counted.
    expect(streams.size).toBe(0);
    await first.close();
    await eventually('another tab has the stream', () => streams.size === 1);
    await team.team.push(item('shared.md', '# Shared with all tabs\n'));
    for (const page of others) await page.getByRole('link', { name: /Shared with all tabs/ }).waitFor();
    for (const page of others) await setHidden(page, true);
    await eventually('no tab has a stream', () => streams.size === 0);
    asked.length = 0;
    await team.team.push(item('later.md', '# Written while nobody looked\n'));
    const seen = others[3] as Page;
    await setHidden(seen, false);
    await seen.getByRole('link', { name: /Written while nobody looked/ }).waitFor();
    expect(streams.size).toBe(1);
    expect(asked.filter((url) => url.endsWith('/events'))).toHaveLength(1);
    expect(asked.filter((url) => url.endsWith('/ListFolder'))).toHaveLength(1);
  });

  test('shows the colours that somebody chooses, also after a reload, and which version it is', async () => {
    const { page } = await signedIn('/news', { colorScheme: 'light' });
    const background = () =>
      page
        .locator('body')
        .evaluate((body) => body.ownerDocument.defaultView.getComputedStyle(body).backgroundColor);
    const light = await background();
    await page.getByLabel('Colours').selectOption('Dark');
    await eventually('the page is dark', async () => (await background()) !== light);
    const dark = await background();
    await page.reload();
    await untilTitled(page, 'What’s new');
    await eventually('the page is dark again', async () => (await background()) === dark);
    await page.getByLabel('Colours').selectOption('As the system');
    await eventually('the page is light', async () => (await background()) === light);
    await page.getByText(`Version ${product.version}`).waitFor();
    expect(await page.getByRole('link', { name: 'Help with the API' }).getAttribute('href')).toBe('/docs');
  });

  test('asks who is signed in once in 30 seconds at most', async () => {
    const { teamKey } = await dashboard().service.createTeam();
    const { page } = await dashboard().visit({ key: teamKey });
    await page.clock.install();
    await page.reload();
    await untilTitled(page, 'Ask');
    let asked = 0;
    page.on('request', (request) => {
      if (new URL(request.url()).pathname === '/session') asked += 1;
    });
    // Time goes on by itself as well.
    await page.clock.runFor(10_000);
    expect(asked).toBe(0);
    await page.clock.runFor(31_000);
    await eventually('it has asked', () => asked > 0);
    expect(asked).toBeLessThanOrEqual(2);
  });

  test('at 360 pixels the pages are behind a button, and nothing scrolls sideways', async () => {
    const { page } = await signedIn('/', { viewport: narrow });
    expect(await sidewaysPixels(page)).toBe(0);
    const links = page.getByRole('navigation', { name: 'Pages' });
    expect(await links.isVisible()).toBe(false);
    const button = page.getByRole('button', { name: 'Show the list of pages' });
    await button.focus();
    await page.keyboard.press('Enter');
    await links.waitFor();
    expect(await sidewaysPixels(page)).toBe(0);
    await expectAccessible(page, 'the list of pages on a narrow screen');
    await page.keyboard.press('Escape');
    await links.waitFor({ state: 'hidden' });
    await button.click();
    await goTo(page, 'Tasks');
    await untilTitled(page, 'Tasks');
    await links.waitFor({ state: 'hidden' });
  });
});

describeWithBrowser('the dashboard of a service that stops', (browser) => {
  test('says so, and goes on by itself when the service is back', { timeout: startTimeoutMs }, async () => {
    const [directory, port] = [await temporaryDirectory(), await freePort()];
    const options = { dataDirectory: directory.path, environment: { PORT: `${port}` } };
    let service = await startService(options);
    try {
      const { teamKey } = await service.createTeam();
      const visit = await visitDashboard(browser(), service.url, { key: teamKey, path: '/tasks' });
      visit.expectFaults(/^net::ERR_|^console: Couldn't load preload/);
      const { page } = visit;
      await untilTitled(page, 'Tasks');
      const away = page.getByText('The service cannot be reached.');
      await service.end();
      await away.first().waitFor({ timeout: noticedWithinMs });
      await goTo(page, 'Ask');
      await page.getByText('This page could not be loaded.').waitFor();
      await expectAccessible(page, 'a page without its service');
      await service.remove();
      service = await startService(options);
      await away.first().waitFor({ state: 'detached', timeout: noticedWithinMs });
      await untilTitled(page, 'Ask');
      await goTo(page, 'Tasks');
      await untilTitled(page, 'Tasks');
      await page.getByText('No open tasks yet').waitFor();
    } finally {
      await service.remove();
      await directory.remove();
    }
  });
});

describe('compressed JavaScript that is loaded', () => {
  const manifest: Record<string, { file: string; imports?: string[] }> = JSON.parse(
    readFileSync(join(built, 'manifest.json'), 'utf8'),
  );
  /** The files of some modules, with all that is loaded with them. */
  function filesOf(entries: readonly string[]): Set<string> {
    const files = new Set<string>();
    const collect = (name: string) => {
      const chunk = manifest[name];
      if (chunk === undefined || files.has(chunk.file)) return;
      files.add(chunk.file);
      for (const imported of chunk.imports ?? []) collect(imported);
    };
    for (const entry of entries) {
      expect(manifest).toHaveProperty([entry]);
      collect(entry);
    }
    return files;
  }
  const bytesOf = (files: Iterable<string>) =>
    [...files].reduce((sum, file) => sum + readFileSync(join(built, `${file}.gz`)).byteLength, 0);
  const firstView = ['index.html', 'src/pages/ask/ask-page.tsx'];
  const editor = 'src/pages/write/code-editor.tsx';

  test('is at most 95 KB before the first view, in German too, without the editor and the texts of other pages', () => {
    const files = filesOf(firstView);
    const german = filesOf(['src/language/german/first-view.ts']);
    expect(bytesOf(files.union(german))).toBeLessThanOrEqual(maxFirstViewBytes);
    for (const later of [editor, 'src/language/german/german.ts']) {
      expect(files).not.toContain(filesOf([later]).values().next().value);
    }
  });

  test('is at most 120 KB for the editor', () => {
    const others = filesOf([...firstView, 'src/pages/write/write-page.tsx']);
    expect(bytesOf(filesOf([editor]).difference(others))).toBeLessThanOrEqual(maxEditorBytes);
  });
});

/** Tells a page that its tab is hidden, or seen again: a browser without a window does not. */
async function setHidden(page: Page, isHidden: boolean): Promise<void> {
  await page.evaluate(`Object.defineProperty(document, 'hidden', { configurable: true, value: ${isHidden} });
    document.dispatchEvent(new Event('visibilitychange'));`);
}

/** Asserts that whoever uses the keyboard sees where they are. */
async function expectVisibleFocus(page: Page): Promise<void> {
  const outline = await focused(page).evaluate((element) => {
    const style = element.ownerDocument.defaultView.getComputedStyle(element);
    return `${style.outlineStyle} ${style.outlineWidth} ${element.getBoundingClientRect().height > 0}`;
  });
  expect(outline).toBe('solid 2px true');
}
