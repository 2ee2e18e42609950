import { AppError } from '@teammemory/errors/app-error.ts';
import { type ExplainedPlacement, explainedPlacement } from './placement.ts';
import { rubricOf } from './rubric.ts';
import type { Snapshot, SnapshotKey } from './snapshot.ts';
import type { SnapshotStore } from './snapshot-store.ts';

/** A stored snapshot with what its placement is made of. */
export interface ExplainedSnapshot {
  snapshot: Snapshot;
  explanation: ExplainedPlacement;
}

/**
 * Finds a snapshot and explains its placement by the rubric that made it.
 * @throws AppError `not_found`, `unavailable`.
 */
export async function explainSnapshot(
  { snapshots }: { snapshots: SnapshotStore },
  teamId: string,
  key: SnapshotKey,
): Promise<ExplainedSnapshot> {
  const snapshot = await snapshots.find(teamId, key);
  if (snapshot === undefined) throw new AppError('not_found', 'There is no such snapshot.');
  return { snapshot, explanation: explainedPlacement(rubricOf(snapshot.version), snapshot) };
}
