import { expect, test } from 'vitest';
import { createWindowLedger } from './window-ledger.ts';

test('a limit of a million keeps a thousand stamps, none of which counts for less than a window', () => {
  const clock = { nowMs: 1_000 };
  const ledger = createWindowLedger({ limit: 1_000_000, clock: () => clock.nowMs });
  for (let write = 0; write < 100_000; write += 1) {
    ledger.hold('key', 1);
    ledger.settle('key', 1, 1);
    clock.nowMs += 0.5;
  }
  const settledMs = clock.nowMs;
  expect(ledger.size().stamps).toBeLessThanOrEqual(1_000);
  expect(ledger.taken('key')).toBe(100_000);
  clock.nowMs = settledMs + 59_999;
  expect(ledger.taken('key')).toBeGreaterThan(0);
  clock.nowMs = settledMs + 60_060;
  expect(ledger.taken('key')).toBe(0);
});

test('keys without a slot held or used are forgotten', () => {
  const clock = { nowMs: 1_000 };
  const ledger = createWindowLedger({ limit: 60, clock: () => clock.nowMs });
  ledger.hold('key', 5);
  ledger.settle('key', 2, 1);
  clock.nowMs += 2_500;
  ledger.settle('key', 3, 0);
  expect(ledger.size()).toEqual({ keys: 1, stamps: 1 });
  clock.nowMs += 57_500;
  expect(ledger.size()).toEqual({ keys: 0, stamps: 0 });
});
