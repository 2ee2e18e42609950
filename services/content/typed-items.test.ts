import { createHash, randomUUID } from 'node:crypto';
import { timestampDate } from '@bufbuild/protobuf/wkt';
import { createClient } from '@connectrpc/connect';
import { silentLog } from '@teammemory/log/log.ts';
import { Tier } from '@teammemory/proto/common/v1/tier_pb.ts';
import { ContentService, type Item } from '@teammemory/proto/content/v1/content_pb.ts';
import type { Principal } from '@teammemory/rpc/auth/principal.ts';
import { transportAs } from '@teammemory/rpc/client/direct-caller.fixture.ts';
import type { ServiceInstance } from '@teammemory/rpc/server/rpc-service.ts';
import { createMetrics } from '@teammemory/telemetry/metrics.ts';
import { describeEachEngine } from '@teammemory/testkit/describe-each-engine.ts';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { plentyOfRoom } from './quotas.fixture.ts';
import { createContentService } from './service.ts';

const teamId = randomUUID();
const follower: Principal = { kind: 'service', name: 'mirror', scopes: ['feed:read'] };

function member(tier: 'team' | 'external'): Principal {
  const ids = { teamId, teamSlug: 'otters', memberId: 'id-of-ada', memberHandle: 'ada', keyId: 'key' };
  return { kind: 'member', caller: { ...ids, tier, access: 'write' } };
}

/** The row of public JSON that a message stands for; front matter stays a text. */
function rowOf(item: Item): object {
  const { rowKey: row_key, updatedAt } = item;
  const updated_at = updatedAt === undefined ? undefined : timestampDate(updatedAt).toISOString();
  if (item.deleted) return { row_key, updated_at, deleted: true };
  const { title, content, frontmatterText, checksum, updatedBy: updated_by } = item;
  return {
    row_key,
    title,
    content,
    frontmatter: Buffer.from(item.frontmatterJson).toString(),
    ...(frontmatterText !== undefined && { frontmatter_text: frontmatterText }),
    tier: item.tier === Tier.TEAM ? 'team' : 'external',
    checksum,
    updated_at,
    updated_by,
  };
}

/** A row of public JSON with its front matter as a text, and empty where a summary has none. */
function withTexts({ content = '', frontmatter, ...row }: Record<string, unknown>): object {
  if (row.deleted === true) return row;
  return { ...row, content, frontmatter: frontmatter === undefined ? '' : JSON.stringify(frontmatter) };
}

const parsed = (json: Uint8Array | undefined) => JSON.parse(Buffer.from(json ?? []).toString());

describeEachEngine('typed items', (engine) => {
  let content: ServiceInstance;
  const as = (caller: Principal) => createClient(ContentService, transportAs(content.rpc, caller));

  beforeEach(async () => {
    content = await createContentService({
      storage: engine.storage(),
      clock: Date.now,
      itemHistory: 20,
      quotas: plentyOfRoom,
      log: silentLog(),
      metrics: createMetrics(),
    });
  });
  afterEach(() => content.close());

  async function push(
    rowKey: string,
    changes: Partial<{
      content: string;
      frontmatterJson: string;
      tier: string;
      frontmatterText: string;
    }> = {},
  ) {
    const { content = '', frontmatterJson = '{}', tier = 'team', ...rest } = changes;
    const checksum = `sha256:${createHash('sha256')
      .update(JSON.stringify([rowKey, changes]))
      .digest('hex')}`;
    const item = { rowKey, content, tier, checksum, frontmatterJson: Buffer.from(frontmatterJson), ...rest };
    expect(await as(member('team')).pushItems({ items: [item] })).toMatchObject({ accepted: 1 });
  }

  test('are the same as the JSON in pages, summaries, feeds and alone, for whoever reads', async () => {
    const texts = fc
      .string({ unit: 'binary', maxLength: 40 })
      .map((text) => text.toWellFormed().replaceAll('\0', ''));
    const frontmatters = fc.dictionary(
      fc.constantFrom('a', '__proto__', 'tier', 'frontmatter_text', 'größe', '1'),
      fc.jsonValue({ maxDepth: 3 }),
    );
    const drafts = fc.sample(
      fc.record({
        content: texts,
        frontmatter: frontmatters,
        tier: fc.constantFrom('team', 'external'),
        text: fc.option(texts),
      }),
      { numRuns: 60, seed: 18 },
    );
    for (const [index, { content, frontmatter, tier, text }] of drafts.entries()) {
      const frontmatterText = text === null ? {} : { frontmatterText: text };
      await push(`${index}.md`, {
        content,
        tier,
        frontmatterJson: JSON.stringify(frontmatter),
        ...frontmatterText,
      });
    }
    await as(member('team')).deleteItem({ rowKey: '3.md' });
    await push('5.md', { tier: 'team' });

    for (const caller of [member('team'), member('external')]) {
      for (const summary of [false, true]) {
        const request = { page: { limit: 200, includeDeleted: true, wholeAnswer: summary }, summary };
        const { page } = await as(caller).listItems({
          ...request,
          page: { ...request.page, wholeAnswer: false },
        });
        const typed = await as(caller).listItems({ ...request, typed: true });
        const rows = parsed(page?.rowsJson) as Record<string, unknown>[];
        expect(rows.length).toBeGreaterThan(20);
        expect(typed.items.map(rowOf)).toEqual(rows.map(withTexts));
        expect(typed.page).toMatchObject({ nextCursor: page?.nextCursor, hasMore: page?.hasMore });
        expect([typed.page?.rowsJson.length, typed.page?.answerJson.length]).toEqual([0, 0]);
        if (summary) continue;
        for (const { row_key: rowKey, deleted } of rows) {
          if (deleted === true) continue;
          const { item, itemJson } = await as(caller).getItem({ rowKey: String(rowKey), typed: true });
          expect(itemJson).toHaveLength(0);
          const json = parsed((await as(caller).getItem({ rowKey: String(rowKey) })).itemJson);
          expect(rowOf(item as Item)).toEqual(withTexts(json));
        }
      }
    }
    const plain = await as(follower).readFeed({ teamId });
    const typed = await as(follower).readFeed({ teamId, typed: true });
    expect(typed.entries.map(({ item, ...entry }) => ({ ...entry, item: item && rowOf(item) }))).toEqual(
      plain.entries.map(({ itemJson, item: _, ...entry }) => ({
        ...entry,
        itemJson: new Uint8Array(),
        item: entry.deleted ? undefined : withTexts(parsed(itemJson)),
      })),
    );
  });

  test('have the front matter byte by byte as it was pushed', async () => {
    const frontmatterJson =
      ' {"large":12345678901234567890,"ver":1.10,"tier":"team","frontmatter_text":"no" } ';
    for (const text of [{}, { frontmatterText: ',"frontmatter_text":"' }]) {
      await push('numbers.md', { frontmatterJson, ...text });
      const { item } = await as(member('team')).getItem({ rowKey: 'numbers.md', typed: true });
      expect(Buffer.from(item?.frontmatterJson ?? []).toString()).toBe(frontmatterJson);
      expect(item).toMatchObject(text);
    }
  });

  test('tell an external key nothing of a hidden item', async () => {
    await push('hidden.md');
    await expect(as(member('external')).getItem({ rowKey: 'hidden.md', typed: true })).rejects.toThrow(
      'There is no such item.',
    );
    const page = { includeDeleted: true };
    expect((await as(member('external')).listItems({ page, typed: true })).items).toEqual([]);
  });
});
