import { expect, test } from 'vitest';
import { limitWarnings } from './limited-warnings.ts';
import type { Log } from './log.ts';

test('warnings are bounded a second, and the next one says how many were left out', () => {
  let nowMs = 0;
  const lines: object[] = [];
  const log = { warn: (fields: object) => void lines.push(fields) } as unknown as Log;
  const warn = limitWarnings(log, () => nowMs);
  for (let number = 0; number < 50; number += 1) warn({ number }, 'failed');
  expect(lines).toEqual(Array.from({ length: 20 }, (_, number) => ({ number })));
  nowMs = 1_000;
  warn({ number: 50 }, 'failed');
  warn({ number: 51 }, 'failed');
  expect(lines.slice(20)).toEqual([{ number: 50, warnings_left_out: 30 }, { number: 51 }]);
});
