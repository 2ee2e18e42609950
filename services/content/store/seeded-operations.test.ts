import { describeEachEngine } from '@teammemory/testkit/describe-each-engine.ts';
import { type SeededRandom, seededRandom } from '@teammemory/testkit/seeded-random.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { FeedStore } from '../domain/feed/feed-store.ts';
import { createFeedWriter, type FeedWriter } from '../domain/feed/feed-writer.ts';
import { checksumOf, itemDraft } from '../domain/items/item.fixture.ts';
import { deleteItem } from '../domain/items/items.ts';
import { pushItems } from '../domain/items/push-items.ts';
import { type ContentStores, openContentStores } from './open-stores.ts';

const seed = 20_261_121;
/** SecantusDB takes a second for two of them, and says nothing new in more. */
const rounds = 8;
const operationsPerRound = 50;
const teams = ['team-1', 'team-2', 'team-3'];
const rowKeys = ['$where', '__proto__', 'é/日本語.md', "o'neil.md", ...'abcdefghijklmnopqrstuvwxyz'];
const everything = { afterMs: 0, untilMs: 1e15, limit: 1_000, maxBytes: 1e9, includeDeleted: true };

/** What each engine left, by engine: the same operations must leave the same rows. */
const outcomes = new Map<string, unknown>();

describeEachEngine('four hundred seeded operations', (engine) => {
  let stores: ContentStores;

  beforeEach(async () => {
    stores = await openContentStores(engine.storage());
  });
  afterEach(() => stores.close());

  test('leave the same rows, versions and pages on every engine', { timeout: 120_000 }, async () => {
    const random = seededRandom(seed);
    let nowMs = 1_795_000_000_000;
    const writer = createFeedWriter({ feed: stores.items, clock: () => nowMs, history: 3 });
    const answers: string[] = [];
    for (let round = 0; round < rounds; round += 1) {
      // A clock that stands still, goes on and goes back.
      nowMs += random.integerBelow(5) - 1;
      const operations = Array.from({ length: operationsPerRound }, () => operate(writer, random));
      answers.push(...(await Promise.all(operations)));
    }
    const outcome = { answers, teams: await Promise.all(teams.map((team) => snapshot(stores.items, team))) };
    // The operations are worth running: each kind of answer comes up often.
    for (const answer of ['{"accepted":1,"written":1', '{"accepted":1,"written":0', 'conflict', 'removed']) {
      expect(answers.filter((text) => text.includes(answer)).length).toBeGreaterThan(20);
    }
    for (const [, other] of outcomes) expect(outcome).toEqual(other);
    outcomes.set(engine.name, outcome);
  });
});

/** Starts one random operation and returns its outcome as text. */
function operate(writer: FeedWriter, random: SeededRandom): Promise<string> {
  const team = random.pick(teams);
  const by = {
    tier: random.chance(0.8) ? ('team' as const) : ('external' as const),
    handle: 'ada',
    memberId: 'id-of-ada',
  };
  const rowKey = random.pick(rowKeys);
  if (random.chance(0.15)) {
    const base = random.chance(0.3) ? checksumOf(random.pick(['1', '2'])) : undefined;
    return deleteItem({ writer }, team, by, rowKey, base).then(
      () => 'removed',
      (error) => error.code,
    );
  }
  const draft = itemDraft({
    rowKey,
    content: `# ${random.bits()}`,
    tier: random.chance(0.7) ? 'team' : 'external',
    checksum: checksumOf(random.pick(['1', '2'])),
    baseChecksum: random.chance(0.2) ? checksumOf(random.pick(['1', '2'])) : undefined,
    createOnly: random.chance(0.1),
  });
  return pushItems({ writer }, team, by, [draft]).then((result) => JSON.stringify(result));
}

async function snapshot(items: FeedStore, team: string) {
  const rows = await items.readFrom(team, 0, { limit: 1_000 });
  const versions = await Promise.all(
    rowKeys.map((rowKey) => items.versions(team, rowKey, { beforeRevision: 1_000_000, limit: 1_000 })),
  );
  const pages = await Promise.all(
    (['team', 'external'] as const).map((tier) => items.page(team, tier, everything)),
  );
  const bounds = [
    { maxSorted: 100, maxLookedThrough: 100 },
    { maxSorted: 1, maxLookedThrough: 7 },
  ];
  const parts = await Promise.all(
    (['team', 'external'] as const).flatMap((tier) =>
      bounds.map((bound) => items.pageStartingWith(team, tier, '', { ...everything, ...bound })),
    ),
  );
  return {
    head: await items.head(team),
    rows: rows.map(withText),
    versions: versions.flat().map(withText),
    pages: pages.flat().map(withText),
    parts: parts.map(({ rows, throughMs }) => ({ rows: rows.map(withText), throughMs })),
  };
}

function withText<Row extends { json: Uint8Array }>(row: Row) {
  return { ...row, json: Buffer.from(row.json).toString() };
}
