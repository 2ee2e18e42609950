import { create } from '@bufbuild/protobuf';
import {
  ExplainScanResponseSchema,
  PushScanRequestSchema,
} from '@teammemory/proto/analytics/v1/analytics_pb.ts';
import { expect, test } from 'vitest';
import { agenticScore } from '../domain/agentic-score.ts';
import { pillars, scanDraft, scanMetrics } from '../domain/scan.fixture.ts';
import { explainedScanToProto, scanDraftFromProto } from './scan-proto.ts';

test('a scan comes back from what is shown of it as it went', () => {
  const metrics = scanMetrics({
    hasAgentsMd: true,
    readinessPillars: pillars({ docs: [1, 2], tests: [0, 0] }),
  });
  const { codebase, contributions, issues } = scanDraft();
  const scan = {
    ...{ id: 's1', codebaseId: 'c1', version: 1, revision: 4, agenticScore: 36.5 },
    ...{ metrics, contributions, issues },
  };
  const score = agenticScore(1, metrics);
  const shown = create(ExplainScanResponseSchema, explainedScanToProto({ codebase, scan, score }));
  expect(shown).toMatchObject({ metricsId: 's1', agenticScore: 36.5, scoreVersion: 1, parts: score.parts });
  const { $typeName, ...sent } = shown;
  expect(scanDraftFromProto(create(PushScanRequestSchema, sent))).toEqual({
    codebase,
    metrics,
    contributions,
    issues,
  });
});

test('parts that are missing become empty', () => {
  const metrics = scanMetrics({ headSha: '', readinessRubricVersion: '' });
  expect(scanDraftFromProto(create(PushScanRequestSchema))).toEqual({
    codebase: { slug: '', fullName: '', provider: '' },
    metrics: { ...metrics, readinessLevel: '' },
    contributions: [],
    issues: [],
  });
});
