import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromMs, timestampMs } from '@bufbuild/protobuf/wkt';
import type { PushScanRequestSchema, ScanSummary } from '@teammemory/proto/analytics/v1/analytics_pb.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { validate, validateRows } from '../contract/validate.ts';
import { listParameters } from '../feed/contract.ts';
import { jsonAnswer } from '../feed/row.ts';
import { writeWithinLimit } from '../rate-limit/http-limits.ts';
import type { RouteDependencies } from '../route-dependencies.ts';
import {
  type CodebasePage,
  contribution,
  issue,
  type ScanAnswer,
  type ScanBody,
  type ScanPage,
  scanBody,
} from './contract.ts';

/** POST /api/v1/codebases: stores a scan and replaces an earlier one of the same codebase and commit. */
export function pushScan({ clients, scans }: RouteDependencies) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const { caller } = request;
    const scan = scanToProto(await checkedScan(request.body));
    const options = await clients.unary('analytics', { caller, requestId: request.id });
    const stored = await writeWithinLimit(
      { limiter: scans, policy: 'scans', key: caller.keyId, reply },
      (validateOnly) => clients.analytics.pushScan({ ...scan, validateOnly }, options),
    );
    const answer: ScanAnswer = {
      status: 'ok',
      codebase_id: stored.codebaseId,
      metrics_id: stored.metricsId,
      contributions: stored.contributions,
      issues: stored.issues,
      agentic_score: stored.agenticScore,
      score_parts: stored.parts.map(({ name, points, maxPoints }) => {
        return { name, points, max_points: maxPoints };
      }),
    };
    return answer;
  };
}

/** GET /api/v1/codebases: a page of the codebases of the team. */
export function listCodebases({ clients, answers }: RouteDependencies) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const { cursor = '', limit = 0 } = validate(listParameters, request.query);
    const options = await clients.unary('analytics', { caller: request.caller, requestId: request.id });
    const page = await answers.make(request, async () => {
      const listed = await clients.analytics.listCodebases({ pageSize: limit, pageToken: cursor }, options);
      return jsonAnswer<CodebasePage>({
        codebases: listed.codebases.map(({ codebase, newestScan }) => ({
          slug: codebase?.slug ?? '',
          full_name: codebase?.fullName ?? '',
          provider: codebase?.provider ?? '',
          newest_scan: newestScan === undefined ? null : scanSummaryFromProto(newestScan),
        })),
        ...endOf(listed),
      });
    });
    return answers.send(request, reply, page);
  };
}

/** GET /api/v1/codebases/{slug}/scans: a page of the scans of a codebase. */
export function listScans({ clients, answers }: RouteDependencies) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const { cursor = '', limit = 0 } = validate(listParameters, request.query);
    const { slug: codebaseSlug } = request.params as { slug: string };
    const options = await clients.unary('analytics', { caller: request.caller, requestId: request.id });
    const page = await answers.make(request, async () => {
      const wanted = { codebaseSlug, pageSize: limit, pageToken: cursor };
      const listed = await clients.analytics.listScans(wanted, options);
      return jsonAnswer<ScanPage>({ scans: listed.scans.map(scanSummaryFromProto), ...endOf(listed) });
    });
    return answers.send(request, reply, page);
  };
}

function endOf({ nextPageToken }: { nextPageToken: string }) {
  return { next_cursor: nextPageToken || null, has_more: nextPageToken !== '' };
}

function scanSummaryFromProto(scan: ScanSummary): ScanPage['scans'][number] {
  const pillars = Object.entries(scan.readinessPillars);
  return {
    head_sha: scan.headSha,
    readiness_level: scan.readinessLevel as ScanPage['scans'][number]['readiness_level'],
    readiness_pct: scan.readinessPct,
    readiness_pillars: Object.fromEntries(
      pillars.map(([name, { passed, total }]) => [name, { passed, total }]),
    ),
    agentic_score: scan.agenticScore,
    failed_checks: scan.failedChecks,
    pushed_at: new Date(timestampMs(scan.pushedAt ?? timestampFromMs(0))).toISOString(),
  };
}

async function checkedScan(body: unknown): Promise<ScanBody> {
  const { contributions, issues, ...head } = validate(scanBody, body);
  return {
    ...head,
    contributions: await validateRows({
      schema: contribution,
      values: contributions,
      pointer: '/contributions',
    }),
    issues: await validateRows({ schema: issue, values: issues, pointer: '/issues' }),
  };
}

function scanToProto({ codebase, metrics, contributions, issues }: ScanBody) {
  return {
    codebase: { slug: codebase.slug, fullName: codebase.full_name, provider: codebase.provider },
    metrics: {
      headSha: metrics.head_sha,
      hasAssistantMd: metrics.has_assistant_md,
      hasAgentsMd: metrics.has_agents_md,
      skillsCount: metrics.skills_count,
      commandsCount: metrics.commands_count,
      readinessLevel: metrics.readiness_level,
      readinessPct: metrics.readiness_pct,
      readinessPillars: metrics.readiness_pillars,
      readinessRubricVersion: metrics.readiness_rubric_version,
      findings: metrics.findings.map(({ check, status, workspace = '', path = '', line = 0 }) => {
        return { check, status, workspace, path, line };
      }),
    },
    contributions: contributions.map(({ member, commits, agent_commits }) => {
      return { member, commits, agentCommits: agent_commits };
    }),
    issues: issues.map(({ number, title, state }) => ({ number: BigInt(number), title, state })),
  } satisfies MessageInitShape<typeof PushScanRequestSchema>;
}
