import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { AppError } from '@teammemory/errors/app-error.ts';
import {
  CodebaseSchema,
  type ExplainScanResponseSchema,
  type PushScanRequest,
  ScanMetricsSchema,
} from '@teammemory/proto/analytics/v1/analytics_pb.ts';
import { pageSizeFromProto } from '@teammemory/rpc/request-fields.ts';
import type { ExplainedScan } from '../domain/push-scan.ts';
import { maxPageSize, type RescoredPage, type RescorePage } from '../domain/rescore.ts';
import type { ScanDraft, ScanMetrics } from '../domain/scans.ts';
import type { VersionPosition } from '../domain/scored-rows.ts';

/** A scan as sent; a part that is missing becomes empty, which no rule accepts. */
export function scanDraftFromProto(request: PushScanRequest): ScanDraft {
  const { slug, fullName, provider } = request.codebase ?? create(CodebaseSchema);
  return {
    codebase: { slug, fullName, provider },
    metrics: metricsFromProto(request.metrics),
    contributions: request.contributions.map(({ member, commits, agentCommits }) => {
      return { member, commits, agentCommits };
    }),
    // A number too large for a double becomes one that is too large for any rule.
    issues: request.issues.map(({ number, title, state }) => ({ number: Number(number), title, state })),
  };
}

/** A stored scan with what its score is made of. */
export function explainedScanToProto({
  codebase,
  scan,
  score,
}: ExplainedScan): MessageInitShape<typeof ExplainScanResponseSchema> {
  const { slug, fullName, provider } = codebase;
  return {
    metricsId: scan.id,
    codebase: { slug, fullName, provider },
    metrics: metricsToProto(scan.metrics),
    contributions: scan.contributions,
    issues: scan.issues.map(({ number, title, state }) => ({ number: BigInt(number), title, state })),
    agenticScore: scan.agenticScore,
    scoreVersion: scan.version,
    parts: score.parts,
    maxScore: score.maxScore,
  };
}

function metricsFromProto(message: PushScanRequest['metrics']): ScanDraft['metrics'] {
  const { $typeName, $unknown, readinessPillars, findings, ...metrics } =
    message ?? create(ScanMetricsSchema);
  return {
    ...metrics,
    ...(findings.length > 0 && {
      findings: findings.map(({ check, status, workspace, path, line }) => {
        return { check, status, workspace, path, line };
      }),
    }),
    readinessPillars: Object.entries(readinessPillars).map(([name, { passed, total }]) => {
      return { name, passed, total };
    }),
  };
}

function metricsToProto({ readinessPillars, ...metrics }: ScanMetrics) {
  const pillars = readinessPillars.map(({ name, passed, total }) => [name, { passed, total }]);
  return create(ScanMetricsSchema, { ...metrics, readinessPillars: Object.fromEntries(pillars) });
}

/** The form of page tokens: a cursor in a team's rows. It names nothing that an administrator may not see. */
const tokenPattern = /^(?<version>\d{1,9})\.(?<id>[0-9a-f-]{36})$/;

/**
 * Returns the page that a request asks for; '' is the beginning.
 * @throws AppError `invalid_cursor`.
 */
export function rescorePageFromProto(request: { pageSize: number; pageToken: string }): RescorePage {
  const { pageToken } = request;
  const pageSize = pageSizeFromProto(request.pageSize, maxPageSize);
  if (pageToken === '') return { pageSize, after: undefined };
  const { version, id } = tokenPattern.exec(pageToken)?.groups ?? {};
  if (version !== undefined && id !== undefined) return { pageSize, after: { version: Number(version), id } };
  throw new AppError('invalid_cursor', 'The page token was not issued for this list.');
}

/** Maps the result of a page to its message. */
export function rescoredPageToProto({ rescored, next }: RescoredPage) {
  return { rescored, nextPageToken: next === undefined ? '' : tokenOf(next) };
}

function tokenOf({ version, id }: VersionPosition): string {
  return `${version}.${id}`;
}
