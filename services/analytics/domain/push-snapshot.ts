import { randomUUIDv7 } from 'node:crypto';
import type { MemberDirectory } from './member-directory.ts';
import { explainedPlacement, type Placement } from './placement.ts';
import { currentRubric } from './rubric.ts';
import type { Snapshot, SnapshotDraft } from './snapshot.ts';
import { checkedProvisional } from './snapshot-rules.ts';
import type { SnapshotStore } from './snapshot-store.ts';

export interface PushSnapshotDependencies {
  snapshots: SnapshotStore;
  members: MemberDirectory;
  /** Milliseconds since the epoch. */
  clock: () => number;
}

/** What became of a snapshot. */
export interface PushedSnapshot {
  snapshotId: string;
  memberId: string;
  canonical: Placement;
}

/** Who pushes: whose snapshot it is unless it names a member. */
export interface Pusher {
  teamId: string;
  memberId: string;
}

/**
 * Checks a snapshot and places its member, and stores nothing.
 * @throws AppError `invalid_request`, `unknown_member`, `unavailable`.
 */
export async function placeSnapshot(
  { members }: Pick<PushSnapshotDependencies, 'members'>,
  { teamId, memberId }: Pusher,
  draft: SnapshotDraft,
): Promise<Omit<Snapshot, 'revision'>> {
  const { member, ...measured } = draft;
  const provisional = checkedProvisional(draft);
  return {
    ...measured,
    id: randomUUIDv7(),
    memberId: member === '' ? memberId : await members.idOf(teamId, member),
    provisional,
    canonical: explainedPlacement(currentRubric, measured).placement,
    version: currentRubric.version,
  };
}

/**
 * Stores a snapshot in the place of the one of the same member, day and metric.
 * @throws AppError as `placeSnapshot`.
 */
export async function pushSnapshot(
  dependencies: PushSnapshotDependencies,
  pusher: Pusher,
  draft: SnapshotDraft,
): Promise<PushedSnapshot> {
  const snapshot = await placeSnapshot(dependencies, pusher, draft);
  const snapshotId = await dependencies.snapshots.put(pusher.teamId, snapshot, dependencies.clock());
  return { snapshotId, memberId: snapshot.memberId, canonical: snapshot.canonical };
}
