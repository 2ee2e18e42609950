import type { Operation } from '../contract/operation.ts';
import { problems } from '../contract/problem.ts';
import { snapshotAnswer, snapshotBody } from './contract.ts';

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

export const metricOperations = { pushSnapshot };
