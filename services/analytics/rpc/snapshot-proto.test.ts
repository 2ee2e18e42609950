import { create } from '@bufbuild/protobuf';
import {
  ExplainSnapshotResponseSchema,
  PushSnapshotRequestSchema,
} from '@teammemory/proto/analytics/v1/analytics_pb.ts';
import { expect, test } from 'vitest';
import { explainedPlacement } from '../domain/placement.ts';
import { currentRubric } from '../domain/rubric.ts';
import { keptSnapshot, snapshotDraft } from '../domain/snapshot.fixture.ts';
import { explainedSnapshotToProto, snapshotDraftFromProto } from './snapshot-proto.ts';

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
  const shown = create(ExplainSnapshotResponseSchema, explainedSnapshotToProto({ snapshot, explanation }));
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
  });
  expect(shown.axes.map(({ axis, value }) => [axis, value])).toEqual(Object.entries(snapshot.canonical.axes));
  expect(shown.conditions).toHaveLength(10);
});
