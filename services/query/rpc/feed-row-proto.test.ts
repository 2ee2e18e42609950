import { create } from '@bufbuild/protobuf';
import { Tier } from '@teammemory/proto/common/v1/tier_pb.ts';
import { FeedEntrySchema } from '@teammemory/proto/content/v1/content_pb.ts';
import { expect, test } from 'vitest';
import { documentKey } from '../domain/passages/passage.ts';
import { feedDecisionFromProto, feedTaskFromProto } from './content-feeds-proto.ts';

function entry(row: unknown, changed: object = {}) {
  const rowJson = new TextEncoder().encode(JSON.stringify(row));
  return create(FeedEntrySchema, { seq: 7n, rowId: 'id', tier: Tier.EXTERNAL, rowJson, ...changed });
}

const updated_at = '2026-11-02T23:59:59.999Z';
const task = {
  task_id: 'id',
  title: 'Mow',
  status: 'open',
  owner: 'ada',
  due: '2026-12-01',
  project: 'web',
  tags: ['a'],
  tier: 'external',
  source: { row_key: 'a.md', line: 3, heading: 'May' },
  updated_at,
};
const decision = {
  decision_id: 'id',
  title: 'Paint',
  body: '# Why',
  status: 'accepted',
  audience: 'external',
  project: null,
  decided_on: null,
  updated_at,
  updated_by: 'ada',
};
const state = { seq: 7, id: 'id', tier: 'external', isGone: false, updatedOn: '2026-11-02' };

test('a task comes from its public JSON', () => {
  const shown = {
    title: 'Mow',
    status: 'open',
    owner: 'ada',
    due: '2026-12-01',
    project: 'web',
    tags: ['a'],
  };
  const source = { key: 'a.md', heading: 'May' };
  expect(feedTaskFromProto(entry(task))).toEqual({ ...state, ...shown, source });
});

test('a task may say next to nothing, and stand in a decision', () => {
  const source = { row_key: 'decisions/d1', line: 1, heading: null, decision_id: 'd1' };
  const bare = { ...task, owner: null, due: null, project: null, tags: [], source };
  expect(feedTaskFromProto(entry(bare))).toMatchObject({
    owner: '',
    due: '',
    project: '',
    tags: [],
    source: { key: documentKey('decision', 'd1'), heading: '' },
  });
});

test('a decision comes from its public JSON, with its writer where the feed knows them', () => {
  const shown = { title: 'Paint', body: '# Why', status: 'accepted', project: '', decidedOn: '' };
  expect(feedDecisionFromProto(entry(decision))).toEqual({ ...state, ...shown });
  const known = { ...decision, project: 'web', decided_on: '2026-05-01' };
  expect(feedDecisionFromProto(entry(known, { writerId: 'id-of-ada' }))).toMatchObject({
    project: 'web',
    decidedOn: '2026-05-01',
    writerId: 'id-of-ada',
  });
});

test('a removed row says no more than that', () => {
  const gone = create(FeedEntrySchema, { seq: 7n, rowId: 'id', tier: Tier.EXTERNAL, deleted: true });
  const expected = { seq: 7, id: 'id', tier: 'external', isGone: true };
  expect(feedTaskFromProto(gone)).toEqual(expected);
  expect(feedDecisionFromProto(gone)).toEqual(expected);
});

test.for([
  null,
  [],
  {},
  { ...task, title: 1 },
  { ...task, source: null },
  { ...task, source: { row_key: 5 } },
  { ...task, tags: [{}] },
])('a task %j is refused', (row) => {
  expect(() => feedTaskFromProto(entry(row))).toThrowError(expect.objectContaining({ code: 'internal' }));
});

test.for([null, {}, { ...decision, body: null }, { ...decision, updated_at: 5 }])(
  'a decision %j is refused',
  (row) => {
    expect(() => feedDecisionFromProto(entry(row))).toThrowError(
      expect.objectContaining({ code: 'internal' }),
    );
  },
);
