import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { ExplainScanResponseSchema } from '@teammemory/proto/analytics/v1/analytics_pb.ts';
import { KeySchema } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { Access } from '@teammemory/proto/common/v1/access_pb.ts';
import { AuditEntrySchema } from '@teammemory/proto/common/v1/audit_pb.ts';
import { Tier } from '@teammemory/proto/common/v1/tier_pb.ts';
import { FeedEntrySchema, FeedList, WebhookSchema } from '@teammemory/proto/content/v1/content_pb.ts';
import { expect, it } from 'vitest';
import { enumNumber, fromRecord, toRecord } from './records.ts';

const time = '2026-11-24T08:00:00.000Z';

it('a record names its fields as the public API does and has every one of them', () => {
  const key = { keyId: 'k', tier: Tier.EXTERNAL, createdAt: timestampFromDate(new Date(time)) };
  expect(toRecord(KeySchema, create(KeySchema, key))).toEqual({
    key_id: 'k',
    member_handle: '',
    tier: 'external',
    created_at: time,
    expires_at: null,
    revoked_at: null,
    last_used_at: null,
    access: null,
    item_writes_per_minute: null,
    for_sign_in: false,
    client_id: '',
  });
});

it('a record has numbers, bytes and maps as they are, also below other messages', () => {
  const before = JSON.parse('{ "__proto__": "a" }');
  const entry = create(AuditEntrySchema, { sequence: 7n, actor: { fullName: 'a:b' }, before });
  const record = toRecord(AuditEntrySchema, entry);
  expect(record).toMatchObject({ sequence: 7, actor: { full_name: 'a:b' }, at: null });
  expect(JSON.stringify(record.before)).toBe('{"__proto__":"a"}');
  const itemJson = new Uint8Array([1]);
  expect(toRecord(FeedEntrySchema, create(FeedEntrySchema, { itemJson })).item_json).toEqual(itemJson);
});

it('a record names what only a later version has "unknown"', () => {
  const lists = [FeedList.ITEMS, 99 as FeedList];
  const webhook = create(WebhookSchema, { lists, tier: 99 as Tier });
  expect(toRecord(WebhookSchema, webhook)).toMatchObject({ lists: ['items', 'unknown'], tier: 'unknown' });
});

it('a message that is made from a record makes the same record', () => {
  const scan = {
    codebase: { slug: 'a', full_name: 'A', provider: 'git' },
    issues: [{ number: 12, title: 'b', state: 'open' }],
    metrics: { head_sha: 'c', readiness_pct: 12.5, readiness_pillars: { style: { passed: 1, total: 2 } } },
  };
  const message = fromRecord(ExplainScanResponseSchema, { ...scan, pushed_at: time });
  expect(toRecord(ExplainScanResponseSchema, message)).toMatchObject(scan);
});

it('an enum takes the names of the public API, and none', () => {
  expect(enumNumber(Access, 'own')).toBe(Access.OWN);
  expect(enumNumber(Access, undefined)).toBe(Access.UNSPECIFIED);
});
