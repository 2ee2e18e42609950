import { expect, test } from 'vitest';
import { type Contributions, contributionOf } from './disclosure.ts';
import type { Level } from './scored-rows.ts';
import { teamPlacement } from './team-placement.ts';

function team(...members: [Level, number][]): Contributions {
  return new Map(
    members.map(([spine, autonomy], index) => {
      const axes = { verification: 1, context_hygiene: 0, autonomy, learning: 4, cost_governance: 2.5 };
      return [`m${index}`, contributionOf({ spine, axes })];
    }),
  );
}

test('below three members nothing but their number is told, and nothing is kept', async () => {
  expect(await teamPlacement([], team())).toEqual({ placement: { members: 0, figures: undefined } });
  expect(await teamPlacement([], team(['L2', 1], ['L3', 2]))).toEqual({
    placement: { members: 2, figures: undefined },
  });
});

test('three members are shown by level and axis, as a group', async () => {
  const contributions = team(['L2', 3.5], ['L4', 1], ['L2', 1.2]);
  const { placement, release } = await teamPlacement([], contributions);
  expect(placement).toEqual({
    members: 3,
    figures: {
      spines: { L0: 0, L1: 0, L2: 0, L3: 3, L4: 0, L5: 0 },
      medianAxes: { verification: 1, context_hygiene: 0, autonomy: 2, learning: 4, cost_governance: 2.5 },
    },
  });
  const figures = ['spine', 'verification', 'context_hygiene', 'autonomy', 'learning', 'cost_governance'];
  expect(release).toEqual({ figures, contributions });
});

test('what was shown before is nothing to keep again', async () => {
  const contributions = team(['L2', 3.5], ['L4', 1], ['L2', 1.2]);
  const first = await teamPlacement([], contributions);
  expect(await teamPlacement(first.release ? [first.release] : [], contributions)).toEqual({
    placement: first.placement,
  });
});

test('only the figures that are news are released anew', async () => {
  const first = (await teamPlacement([], team(['L2', 0], ['L2', 1], ['L2', 2]))).release;
  const changed = await teamPlacement(first ? [first] : [], team(['L2', 3], ['L2', 4], ['L3', 3.5]));
  expect(changed.release?.figures).toEqual(['autonomy']);
  expect(changed.placement.figures).toMatchObject({ spines: { L2: 3 }, medianAxes: { autonomy: 3.5 } });
});
