import type { MessageInitShape } from '@bufbuild/protobuf';
import type { PushScanRequestSchema } from '@teammemory/proto/analytics/v1/analytics_pb.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { validate, validateRows } from '../contract/validate.ts';
import { writeWithinLimit } from '../rate-limit/http-limits.ts';
import type { RouteDependencies } from '../route-dependencies.ts';
import { contribution, issue, type ScanAnswer, type ScanBody, scanBody } from './contract.ts';

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
    };
    return answer;
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
    },
    contributions: contributions.map(({ member, commits, agent_commits }) => {
      return { member, commits, agentCommits: agent_commits };
    }),
    issues: issues.map(({ number, title, state }) => ({ number: BigInt(number), title, state })),
  } satisfies MessageInitShape<typeof PushScanRequestSchema>;
}
