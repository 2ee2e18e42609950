import { create } from '@bufbuild/protobuf';
import { CoverageReason, CoverageState, ItemCoverageSchema } from '@teammemory/proto/query/v1/query_pb.ts';
import { expect, test } from 'vitest';
import { coverageWords } from './coverage.ts';

const words = (coverage: Parameters<typeof create<typeof ItemCoverageSchema>>[1]) =>
  coverageWords(create(ItemCoverageSchema, coverage));

test('says of each state how much is found, and why not all of it', () => {
  expect(words({ state: CoverageState.INDEXED, passages: 1, searchablePassages: 1 })).toEqual({
    label: 'Searchable',
    tone: 'good',
    detail: 'Answers and search use all of it: 1 passage.',
  });
  const inPart = {
    state: CoverageState.IN_PART,
    passages: 12,
    searchablePassages: 8,
  };
  expect(words({ ...inPart, reason: CoverageReason.NO_MEMORY })).toMatchObject({
    label: 'Searchable in part',
    detail:
      '8 of 12 passages are found. The search index has no room left. An operator can raise INDEX_DISK_MB.',
  });
  expect(words({ state: CoverageState.NOT_INDEXED, reason: CoverageReason.NO_TEXT })).toMatchObject({
    label: 'Not searchable',
    detail: 'Answers and search do not find it. It has no text outside its front matter.',
  });
});
