import { create } from '@bufbuild/protobuf';
import {
  ExplainSnapshotResponseSchema,
  PushSnapshotRequestSchema,
  SignalsSchema,
  TeamPlacementSchema,
} from '@teammemory/proto/analytics/v1/analytics_pb.ts';
import { expect, test } from 'vitest';
import { contributionOf } from '../domain/disclosure.ts';
import { keptSnapshot, snapshotDraft } from '../domain/domain.fixture.ts';
import { explainedPlacement } from '../domain/placement.ts';
import { amountNames, currentRubric, ratioNames } from '../domain/rubric.ts';
import { type TeamPlacement, teamPlacement } from '../domain/team-placement.ts';
import {
  explainedSnapshotToProto,
  rollupToProto,
  signalsFromProto,
  signalsToProto,
  snapshotDraftFromProto,
  teamPlacementToProto,
} from './snapshots-proto.ts';

test('every signal of the message has its field in the domain, and comes back as it went', () => {
  const names = SignalsSchema.fields.map(({ name }) => name);
  expect([...ratioNames, ...amountNames].toSorted()).toEqual(names.toSorted());
  const signals = Object.fromEntries(names.map((name, index) => [name, index]));
  expect(signalsFromProto(create(SignalsSchema, signalsToProto(signals)))).toEqual(signals);
});

test('a signal of 0 is measured, one that is unset is not', () => {
  expect(signalsFromProto(create(SignalsSchema, { errorRate: 0 }))).toEqual({ error_rate: 0 });
  expect(signalsFromProto(create(SignalsSchema))).toEqual({});
  expect(signalsFromProto(undefined)).toEqual({});
});

test('a snapshot arrives as it was sent', () => {
  const { member, metric, date, windowDays, sessions, tasks } = snapshotDraft({ member: 'bob' });
  const sent = { member, metric, date, windowDays, sessions, tasks };
  const signals = { toolDiversity: 7, errorRate: 0.02 };
  const provisional = { spine: 'L3', axes: { autonomy: 1.5 } };
  expect(
    snapshotDraftFromProto(create(PushSnapshotRequestSchema, { ...sent, signals, provisional })),
  ).toEqual(snapshotDraft({ member, provisional }));
  expect(snapshotDraftFromProto(create(PushSnapshotRequestSchema, { ...sent, signals }))).toEqual(
    snapshotDraft({ member }),
  );
});

test('an explanation shows what was measured, how it was rated and what the client claimed', () => {
  const provisional = { spine: undefined, axes: { learning: 3 } };
  const snapshot = { ...keptSnapshot({ provisional }), revision: 1 };
  const explanation = explainedPlacement(currentRubric, snapshot);
  const shown = create(
    ExplainSnapshotResponseSchema,
    explainedSnapshotToProto({ snapshot, explanation, counts: true }),
  );
  expect(shown).toMatchObject({
    snapshotId: snapshot.id,
    memberId: 'member-1',
    windowDays: 7,
    sessions: 12,
    tasks: 30,
    signals: { toolDiversity: 7, errorRate: 0.02 },
    provisional: { spine: '', axes: { learning: 3 } },
    canonical: snapshot.canonical,
    rubricVersion: 1,
    counts: true,
  });
  expect(shown.axes.map(({ axis, value }) => [axis, value])).toEqual(Object.entries(snapshot.canonical.axes));
  expect(shown.conditions).toHaveLength(10);
});

const { canonical } = keptSnapshot();

async function placementOf(members: number): Promise<TeamPlacement> {
  const added = Array.from({ length: members }, (_, n) => [`m${n}`, contributionOf(canonical)] as const);
  return (await teamPlacement([], new Map(added))).placement;
}

test('a placement that is withheld says so and has no figure', async () => {
  const shown = create(TeamPlacementSchema, teamPlacementToProto(await placementOf(2)));
  expect(shown).toMatchObject({ members: 2, withheld: true, spines: {}, medianAxes: {} });
});

test('a rollup shows every week with its figures', async () => {
  const placement = await placementOf(3);
  const [from, to, rubricVersion] = ['2026-11-16', '2026-11-22', 1];
  const trend = [{ week: from, placement }];
  const figures = {
    members: 3,
    spines: { L0: 0, L1: 0, L2: 3, L3: 0, L4: 0, L5: 0 },
    medianAxes: canonical.axes,
  };
  expect(rollupToProto({ from, to, rubricVersion, current: placement, trend })).toEqual({
    from,
    to,
    rubricVersion,
    current: figures,
    trend: [{ week: from, placement: figures }],
  });
});
