import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ExplainSnapshotResponseSchema,
  PlacementSchema,
  PushSnapshotRequest,
} from '@teammemory/proto/analytics/v1/analytics_pb.ts';
import type { ExplainedSnapshot } from '../domain/explain-snapshot.ts';
import type { Placement } from '../domain/placement.ts';
import type { SnapshotDraft } from '../domain/snapshot.ts';
import { signalsFromProto, signalsToProto } from './signals-proto.ts';

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
  };
}
