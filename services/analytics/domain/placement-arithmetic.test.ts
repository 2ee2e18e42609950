import { seededRandom } from '@teammemory/testkit/seeded-random.ts';
import { expect, test } from 'vitest';
import { explainedPlacement } from './placement.ts';
import type { Signals } from './rubric.ts';
import { rubricOf } from './rubric.ts';

const place = (signals: Signals) =>
  explainedPlacement(rubricOf(1), { sessions: 1, tasks: 1, signals }).placement;

/** All that L4 and L5 ask for, but what they ask of verification. */
const nearlyBest: Signals = { tool_diversity: 3, cache_hit_rate: 0.6, subagent_usage: 0.5 };

test('axes are those of exact arithmetic, a hundred halves among them', () => {
  const random = seededRandom(9);
  let halves = 0;
  for (let round = 0; round < 10_000; round += 1) {
    const delegated = random.integerBelow(5_001);
    const subagents = random.integerBelow(6_001);
    const tools = 2 + random.integerBelow(11);
    // 400*(0.5*delegated/5000 + 0.3*subagents/6000 + 0.2*(tools - 2)/10), times 100: whole numbers only.
    const tenThousandths = 4 * delegated + 2 * subagents + 800 * (tools - 2);
    halves += Number(tenThousandths % 100 === 50);
    const signals = {
      delegation_ratio: delegated / 10_000,
      subagent_usage: subagents / 10_000,
      tool_diversity: tools,
    };
    expect(place(signals).axes.autonomy).toBe(Math.floor((tenThousandths + 50) / 100) / 100);
  }
  expect(halves).toBeGreaterThan(100);
});

test('nobody is above L3 with verification below 1', () => {
  const random = seededRandom(10);
  const share = () => random.integerBelow(101) / 100;
  const spines = Array.from({ length: 5_000 }, () => {
    const signals = {
      ...nearlyBest,
      verify_tool_rate: share() / 2,
      error_rate: share(),
      delegation_ratio: share(),
    };
    return place(signals);
  });
  expect(spines.some(({ spine }) => spine === 'L4')).toBe(true);
  for (const { spine, axes } of spines) if (axes.verification < 1) expect(spine <= 'L3').toBe(true);
});
