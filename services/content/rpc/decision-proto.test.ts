import { create } from '@bufbuild/protobuf';
import { Tier } from '@teammemory/proto/common/v1/tier_pb.ts';
import {
  DecisionSchema,
  DecisionStatus,
  EditDecisionRequestSchema,
} from '@teammemory/proto/content/v1/content_pb.ts';
import { describe, expect, test } from 'vitest';
import type { Decision } from '../domain/decisions/decision.ts';
import { decisionEditFromProto, decisionFieldsFromProto, decisionToProto } from './decision-proto.ts';

const decision: Decision = {
  decisionId: 'id',
  title: 'Use SQLite',
  body: 'a',
  status: 'superseded',
  audience: 'external',
  project: 'web',
  decidedOn: '2026-01-31',
  hidden: true,
  updatedAtMs: 1_234,
  updatedBy: 'administrator',
};

test('a decision comes back from protobuf as it was', () => {
  const { decisionId: _, updatedAtMs, updatedBy, ...fields } = decision;
  expect(decisionFieldsFromProto(create(DecisionSchema, decisionToProto(decision)))).toEqual(fields);
  const unset = { ...fields, project: null, decidedOn: null };
  const message = decisionToProto({ ...decision, ...unset });
  expect(decisionFieldsFromProto(create(DecisionSchema, message))).toEqual(unset);
});

test('a decision without a status is proposed; without an audience it is refused', () => {
  const audience = Tier.TEAM;
  expect(decisionFieldsFromProto(create(DecisionSchema, { audience })).status).toBe('proposed');
  for (const without of [
    undefined,
    create(DecisionSchema),
    create(DecisionSchema, { audience: 9 as Tier }),
  ]) {
    expect(() => decisionFieldsFromProto(without)).toThrow(
      expect.objectContaining({ code: 'invalid_request' }),
    );
  }
});

describe('an edit', () => {
  test('changes what is set and nothing else', () => {
    const request = create(EditDecisionRequestSchema, { decisionId: 'id', project: '', hidden: false });
    expect(decisionEditFromProto(request)).toEqual({
      decisionId: 'id',
      baseUpdatedAtMs: undefined,
      changed: { project: null, hidden: false },
    });
  });

  test('has its base to the millisecond', () => {
    const baseUpdatedAt = { seconds: 1n, nanos: 234_999_999 };
    const request = create(EditDecisionRequestSchema, { baseUpdatedAt, status: DecisionStatus.ACCEPTED });
    expect(decisionEditFromProto(request)).toMatchObject({
      baseUpdatedAtMs: 1_234,
      changed: { status: 'accepted' },
    });
  });

  test('to a status that is not known is refused', () => {
    const request = create(EditDecisionRequestSchema, { status: 9 as DecisionStatus });
    expect(() => decisionEditFromProto(request)).toThrow(
      expect.objectContaining({ code: 'invalid_request' }),
    );
  });
});
