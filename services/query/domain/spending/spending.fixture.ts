import { createPrices } from './prices.ts';
import { createSpending, type Spending } from './spending.ts';
import type { Caps, UsageStore } from './usage-store.ts';
import { createSweep } from './usage-sweep.ts';

/** One dollar a million tokens is one micro-dollar a token. */
export const modelPrices = JSON.stringify({
  writer: { input: 1, output: 1 },
  free: { input: 0, output: 0 },
  embedder: { input: 0.02 },
});

/** The noon that `spendingOn` begins at. */
export const noon = Date.parse('2026-11-21T12:00:00.000Z');

/** Spending with a clock that the test moves, and caps in micro-dollars. */
export function spendingOn(usage: UsageStore, caps: Caps): Spending & { time: { now: number } } {
  const time = { now: noon };
  const prices = createPrices(modelPrices);
  const sweep = createSweep(usage);
  return { time, ...createSpending({ usage, sweep, prices, caps, clock: () => time.now }) };
}
