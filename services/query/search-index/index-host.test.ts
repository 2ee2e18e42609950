import { seededRandom } from '@teammemory/testkit/seeded-random.ts';
import { expect, test } from 'vitest';
import { applyItems, itemsAt } from '../domain/index/index-host.fixture.ts';
import type { IndexHost } from '../domain/index/index-host.ts';
import type { ItemPassages, Tier } from '../domain/passages/passage.ts';
import { storedItem } from '../domain/passages/passage-store.ts';
import { itemPassages } from '../domain/passages/passages.fixture.ts';
import { hostInThisThread } from './search-index.fixture.ts';

const megabyte = 2 ** 20;
const random = seededRandom(12);

/** An item of so many words that no other has. */
function uniqueWords(
  seq: number,
  count: number,
  changed: Parameters<typeof itemPassages>[2] = {},
): ItemPassages {
  const words = Array.from({ length: count }, () =>
    random
      .integerBelow(2 ** 31)
      .toString(36)
      .padStart(6, 'q'),
  );
  return itemPassages(seq, words.join(' '), changed);
}

async function find(host: IndexHost, teamId: string, question: string, tier: Tier = 'team') {
  const found = await host.search(teamId, { tier, question, limit: 10 });
  return found?.passages.map(({ passage }) => passage.rowKey);
}

test('items of unique words never take more than the bound; what finds no room is counted, and the rest is found', async () => {
  const maxBytes = 24 * megabyte;
  const host = hostInThisThread({ maxBytes });
  for (let seq = 1; seq <= 20; seq += 1) {
    await applyItems(host, 'team', [uniqueWords(seq, 16_000)]);
    expect(host.figures().bytes).toBeLessThanOrEqual(maxBytes);
  }
  await applyItems(host, 'team', [itemPassages(21, 'zebra')]);
  const { passages = 0, missing = 0 } = (await host.coverage('team'))?.views.team ?? {};
  expect(passages).toBeGreaterThan(800);
  expect(missing).toBeGreaterThan(400);
  expect(missing).toBeLessThan(passages);
  expect(host.figures().missing).toBe(missing);
});

test('whether an external item finds room does not depend on what external keys do not see', async () => {
  const seen = async (internal: readonly ItemPassages[]) => {
    const host = hostInThisThread({ maxBytes: 4 * megabyte });
    await applyItems(host, 'team', internal);
    const external = Array.from({ length: 40 }, (_, place) =>
      itemPassages(1_000 + place, `zebra ${'stripes and hooves. '.repeat(400)}`, { tier: 'external' }),
    );
    await applyItems(host, 'team', external);
    const found = await host.search('team', { tier: 'external', question: 'zebra hooves', limit: 5 });
    return JSON.stringify([found?.coverage, found?.passages, found?.quotes]);
  };
  const alone = await seen([]);
  expect(await seen(Array.from({ length: 30 }, (_, place) => uniqueWords(place + 1, 10_000)))).toBe(alone);
});

test('an index that has not had all rows yet is not searched: it would deny what the team knows', async () => {
  const host = hostInThisThread({ maxBytes: 4 * megabyte });
  await host.open('team', { heads: itemsAt(2), asked: true });
  await host.apply('team', { documents: [storedItem(itemPassages(1, 'giraffe'))] });
  expect(await find(host, 'team', 'zebra')).toBeUndefined();
  expect(await host.coverage('team')).toBeUndefined();
  await host.apply('team', { documents: [storedItem(itemPassages(2, 'zebra'))], positions: itemsAt(2) });
  expect(await find(host, 'team', 'zebra')).toEqual(['notes/2.md']);
});

test('an index that was built page by page finds, ranks and counts as one that was changed item by item', async () => {
  const [built, changed] = [hostInThisThread(), hostInThisThread()];
  const texts = [
    'zebra stripes',
    'zebra hooves in the savannah',
    'Die Urlaubsregelung ist nicht für die Gäste',
  ];
  const items = Array.from({ length: 60 }, (_, place) =>
    itemPassages(place + 1, `${texts[place % 3]} ${place % 7}`, {
      tier: place % 4 === 0 ? 'external' : 'team',
    }),
  );
  const removed = { ...(items[3] as ItemPassages), seq: 61, passages: [] };
  const edited = itemPassages(62, 'a hyena', { rowKey: 'notes/5.md', tier: 'external' });
  const all = [...items, removed, edited];
  await built.open('team', { heads: itemsAt(62), asked: true });
  for (let start = 0; start < all.length; start += 9)
    await built.apply('team', { documents: all.slice(start, start + 9).map(storedItem) });
  await built.apply('team', { positions: itemsAt(62) });
  for (const item of all) await applyItems(changed, 'team', [item]);
  const last = itemPassages(63, 'zebra and hyena stripes', { tier: 'external' });
  for (const change of [edited, last]) {
    for (const host of [built, changed]) await applyItems(host, 'team', [change]);
    for (const tier of ['team', 'external'] as const)
      for (const question of [
        'zebra stripes',
        'zebbra hoves',
        'hyena',
        'Welche Regelung ist für die Gäste?',
      ]) {
        const [one, other] = await Promise.all(
          [built, changed].map((host) => host.search('team', { tier, question, limit: 100 })),
        );
        expect(one?.passages.length).toBeGreaterThan(0);
        expect(one).toEqual(other);
      }
  }
});

