import { create, type MessageInitShape } from '@bufbuild/protobuf';
import {
  type PushSnapshotRequestSchema,
  type TeamPlacement,
  TeamPlacementSchema,
} from '@teammemory/proto/analytics/v1/analytics_pb.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { validate } from '../contract/validate.ts';
import { jsonAnswer } from '../feed/row.ts';
import { writeWithinLimit } from '../rate-limit/http-limits.ts';
import type { RouteDependencies } from '../route-dependencies.ts';
import { type RollupAnswer, rollupParameters, type SnapshotBody, snapshotBody } from './contract.ts';

/** POST /api/v1/metrics: stores a snapshot and replaces an earlier one of the same member, day and metric. */
export function pushSnapshot({ clients, snapshots }: RouteDependencies) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const { caller } = request;
    const snapshot = snapshotToProto(validate(snapshotBody, request.body));
    const options = await clients.unary('analytics', { caller, requestId: request.id });
    const stored = await writeWithinLimit(
      { limiter: snapshots, policy: 'snapshots', key: caller.keyId, reply },
      (validateOnly) => clients.analytics.pushSnapshot({ ...snapshot, validateOnly }, options),
    );
    return {
      status: 'ok',
      snapshot_id: stored.snapshotId,
      member_id: stored.memberId,
      canonical: { spine: stored.canonical?.spine, axes: stored.canonical?.axes },
    };
  };
}

/** GET /api/v1/rollup: how the members of the team are placed, now and in each week. */
export function getRollup({ clients, answers }: RouteDependencies) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const { weeks = 0 } = validate(rollupParameters, request.query);
    const options = await clients.unary('analytics', { caller: request.caller, requestId: request.id });
    const page = await answers.make(request, async () => {
      const { from, to, rubricVersion, current, trend } = await clients.analytics.getRollup(
        { weeks },
        options,
      );
      return jsonAnswer<RollupAnswer>({
        from,
        to,
        rubric_version: rubricVersion,
        current: teamPlacementFromProto(current),
        trend: trend.map(({ week, placement }) => ({ week, ...teamPlacementFromProto(placement) })),
      });
    });
    return answers.send(request, reply, page);
  };
}

/** A placement that is missing shows nothing. */
function teamPlacementFromProto(placement: TeamPlacement | undefined): RollupAnswer['current'] {
  const { members, withheld, spines, medianAxes } =
    placement ?? create(TeamPlacementSchema, { withheld: true });
  return {
    members,
    withheld,
    spines: withheld ? null : spines,
    median_axes: withheld ? null : medianAxes,
  };
}

function snapshotToProto({ signals, provisional, ...snapshot }: SnapshotBody) {
  return {
    member: snapshot.member ?? '',
    metric: snapshot.metric,
    date: snapshot.date,
    windowDays: snapshot.window_days,
    sessions: snapshot.sessions,
    tasks: snapshot.tasks,
    signals: {
      delegationRatio: signals.delegation_ratio,
      correctionLoopAvg: signals.correction_loop_avg,
      errorRate: signals.error_rate,
      costPerTask: signals.cost_per_task,
      tokensPerTask: signals.tokens_per_task,
      cacheHitRate: signals.cache_hit_rate,
      toolDiversity: signals.tool_diversity,
      verifyToolRate: signals.verify_tool_rate,
      subagentUsage: signals.subagent_usage,
    },
    ...(provisional === undefined ? {} : { provisional: provisionalToProto(provisional) }),
  } satisfies MessageInitShape<typeof PushSnapshotRequestSchema>;
}

function provisionalToProto({ spine, axes }: NonNullable<SnapshotBody['provisional']>) {
  // An axis that was not sent is absent here, never undefined.
  return { spine: spine ?? '', axes: { ...axes } as Record<string, number> };
}
