import { randomUUIDv7 } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { AppError } from '@teammemory/errors/app-error.ts';
import { dayOf } from './calendar.ts';
import { type ExplainedPlacement, explainedPlacement, type Placement } from './placement.ts';
import { currentRubric, rubricOf } from './rubric.ts';
import { checkedProvisional } from './snapshot-rules.ts';
import type { Snapshot, SnapshotDraft, SnapshotKey, SnapshotStore } from './snapshots.ts';

/** A member as analytics needs to know it. */
export interface KnownMember {
  memberId: string;
  /** Whether the member administers the team. */
  isAdministrator: boolean;
}

/** The members of a team, as the auth service knows them. */
export interface MemberDirectory {
  /**
   * The member with this handle, in any case. Throws AppError `unknown_member`
   * where the team has none, `unavailable` if it cannot be asked.
   */
  find(teamId: string, handle: string): Promise<KnownMember>;
}

/** Snapshots of one member: a day each for 27 years. Every one is a row that stays. */
const maxSnapshotsOfMember = 10_000;
/** Those among them that others can fill in a member's name, so that the member's own always find room. */
const maxSnapshotsByOthers = 5_000;

export interface PushSnapshotDependencies {
  snapshots: SnapshotStore;
  members: MemberDirectory;
  /** Milliseconds since the epoch. */
  clock: () => number;
}

/** The result of a push of a snapshot. */
export interface PushedSnapshot {
  snapshotId: string;
  memberId: string;
  canonical: Placement;
}

/** The caller who pushes. The snapshot is the caller's unless it names a member. */
export interface Pusher {
  teamId: string;
  memberId: string;
  memberHandle: string;
}

/**
 * Checks a snapshot and places its member, and stores nothing.
 * @throws AppError `invalid_request`, `unknown_member`, `unavailable`.
 */
export async function placeSnapshot(
  { members, clock }: Pick<PushSnapshotDependencies, 'members' | 'clock'>,
  { teamId, memberId }: Pick<Pusher, 'teamId' | 'memberId'>,
  draft: SnapshotDraft,
): Promise<Omit<Snapshot, 'revision'>> {
  const { member, ...measured } = draft;
  const provisional = checkedProvisional(draft, dayOf(clock()));
  return {
    ...measured,
    id: randomUUIDv7(),
    memberId: member === '' ? memberId : (await members.find(teamId, member)).memberId,
    provisional,
    canonical: explainedPlacement(currentRubric, measured).placement,
    version: currentRubric.version,
  };
}

/**
 * Stores a snapshot in the place of the one of the same member, day and metric.
 * It enters rollups where its own member or an administrator pushed it: others
 * would make up members beside which the rest can be told (docs/contract.md, "Metrics").
 * @throws AppError as `placeSnapshot`.
 */
export async function pushSnapshot(
  dependencies: PushSnapshotDependencies,
  pusher: Pusher,
  draft: SnapshotDraft,
): Promise<PushedSnapshot> {
  const { snapshots, members, clock } = dependencies;
  const { teamId, memberHandle } = pusher;
  const snapshot = await placeSnapshot(dependencies, pusher, draft);
  const { memberId, canonical } = snapshot;
  const counts = memberId === pusher.memberId || (await members.find(teamId, memberHandle)).isAdministrator;
  const maxOfMember = counts ? maxSnapshotsOfMember : maxSnapshotsByOthers;
  const snapshotId = await snapshots.put(teamId, snapshot, { at: clock(), counts, maxOfMember });
  if (snapshotId === undefined) throw tooMany();
  return { snapshotId, memberId, canonical };
}

/**
 * Stores a snapshot that another installation or team had. `counts` says whether it entered rollups there.
 * @throws AppError as `placeSnapshot`.
 */
export async function importSnapshot(
  dependencies: PushSnapshotDependencies,
  teamId: string,
  draft: SnapshotDraft,
  { counts }: { counts: boolean },
): Promise<void> {
  const snapshot = await placeSnapshot(dependencies, { teamId, memberId: '' }, draft);
  const maxOfMember = counts ? maxSnapshotsOfMember : maxSnapshotsByOthers;
  const how = { at: dependencies.clock(), counts, maxOfMember };
  if ((await dependencies.snapshots.put(teamId, snapshot, how)) === undefined) throw tooMany();
}

function tooMany(): AppError {
  const detail = 'is one day too many: the member has snapshots of as many days as are kept';
  return new AppError('invalid_request', 'The member has too many snapshots.', {
    violations: [{ pointer: '/date', detail }],
  });
}

/** A stored snapshot with what its placement is made of. */
export interface ExplainedSnapshot {
  snapshot: Snapshot;
  explanation: ExplainedPlacement;
  /** Whether the figures of this very snapshot enter rollups. */
  counts: boolean;
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
  const explanation = explainedPlacement(rubricOf(snapshot.version), snapshot);
  return { snapshot, explanation, counts: await countsInRollups(snapshots, teamId, snapshot) };
}

/** What counts of one day is read in pages of this many members. */
const pageOfDay = 500;

async function countsInRollups(store: SnapshotStore, teamId: string, snapshot: Snapshot): Promise<boolean> {
  const { id, metric, date, sessions, tasks, signals } = snapshot;
  for (let after = { date, id: '' }; ; ) {
    const days = await store.counted(teamId, { metric, to: date, after, limit: pageOfDay });
    const own = days.find((day) => day.id === id);
    if (own !== undefined) return isDeepStrictEqual(own.measured, { sessions, tasks, signals });
    const last = days.at(-1);
    if (last === undefined || days.length < pageOfDay) return false;
    after = last;
  }
}
