import { expect, test } from 'vitest';
import { backoffMs } from './backoff.ts';

test.for([
  [0, 500, 1_000],
  [3, 4_000, 8_000],
  [2_000, 5_000, 10_000],
] as const)('after %i failures it is from %i to %i milliseconds', ([failures, least, most]) => {
  for (let tries = 0; tries < 100; tries += 1) {
    const waitMs = backoffMs({ firstMs: 1_000, lastMs: 10_000 }, failures);
    expect(waitMs).toBeGreaterThanOrEqual(least);
    expect(waitMs).toBeLessThanOrEqual(most);
  }
});
