import { expect, test } from 'vitest';
import { explainedPlacement, type Placement } from './placement.ts';
import type { Signals } from './rubric.ts';
import { currentRubric, rubricOf } from './rubric.ts';

const [v, c, a, l, g] = [
  'verification',
  'context_hygiene',
  'autonomy',
  'learning',
  'cost_governance',
] as const;

function place(signals: Signals, work: { sessions?: number; tasks?: number } = {}): Placement {
  return explainedPlacement(rubricOf(1), { sessions: 1, tasks: 1, signals, ...work }).placement;
}

/** Worked out by hand from docs/analytics.md; the sum of each axis is written where it is not plain. */
const axisExamples: [name: string, signals: Signals, axes: Partial<Placement['axes']>][] = [
  ['without a signal every axis is 0', {}, { [v]: 0, [c]: 0, [a]: 0, [l]: 0, [g]: 0 }],
  [
    'half of every scale is half of every axis',
    {
      verify_tool_rate: 0.15,
      error_rate: 0.135,
      cache_hit_rate: 0.6,
      tokens_per_task: 110_000,
      delegation_ratio: 0.25,
      subagent_usage: 0.3,
      tool_diversity: 7,
      correction_loop_avg: 22.5,
      cost_per_task: 1.625,
    },
    { [v]: 2, [c]: 2, [a]: 2, [l]: 2, [g]: 2 },
  ],
  ['a missing signal leaves its weight to the other: 4*0.1/0.3', { verify_tool_rate: 0.1 }, { [v]: 1.33 }],
  [
    'both signals have their weight: 4*(0.8*1/3 + 0.2) = 1.8667',
    { verify_tool_rate: 0.1, error_rate: 0.02 },
    { [v]: 1.87 },
  ],
  ['the best end of verification', { verify_tool_rate: 0.3, error_rate: 0.02 }, { [v]: 4, [l]: 4 }],
  ['beyond the best end is no better', { verify_tool_rate: 1, error_rate: 0 }, { [v]: 4, [l]: 4 }],
  ['the worst end of errors: 4*0.8', { verify_tool_rate: 0.3, error_rate: 0.25 }, { [v]: 3.2, [l]: 0 }],
  ['beyond the worst end is no worse', { verify_tool_rate: 0.3, error_rate: 1 }, { [v]: 3.2, [l]: 0 }],
  ['the worst end of the cache', { cache_hit_rate: 0.3 }, { [c]: 0, [g]: 0 }],
  ['the best end of the cache', { cache_hit_rate: 0.9 }, { [c]: 4, [g]: 4 }],
  ['tokens alone: dn(65000) = 0.75', { tokens_per_task: 65_000 }, { [c]: 3, [g]: 3 }],
  ['far too many tokens', { tokens_per_task: 1e300 }, { [c]: 0, [g]: 0 }],
  ['two of three signals: 4*(0.3*1 + 0.2*0)/0.5', { subagent_usage: 0.6, tool_diversity: 2 }, { [a]: 2.4 }],
  [
    'only the best delegation: 4*0.5',
    { delegation_ratio: 0.5, subagent_usage: 0, tool_diversity: 0 },
    { [a]: 2 },
  ],
  ['few errors, long loops: 4*0.7', { error_rate: 0.02, correction_loop_avg: 40 }, { [l]: 2.8 }],
  ['many errors, short loops: 4*0.3', { error_rate: 0.25, correction_loop_avg: 5 }, { [l]: 1.2 }],
  ['cheap only: 4*0.5', { cost_per_task: 0.25, cache_hit_rate: 0.3, tokens_per_task: 200_000 }, { [g]: 2 }],
  [
    'dear only: 4*(0.3 + 0.2)',
    { cost_per_task: 3, cache_hit_rate: 0.9, tokens_per_task: 20_000 },
    { [g]: 2 },
  ],
  ['a half goes up: 4*0.0125/10 = 0.005', { tool_diversity: 2.0125 }, { [a]: 0.01 }],
  [
    'a half below its binary fraction goes up: 4*2.5125/10 = 1.005',
    { tool_diversity: 4.5125 },
    { [a]: 1.01 },
  ],
  ['less than a half goes down: 4*2.5124/10 = 1.00496', { tool_diversity: 4.5124 }, { [a]: 1 }],
  [
    'an ordinary member',
    {
      delegation_ratio: 0.35,
      correction_loop_avg: 12,
      error_rate: 0.06,
      cost_per_task: 0.8,
      tokens_per_task: 56_000,
      cache_hit_rate: 0.72,
      tool_diversity: 9,
      verify_tool_rate: 0.21,
      subagent_usage: 0.45,
    },
    // 4*(0.56 + 0.2*0.19/0.23), 4*(0.42 + 0.32), 4*(0.35 + 0.225 + 0.14), 4*(0.7*0.19/0.23 + 0.24), 4*(0.4 + 0.21 + 0.16)
    { [v]: 2.9, [c]: 2.96, [a]: 2.86, [l]: 3.27, [g]: 3.08 },
  ],
];

test.each(axisExamples)('%s', (_name, signals, axes) => {
  expect(place(signals).axes).toMatchObject(axes);
});

/** All that L5 asks for, each at its least: 4*(0.75*0.8 + 0.75*0.2) is 3 and 4*0.5 is 2. */
const least: Signals = {
  tool_diversity: 3,
  cache_hit_rate: 0.6,
  delegation_ratio: 0.4,
  subagent_usage: 0.5,
  verify_tool_rate: 0.225,
  error_rate: 0.0775,
};

