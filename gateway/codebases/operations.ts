import type { Operation } from '../contract/operation.ts';
import { problems } from '../contract/problem.ts';
import { listParameters } from '../feed/contract.ts';
import { codebasePage, codebaseSegment, describedScanBody, scanAnswer, scanPage } from './contract.ts';

const exampleScan = {
  head_sha: '2fd4e1c67a2d28fced849ee1bb76e7391b93eb12',
  readiness_level: 'L2',
  readiness_pct: 54.5,
  readiness_pillars: { tests: { passed: 6, total: 11 } },
  agentic_score: 64.5,
  failed_checks: ['tests-in-ci'],
  pushed_at: '2026-11-21T06:27:00.123Z',
};

const pushScan: Operation = {
  method: 'POST',
  path: '/api/v1/codebases',
  tag: 'Analytics',
  summary: 'Push a codebase scan',
  description:
    'Stores a scan and replaces an earlier one of the same codebase and commit. The score of the client is stored as given; the service computes its own and returns it with its parts.',
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
        findings: [{ check: 'tests-in-ci', status: 'fail', path: '.github/workflows/ci.yml', line: 7 }],
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
        agentic_score: 64.5,
        score_parts: [
          { name: 'instruction_files', points: 14, max_points: 20 },
          { name: 'skills', points: 15, max_points: 15 },
          { name: 'commands', points: 5, max_points: 5 },
          { name: 'readiness', points: 24.545454545454543, max_points: 45 },
          { name: 'level', points: 6, max_points: 15 },
        ],
      },
    },
  },
  problems: [],
};

const listCodebases: Operation = {
  method: 'GET',
  path: '/api/v1/codebases',
  tag: 'Analytics',
  summary: 'List the codebases of the team',
  description: 'Returns one page of the codebases by slug, each with its newest scan.',
  access: 'team key',
  query: listParameters,
  answer: {
    description: 'A page, sorted by slug.',
    content: {
      mediaType: 'application/json',
      schema: codebasePage,
      example: {
        codebases: [
          { slug: 'rivers', full_name: 'acme/rivers', provider: 'github', newest_scan: exampleScan },
        ],
        next_cursor: null,
        has_more: false,
      },
    },
  },
  problems: [problems.invalid_cursor],
};

const listScans: Operation = {
  method: 'GET',
  path: '/api/v1/codebases/{slug}/scans',
  tag: 'Analytics',
  summary: 'List the scans of a codebase',
  description: 'Returns one page of the scans of a codebase. A codebase that the team does not have is 404.',
  access: 'team key',
  pathParameters: [codebaseSegment],
  query: listParameters,
  answer: {
    description: 'A page, the commit that came last first.',
    content: {
      mediaType: 'application/json',
      schema: scanPage,
      example: { scans: [exampleScan], next_cursor: null, has_more: false },
    },
  },
  problems: [problems.not_found, problems.invalid_cursor],
};

export const codebaseOperations = { pushScan, listCodebases, listScans };
