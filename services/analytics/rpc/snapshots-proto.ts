import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ExplainSnapshotResponseSchema,
  GetRollupResponseSchema,
  PlacementSchema,
  Signals as ProtoSignals,
  PushSnapshotRequest,
  SignalsSchema,
  TeamPlacementSchema,
} from '@teammemory/proto/analytics/v1/analytics_pb.ts';
import type { Placement } from '../domain/placement.ts';
import type { ExplainedSnapshot } from '../domain/push-snapshot.ts';
import type { Rollup } from '../domain/rollup.ts';
import type { SignalName, Signals } from '../domain/rubric.ts';
import type { SnapshotDraft } from '../domain/snapshots.ts';
import type { TeamPlacement } from '../domain/team-placement.ts';

/** How generated code writes the name of each signal. */
const fields = {
  delegation_ratio: 'delegationRatio',
  correction_loop_avg: 'correctionLoopAvg',
  error_rate: 'errorRate',
  cost_per_task: 'costPerTask',
  tokens_per_task: 'tokensPerTask',
  cache_hit_rate: 'cacheHitRate',
  tool_diversity: 'toolDiversity',
  verify_tool_rate: 'verifyToolRate',
  subagent_usage: 'subagentUsage',
} as const satisfies Record<SignalName, keyof ProtoSignals>;

const pairs = Object.entries(fields) as [SignalName, (typeof fields)[SignalName]][];

/** The signals that were measured; none where the message is missing. */
export function signalsFromProto(message: ProtoSignals | undefined): Signals {
  const measured = pairs.filter(([, field]) => message?.[field] !== undefined);
  return Object.fromEntries(measured.map(([name, field]) => [name, message?.[field]]));
}

/** Maps signals to their message. */
export function signalsToProto(signals: Signals): MessageInitShape<typeof SignalsSchema> {
  return Object.fromEntries(pairs.map(([name, field]) => [field, signals[name]]));
}

/** A snapshot as sent. */
export function snapshotDraftFromProto(request: PushSnapshotRequest): SnapshotDraft {
  const { member, metric, date, windowDays, sessions, tasks, provisional } = request;
  return {
    member,
    metric,
    date,
    windowDays,
    sessions,
    tasks,
    signals: signalsFromProto(request.signals),
    provisional: provisional && { spine: provisional.spine, axes: provisional.axes },
  };
}

/** A placement of ours. */
export function placementToProto({ spine, axes }: Placement): MessageInitShape<typeof PlacementSchema> {
  return { spine, axes: { ...axes } };
}

/** A stored snapshot with what its placement is made of. */
export function explainedSnapshotToProto({
  snapshot,
  explanation,
  counts,
}: ExplainedSnapshot): MessageInitShape<typeof ExplainSnapshotResponseSchema> {
  const { id, memberId, windowDays, sessions, tasks, signals, provisional, canonical, version } = snapshot;
  return {
    snapshotId: id,
    memberId,
    windowDays,
    sessions,
    tasks,
    signals: signalsToProto(signals),
    provisional: provisional && { spine: provisional.spine ?? '', axes: { ...provisional.axes } },
    canonical: placementToProto(canonical),
    rubricVersion: version,
    axes: explanation.axes,
    conditions: explanation.conditions,
    counts,
  };
}

/** A team's rollup. */
export function rollupToProto(rollup: Rollup): MessageInitShape<typeof GetRollupResponseSchema> {
  return {
    from: rollup.from,
    to: rollup.to,
    rubricVersion: rollup.rubricVersion,
    current: teamPlacementToProto(rollup.current),
    trend: rollup.trend.map(({ week, placement }) => ({ week, placement: teamPlacementToProto(placement) })),
  };
}

/** A team's placement, or that it is withheld. */
export function teamPlacementToProto({
  members,
  figures,
}: TeamPlacement): MessageInitShape<typeof TeamPlacementSchema> {
  if (figures === undefined) return { members, withheld: true };
  return { members, spines: { ...figures.spines }, medianAxes: { ...figures.medianAxes } };
}