test('a page that fails while an index is being built leaves out no word of the next', async () => {
  const host = hostInThisThread();
  const [item, broken] = [
    itemPassages(1, 'Die Urlaubsregelung ist nicht für die Gäste'),
    itemPassages(2, ''),
  ];
  await host.open('team', { heads: itemsAt(2), asked: true });
  const documents = [storedItem(item), { ...storedItem(broken), json: 'null' }];
  await expect(host.apply('team', { documents })).rejects.toThrow(TypeError);
  await applyItems(host, 'team', [item]);
  expect(await find(host, 'team', 'Welche Regelung?')).toEqual(['notes/1.md']);
});

test('of twenty thousand items of one word each the bound holds, and all are counted', async () => {
  const maxBytes = 2 * megabyte;
  const host = hostInThisThread({ maxBytes });
  const items = Array.from({ length: 20_000 }, (_, place) =>
    itemPassages(place + 1, `w${place.toString(36)}`),
  );
  for (let start = 0; start < items.length; start += 1_000)
    await applyItems(host, 'team', items.slice(start, start + 1_000));
  expect(host.figures().bytes).toBeLessThanOrEqual(maxBytes);
  expect((await host.coverage('team'))?.views.team.passages).toBe(20_000);
  expect((await host.coverage('team'))?.views.team.missing).toBeGreaterThan(1_000);
});

test('what is removed makes room that is used again', async () => {
  const host = hostInThisThread({ maxBytes: 4 * megabyte });
  for (let seq = 1; seq <= 30; seq += 1)
    await applyItems(host, 'team', [uniqueWords(seq, 8_000, { rowKey: 'same.md' })]);
  expect((await host.coverage('team'))?.views.team.missing).toBe(0);
});

test('once what filled a team is removed, its index is built anew with what was left out', async () => {
  const host = hostInThisThread({ maxBytes: 4 * megabyte });
  const late = itemPassages(900, 'zebra', { rowKey: 'late.md' });
  await applyItems(
    host,
    'team',
    [1, 2, 3, 4, 5, 6].map((seq) => uniqueWords(seq, 30_000)),
  );
  await applyItems(host, 'team', [late]);
  expect(await find(host, 'team', 'zebra')).toEqual([]);
  const gone = [1, 2, 3, 4].map((seq) => itemPassages(1_000 + seq, '', { rowKey: `notes/${seq}.md` }));
  await applyItems(host, 'team', gone);
  expect(await find(host, 'team', 'zebra')).toBeUndefined();
  expect(await host.open('team', { heads: itemsAt(2_000), asked: true })).toEqual({ positions: itemsAt(0) });
  await applyItems(host, 'team', [late]);
  expect(await find(host, 'team', 'zebra')).toEqual(['late.md']);
});

test('an index that nobody asked for is not made; one that is there is kept up to date', async () => {
  const host = hostInThisThread();
  expect(await host.open('team', { heads: itemsAt(1), asked: false })).toBeUndefined();
  expect(await host.apply('team', { documents: [], positions: itemsAt(1) })).toBe(false);
  await applyItems(host, 'team', [itemPassages(1, 'zebra')]);
  expect(await host.open('team', { heads: itemsAt(2), asked: false })).toEqual({ positions: itemsAt(1) });
});

test('where hidden rows fill a team, guests keep what they found, and its passages still get vectors', async () => {
  const host = hostInThisThread({ maxBytes: 4 * megabyte, embeds: true });
  await applyItems(
    host,
    'team',
    [1, 2, 3, 4].map((seq) => uniqueWords(seq, 30_000)),
  );
  const open = Array.from({ length: 5 }, (_, place) =>
    itemPassages(100 + place, `zebra ${place} ${'stripes '.repeat(100)}`, { tier: 'external' }),
  );
  await applyItems(host, 'team', open);
  const before = await find(host, 'team', 'zebra stripes', 'external');
  expect(before).toHaveLength(5);
  const work = await host.takeEmbeddingWork('team', { items: 100, passages: 10_000 });
  expect(work?.passages.filter(({ tier }) => tier === 'external')).toHaveLength(5);
  expect(await find(host, 'team', 'zebra stripes', 'external')).toEqual(before);
});

test('vectors count as a part of what a team may take', async () => {
  const host = hostInThisThread({ maxBytes: 2 * megabyte, embeds: true });
  const items = Array.from({ length: 1_000 }, (_, place) => itemPassages(place + 1, `short ${place}`));
  await applyItems(host, 'team', items);
  const vectors = items.map(({ rowKey, seq }, place) => ({
    place: { rowKey, seq, ordinal: 0 },
    vector: Float32Array.from({ length: 3_000 }, (_, at) => (at === place ? 1 : 0.01)),
  }));
  await host.embed('team', vectors);
  expect(host.figures().unembedded).toBeGreaterThan(500);
  expect(host.figures().unembedded).toBeLessThan(1_000);
});
