import type { Operation } from '../contract/operation.ts';
import { describedScanBody, scanAnswer } from './contract.ts';

const pushScan: Operation = {
  method: 'POST',
  path: '/api/v1/codebases',
  tag: 'Analytics',
  summary: 'Push a codebase scan',
  description:
    'Stores a scan and replaces an earlier one of the same codebase and commit. The score of the client is stored as given; the service computes its own.',
  access: 'team key',
  writes: true,
  quota: 'scans',
  body: {
    mediaType: 'application/json',
    // 10,000 contributions and 10,000 issues of four values each, and room for members that are ignored.
    bounds: { maxValues: 100_000, maxLevels: 32 },
    schema: describedScanBody,
    example: {
      codebase: { slug: 'rivers', full_name: 'acme/rivers', provider: 'github' },
      metrics: {
        head_sha: '2fd4e1c67a2d28fced849ee1bb76e7391b93eb12',
        has_assistant_md: true,
        has_agents_md: false,
        skills_count: 3,
        commands_count: 5,
        readiness_level: 'L2',
        readiness_pct: 54.5,
        readiness_pillars: { tests: { passed: 6, total: 11 } },
        readiness_rubric_version: '2.1',
      },
      contributions: [{ member: 'ada', commits: 40, agent_commits: 12 }],
      issues: [{ number: 12, title: 'Sensors drop out', state: 'open' }],
    },
  },
  answer: {
    description: 'The scan is stored.',
    content: {
      mediaType: 'application/json',
      schema: scanAnswer,
      example: {
        status: 'ok',
        codebase_id: '019a9f0e-7d51-7c3a-9a51-6b0c4b8f2d13',
        metrics_id: '019a9f0e-7d51-7c3a-9a51-6b0c4b8f2d14',
        contributions: 1,
        issues: 1,
      },
    },
  },
  problems: [],
};

export const codebaseOperations = { pushScan };
