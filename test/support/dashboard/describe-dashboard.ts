import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe } from 'vitest';
import type { RunningService, ServiceOptions } from '../service/running-service.ts';
import { sharedService } from '../service/shared-service.ts';
import { chromiumPath, startChromium } from './chromium.ts';
import { type Visit, type VisitOptions, visitDashboard } from './visit.ts';

/** The dashboard of a service that runs, and a browser. */
export interface Dashboard {
  service: RunningService;
  browser: Browser;
  /** Opens the dashboard as one more person, who leaves when the test ends. */
  visit(options?: VisitOptions): Promise<Visit>;
}

/**
 * Declares tests of the dashboard, with one service and one browser for all of them. Without a Chromium they are skipped,
 * and the name of the suite says why.
 */
export function describeDashboard(
  name: string,
  declareTests: (dashboard: () => Dashboard) => void,
  options: ServiceOptions = {},
): void {
  describeWithBrowser(name, (browser) => {
    const service = sharedService(options);
    declareTests(() => ({
      service: service(),
      browser: browser(),
      visit: (how = {}) => visitDashboard(browser(), service().url, how),
    }));
  });
}

/** Declares tests that have one browser and start a service themselves; skipped as `describeDashboard` is. */
export function describeWithBrowser(name: string, declareTests: (browser: () => Browser) => void): void {
  if (chromiumPath() === undefined) {
    describe.skip(`${name} (skipped: no Chromium on the path)`, () => declareTests(noBrowser));
    return;
  }
  describe(name, () => {
    let browser: Browser | undefined;
    beforeAll(async () => {
      browser = await startChromium();
    });
    afterAll(async () => {
      await browser?.close();
    });
    declareTests(() => browser ?? noBrowser());
  });
}

function noBrowser(): never {
  throw new Error('the browser is there only while tests run');
}
