import { create } from '@bufbuild/protobuf';
import {
  ExplainScanResponseSchema,
  PushScanRequestSchema,
} from '@teammemory/proto/analytics/v1/analytics_pb.ts';
import { expect, test } from 'vitest';
import { agenticScore } from '../domain/agentic-score.ts';
import { pillars, scanDraft, scanMetrics } from '../domain/domain.fixture.ts';
import {
  explainedScanToProto,
  rescoredPageToProto,
  rescorePageFromProto,
  scanDraftFromProto,
} from './scans-proto.ts';

test('a scan comes back from what is shown of it as it went', () => {
  const metrics = scanMetrics({
    hasAgentsMd: true,
    readinessPillars: pillars({ docs: [1, 2], tests: [0, 0] }),
  });
  const { codebase, contributions, issues } = scanDraft();
  const scan = {
    id: 's1',
    codebaseId: 'c1',
    version: 1,
    revision: 4,
    agenticScore: 36.5,
    metrics,
    contributions,
    issues,
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

const id = '01890000-0000-7000-8000-000000000001';

test('a page goes on where the one before it ended', () => {
  expect(rescorePageFromProto({ pageSize: 7, pageToken: '' })).toEqual({ pageSize: 7, after: undefined });
  const { nextPageToken: pageToken } = rescoredPageToProto({ rescored: 7, next: { version: 1, id } });
  expect(rescorePageFromProto({ pageSize: 0, pageToken })).toEqual({
    pageSize: 0,
    after: { version: 1, id },
  });
  expect(rescoredPageToProto({ rescored: 7, next: undefined })).toEqual({ rescored: 7, nextPageToken: '' });
});

test('a token that was never given is refused', () => {
  for (const pageToken of [
    '1',
    id,
    `-1.${id}`,
    `1.${id}.`,
    `1.${id}\n`,
    `${'9'.repeat(10)}.${id}`,
    '1.$ne',
  ]) {
    expect(() => rescorePageFromProto({ pageSize: 0, pageToken }), pageToken).toThrowError(
      expect.objectContaining({ code: 'invalid_cursor' }),
    );
  }
});