test.each<[name: string, spine: string, signals: Signals]>([
  ['nothing measured', 'L1', {}],
  ['tools just too few', 'L1', { ...least, tool_diversity: 2.99 }],
  ['tools not measured', 'L1', { ...least, tool_diversity: undefined }],
  ['tools enough', 'L2', { tool_diversity: 3 }],
  [
    'hygiene 1.99: 4*(0.6*0.298/0.6 + 0.4*0.5) = 1.992',
    'L2',
    { ...least, cache_hit_rate: 0.598, tokens_per_task: 110_000 },
  ],
  [
    'hygiene 1.996, which is shown as 2.00',
    'L3',
    { tool_diversity: 3, cache_hit_rate: 0.599, tokens_per_task: 110_000 },
  ],
  ['hygiene enough', 'L3', { tool_diversity: 3, cache_hit_rate: 0.6 }],
  ['delegation just too little', 'L3', { ...least, delegation_ratio: 0.19 }],
  [
    'verification 1.99: 4*0.14925/0.3 = 1.99',
    'L3',
    { ...least, verify_tool_rate: 0.14925, error_rate: undefined },
  ],
  ['verification below 1, all else at its best', 'L3', { ...least, verify_tool_rate: 0, error_rate: 0.02 }],
  [
    'delegation and verification enough',
    'L4',
    { tool_diversity: 3, cache_hit_rate: 0.6, delegation_ratio: 0.2, verify_tool_rate: 0.15 },
  ],
  ['subagents just too few', 'L4', { ...least, subagent_usage: 0.49 }],
  ['delegation between L4 and L5', 'L4', { ...least, delegation_ratio: 0.39 }],
  ['verification 2.99: 4*(0.8*0.224/0.3 + 0.2*0.75) = 2.989', 'L4', { ...least, verify_tool_rate: 0.224 }],
  [
    'learning 1.99: 4*(0.7*0.135/0.23 + 0.3*10.1/35) = 1.98976',
    'L4',
    { ...least, verify_tool_rate: 0.3, error_rate: 0.115, correction_loop_avg: 29.9 },
  ],
  ['learning not measured', 'L4', { ...least, error_rate: undefined, verify_tool_rate: 0.3 }],
  ['everything at its least', 'L5', least],
  [
    'everything at its best',
    'L5',
    {
      tool_diversity: 12,
      cache_hit_rate: 0.9,
      delegation_ratio: 1,
      subagent_usage: 1,
      verify_tool_rate: 1,
      error_rate: 0,
    },
  ],
])('%s: %s', (_name, spine, signals) => {
  expect(place(signals).spine).toBe(spine);
});

test('without a session or without a task the place is L0 and every axis 0, whatever was measured', () => {
  const nothing = { spine: 'L0', axes: { [v]: 0, [c]: 0, [a]: 0, [l]: 0, [g]: 0 } };
  expect(place(least, { sessions: 0 })).toEqual(nothing);
  expect(place(least, { tasks: 0 })).toEqual(nothing);
  expect(place(least, { sessions: 0, tasks: 0 })).toEqual(nothing);
});

test('an explanation has every signal of an axis, with what it adds', () => {
  const { axes } = explainedPlacement(rubricOf(1), {
    sessions: 1,
    tasks: 1,
    signals: { delegation_ratio: 0.25, tool_diversity: 12 },
  });
  // 4*0.5*0.5/0.7 and 4*0.2*1/0.7
  expect(axes.find(({ axis }) => axis === a)).toEqual({
    axis: a,
    value: 2.57,
    parts: [
      {
        signal: 'delegation_ratio',
        value: 0.25,
        weight: 0.5,
        rating: 0.5,
        points: expect.closeTo(1.428571, 6),
      },
      { signal: 'subagent_usage', value: undefined, weight: 0.3, rating: 0, points: 0 },
      { signal: 'tool_diversity', value: 12, weight: 0.2, rating: 1, points: expect.closeTo(1.142857, 6) },
    ],
  });
});

test('an explanation has every condition of every level, met or not', () => {
  const { conditions } = explainedPlacement(rubricOf(1), {
    sessions: 2,
    tasks: 5,
    signals: { tool_diversity: 3, delegation_ratio: 0.2 },
  });
  expect(conditions.map(({ level, measure, met }) => `${level} ${measure} ${met}`)).toEqual([
    'L1 sessions true',
    'L1 tasks true',
    'L2 tool_diversity true',
    'L3 context_hygiene false',
    'L4 delegation_ratio true',
    'L4 verification false',
    'L5 subagent_usage false',
    'L5 delegation_ratio false',
    'L5 verification false',
    'L5 learning false',
  ]);
  expect(conditions[2]).toEqual({ level: 'L2', measure: 'tool_diversity', atLeast: 3, value: 3, met: true });
});

test('the weights of an axis add up to 1, and only known rubrics are used', () => {
  for (const scales of Object.values(currentRubric.axes)) {
    expect(scales.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(1, 12);
  }
  expect(rubricOf(1)).toBe(currentRubric);
  for (const version of [0, 2]) {
    expect(() => rubricOf(version)).toThrowError(expect.objectContaining({ code: 'unavailable' }));
  }
});
