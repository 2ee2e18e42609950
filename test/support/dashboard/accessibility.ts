import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** What axe-core finds wrong with an element. */
interface Violation {
  id: string;
  help: string;
  nodes: { target: unknown[]; failureSummary?: string }[];
}

/**
 * Asserts that axe-core finds nothing wrong with what the page shows, neither in light nor in dark colours. `what` names it
 * for whoever reads the failure.
 */
export async function expectAccessible(page: Page, what: string): Promise<void> {
  // The page's policy forbids inline scripts; what the debugger evaluates is not subject to it.
  await page.evaluate(axe.source);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await untilStill(page);
    const violations = await page.evaluate<Violation[]>(
      'axe.run(document, { resultTypes: ["violations"] }).then((results) => results.violations)',
    );
    expect(violations.map(described), `${what}, ${colorScheme}`).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: null });
}

/** Waits for transitions, whose colours in between are nobody's choice. What moves for ever is not waited for. */
async function untilStill(page: Page): Promise<void> {
  await page.evaluate(`Promise.allSettled(
    document.getAnimations()
      .filter((animation) => animation.effect?.getComputedTiming().iterations !== Infinity)
      .map((animation) => animation.finished)
  ).then(() => undefined)`);
}

function described({ id, help, nodes }: Violation): string {
  const places = nodes.slice(0, 5).map(({ target, failureSummary = '' }) => {
    return `${target.join(' ')}: ${failureSummary.replace(/\s+/g, ' ')}`;
  });
  return `${id} (${help}): ${places.join('; ')}`;
}
