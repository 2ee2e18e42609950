import type { Operation } from '../contract/operation.ts';
import { problems } from '../contract/problem.ts';
import { rollupAnswer, rollupParameters, snapshotAnswer, snapshotBody } from './contract.ts';

const pushSnapshot: Operation = {
  method: 'POST',
  path: '/api/v1/metrics',
  tag: 'Analytics',
  summary: 'Push a maturity snapshot',
  description:
    'Stores the aggregate of one day and replaces an earlier one of the same member, day and metric. Only ratios and counts are stored; unknown members are dropped. The service computes spine and axes itself; `provisional` is stored for provenance only.',
  access: 'team key',
  writes: true,
  quota: 'snapshots',
  body: {
    mediaType: 'application/json',
    // One day of one member takes 1 KiB; clients may send signals that are unknown here.
    bounds: { maxBytes: 64 * 1024, maxValues: 1_000, maxLevels: 32 },
    schema: snapshotBody,
    example: {
      metric: 'aem-individual',
      date: '2026-11-20',
      window_days: 7,
      signals: {
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
      provisional: { spine: 'L3', axes: { verification: 2.5 } },
      sessions: 12,
      tasks: 30,
    },
  },
  answer: {
    description: 'The snapshot is stored.',
    content: {
      mediaType: 'application/json',
      schema: snapshotAnswer,
      example: {
        status: 'ok',
        snapshot_id: '019a9f0e-7d51-7c3a-9a51-6b0c4b8f2d15',
        member_id: '019a9f0e-7d51-7c3a-9a51-6b0c4b8f2d16',
        canonical: {
          spine: 'L4',
          axes: {
            verification: 2.9,
            context_hygiene: 2.96,
            autonomy: 2.88,
            learning: 3.2,
            cost_governance: 2.93,
          },
        },
      },
    },
  },
  problems: [problems.unknown_member],
};

const examplePlacement = {
  members: 7,
  withheld: false,
  spines: { L0: 0, L1: 0, L2: 3, L3: 0, L4: 4, L5: 0 },
  median_axes: {
    verification: 2.5,
    context_hygiene: 3,
    autonomy: 2.5,
    learning: 3,
    cost_governance: 2.5,
  },
};

const getRollup: Operation = {
  method: 'GET',
  path: '/api/v1/rollup',
  tag: 'Analytics',
  summary: 'Read how the team stands',
  description:
    "Sums up the team's snapshots by canonical placements only. With fewer than 3 members the figures are withheld, and values are grouped so that no member can be told from them.",
  access: 'team key',
  query: rollupParameters,
  answer: {
    description: 'The team now and in each week.',
    content: {
      mediaType: 'application/json',
      schema: rollupAnswer,
      example: {
        from: '2026-11-16',
        to: '2026-11-22',
        rubric_version: 1,
        current: examplePlacement,
        trend: [{ week: '2026-11-16', members: 2, withheld: true, spines: null, median_axes: null }],
      },
    },
  },
  problems: [],
};

export const metricOperations = { pushSnapshot, getRollup };
