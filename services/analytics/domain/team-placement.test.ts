import { expect, test } from 'vitest';
import type { Level } from './level.ts';
import type { Placement } from './placement.ts';
import { teamPlacement } from './team-placement.ts';

function member(spine: Level, autonomy: number): Placement {
  return {
    spine,
    axes: { verification: 1, context_hygiene: 0, autonomy, learning: 4, cost_governance: 2.5 },
  };
}

test('below three members nothing but their number is told', () => {
  expect(teamPlacement([])).toEqual({ members: 0, figures: undefined });
  expect(teamPlacement([member('L2', 1), member('L3', 2)])).toEqual({ members: 2, figures: undefined });
});

test('three members are counted by level, the median of each axis beside', () => {
  expect(teamPlacement([member('L2', 3.5), member('L4', 1), member('L2', 1.2)])).toEqual({
    members: 3,
    figures: {
      spines: { L0: 0, L1: 0, L2: 2, L3: 0, L4: 1, L5: 0 },
      medianAxes: { verification: 1, context_hygiene: 0, autonomy: 1.2, learning: 4, cost_governance: 2.5 },
    },
  });
});

test('of an even number the median is the mean of the two in the middle, a half rounded up', () => {
  const members = [3, 1.01, 1, 0].map((autonomy) => member('L1', autonomy));
  expect(teamPlacement(members).figures?.medianAxes.autonomy).toBe(1.01);
});
