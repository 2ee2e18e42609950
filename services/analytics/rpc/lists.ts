import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import type { ServiceImpl } from '@connectrpc/connect';
import { AppError } from '@teammemory/errors/app-error.ts';
import type { AnalyticsService, ScanSummarySchema } from '@teammemory/proto/analytics/v1/analytics_pb.ts';
import { pageSizeFromProto } from '@teammemory/rpc/request-fields.ts';
import { isCalendarDay, isSlug } from '@teammemory/vocabulary/formats.ts';
import type { CodebaseStore } from '../domain/codebases.ts';
import { type ListPage, listCodebases, listScans, listSnapshots, pageSizes } from '../domain/lists.ts';
import type { MemberDirectory } from '../domain/push-snapshot.ts';
import type { ListedScan, ScanStore } from '../domain/scans.ts';
import type { SnapshotStore } from '../domain/snapshots.ts';
import { teamOf } from './callers.ts';
import { subjectOf } from './snapshots.ts';
import { placementToProto } from './snapshots-proto.ts';

type Handlers = ServiceImpl<typeof AnalyticsService>;

interface Dependencies {
  codebases: CodebaseStore;
  scans: ScanStore;
  snapshots: SnapshotStore;
  members: MemberDirectory;
}

/** Handles `ListCodebases`. */
export function listCodebasesHandler({ codebases: store, scans }: Dependencies): Handlers['listCodebases'] {
  return async (request, context) => {
    const teamId = teamOf(context, request.teamId);
    const { rows, next } = await listCodebases(
      { codebases: store, scans },
      teamId,
      pageFromProto(request, isSlug),
    );
    const codebases = rows.map(({ codebase: { slug, fullName, provider }, newestScan }) => ({
      codebase: { slug, fullName, provider },
      ...(newestScan && { newestScan: scanSummaryToProto(newestScan) }),
    }));
    return { codebases, nextPageToken: tokenOf(next) };
  };
}

/** Handles `ListScans`. */
export function listScansHandler({ codebases, scans }: Dependencies): Handlers['listScans'] {
  return async (request, context) => {
    const teamId = teamOf(context, request.teamId);
    const page = pageFromProto(request, isUuid);
    const { rows, next } = await listScans({ codebases, scans }, teamId, request.codebaseSlug, page);
    return { scans: rows.map(scanSummaryToProto), nextPageToken: tokenOf(next) };
  };
}

/** Handles `ListSnapshots`: for members only their own, because rollups hide the figures of single members. */
export function listSnapshotsHandler({ snapshots: store, members }: Dependencies): Handlers['listSnapshots'] {
  return async (request, context) => {
    // What a member names is ignored.
    const named = { teamId: request.teamId, member: request.teamId === '' ? '' : request.member };
    const subject = await subjectOf(members, named, context);
    const { rows, next } = await listSnapshots(
      { snapshots: store },
      subject,
      pageFromProto(request, isCalendarDay),
    );
    const snapshots = rows.map(({ date, metric, canonical }) => ({
      date,
      metric,
      canonical: placementToProto(canonical),
    }));
    return { snapshots, nextPageToken: tokenOf(next) };
  };
}

function scanSummaryToProto({
  metrics,
  agenticScore,
  createdAt,
}: ListedScan): MessageInitShape<typeof ScanSummarySchema> {
  const { headSha, readinessLevel, readinessPct, readinessPillars, findings = [] } = metrics;
  const failed = findings.filter(({ status }) => status === 'fail').map(({ check }) => check);
  const pillars = readinessPillars.map(({ name, passed, total }) => [name, { passed, total }]);
  return {
    headSha,
    readinessLevel,
    readinessPct,
    agenticScore,
    failedChecks: [...new Set(failed)],
    pushedAt: timestampFromMs(createdAt),
    readinessPillars: Object.fromEntries(pillars),
  };
}

const maxTokenCharacters = 200;
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const isUuid = (text: string) => uuid.test(text);

/** A token is where the next page begins, in base64url: opaque to callers, and checked for its form. */
function tokenOf(position: string): string {
  return Buffer.from(position).toString('base64url');
}

function pageFromProto(
  request: { pageSize: number; pageToken: string },
  isPosition: (text: string) => boolean,
): ListPage {
  const { pageToken } = request;
  const pageSize = pageSizeFromProto(request.pageSize, pageSizes.maximum);
  if (pageToken === '') return { pageSize, after: '' };
  const after = pageToken.length > maxTokenCharacters ? '' : Buffer.from(pageToken, 'base64url').toString();
  if (isPosition(after)) return { pageSize, after };
  throw new AppError('invalid_cursor', 'The page token was not issued for this list.', {
    violations: [{ pointer: '/cursor', detail: 'must be the next_cursor of the page before' }],
  });
}
