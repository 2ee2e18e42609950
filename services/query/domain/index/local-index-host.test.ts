import { seededRandom } from '@teammemory/testkit/seeded-random.ts';
import { expect, test } from 'vitest';
import type { ItemPassages, Tier } from '../passages/passage.ts';
import { storedItem } from '../passages/passage-store.ts';
import { itemPassages } from '../passages/passages.fixture.ts';
import { applyItems, itemsAt } from './index-host.fixture.ts';
import type { IndexHost } from './index-host.ts';
import { createLocalIndexHost } from './local-index-host.ts';

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
  const maxBytes = 4 * megabyte;
  const host = createLocalIndexHost({ maxBytes });
  for (let seq = 1; seq <= 20; seq += 1) {
    await applyItems(host, 'team', [uniqueWords(seq, 10_000)]);
    expect(host.figures().bytes).toBeLessThanOrEqual(maxBytes);
  }
  await applyItems(host, 'team', [itemPassages(21, 'zebra')]);
  const { passages = 0, missing = 0 } = (await host.coverage('team'))?.views.team ?? {};
  expect(passages).toBeGreaterThan(800);
  expect(missing).toBeGreaterThan(400);
  expect(missing).toBeLessThan(passages);
  expect(host.figures().missing).toBe(missing);
});

test('a vocabulary that is used up keeps no passage out: it is found by the words that are known', async () => {
  const host = createLocalIndexHost({ maxBytes: 8 * megabyte });
  await applyItems(host, 'team', [itemPassages(1, 'zebra'), uniqueWords(2, 60_000)]);
  await applyItems(host, 'team', [
    itemPassages(3, 'a zebra with unheard of qualities', { rowKey: 'last.md' }),
  ]);
  expect(await find(host, 'team', 'zebra')).toContain('last.md');
  expect(await find(host, 'team', 'unheard qualities')).not.toContain('last.md');
  expect((await host.coverage('team'))?.views.team.missing).toBeGreaterThan(0);
});

test('whether an external item finds room does not depend on what external keys do not see', async () => {
  const seen = async (internal: readonly ItemPassages[]) => {
    const host = createLocalIndexHost({ maxBytes: 4 * megabyte });
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
  const host = createLocalIndexHost({ maxBytes: 4 * megabyte });
  await host.open('team', { heads: itemsAt(2), asked: true });
  await host.apply('team', { documents: [storedItem(itemPassages(1, 'giraffe'))] });
  expect(await find(host, 'team', 'zebra')).toBeUndefined();
  expect(await host.coverage('team')).toBeUndefined();
  await host.apply('team', { documents: [storedItem(itemPassages(2, 'zebra'))], positions: itemsAt(2) });
  expect(await find(host, 'team', 'zebra')).toEqual(['notes/2.md']);
});

test('a team that needs room gets it from the one not asked about for longest', async () => {
  const host = createLocalIndexHost({ maxBytes: 4 * megabyte });
  const add = (teamId: string) => applyItems(host, teamId, [uniqueWords(1, 8_000), itemPassages(2, 'zebra')]);
  for (const teamId of ['a', 'b', 'c']) await add(teamId);
  await find(host, 'a', 'zebra');
  expect(host.figures()).toMatchObject({ teams: 3, dropped: 0 });
  for (let other = 0; host.figures().dropped === 0; other += 1) await add(`other${other}`);
  expect(await find(host, 'b', 'zebra')).toBeUndefined();
  expect(await find(host, 'a', 'zebra')).toEqual(['notes/2.md']);
  expect(host.figures().bytes).toBeLessThanOrEqual(4 * megabyte);
});

test('many teams that grow at once stay within the bound together, and each is either served or told', async () => {
  const maxBytes = 3 * megabyte;
  const host = createLocalIndexHost({ maxBytes });
  const teams = Array.from({ length: 12 }, (_, number) => `team${number}`);
  const outcomes = await Promise.allSettled(
    teams.map(async (teamId) => {
      for (let seq = 1; seq <= 6; seq += 1) {
        await applyItems(host, teamId, [uniqueWords(seq, 5_000)]);
        expect(host.figures().bytes).toBeLessThanOrEqual(maxBytes);
      }
    }),
  );
  const refused = outcomes.filter(({ status }) => status === 'rejected');
  for (const { reason } of refused as PromiseRejectedResult[])
    expect(reason).toMatchObject({ code: 'unavailable' });
  expect(refused.length).toBeLessThan(teams.length);
});

test('of twenty thousand items of one word each the bound holds, and all are counted', async () => {
  const maxBytes = 2 * megabyte;
  const host = createLocalIndexHost({ maxBytes });
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
  const host = createLocalIndexHost({ maxBytes: 4 * megabyte });
  for (let seq = 1; seq <= 30; seq += 1)
    await applyItems(host, 'team', [uniqueWords(seq, 8_000, { rowKey: 'same.md' })]);
  expect((await host.coverage('team'))?.views.team.missing).toBe(0);
});

test('once what filled a team is removed, its index is built anew with what was left out', async () => {
  const host = createLocalIndexHost({ maxBytes: 4 * megabyte });
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

test('an index that nobody asked for takes no room from one that somebody did, and is made once somebody asks', async () => {
  const host = createLocalIndexHost({ maxBytes: 4 * megabyte });
  const asked = ['a', 'b', 'c', 'd', 'e', 'f'];
  for (const teamId of asked)
    await applyItems(host, teamId, [uniqueWords(1, 12_000), itemPassages(2, 'zebra')]);
  expect(host.figures().dropped).toBe(0);
  const large = storedItem(uniqueWords(1, 60_000));
  await host.open('large', { heads: itemsAt(1), asked: false });
  expect(await host.apply('large', { documents: [large], positions: itemsAt(1) })).toBe(false);
  expect(await host.open('large', { heads: itemsAt(1), asked: false })).toBeUndefined();
  for (const teamId of asked) expect(await find(host, teamId, 'zebra')).toEqual(['notes/2.md']);
  expect(await host.open('large', { heads: itemsAt(1), asked: true })).toEqual({ positions: itemsAt(0) });
  expect(await host.apply('large', { documents: [large], positions: itemsAt(1) })).toBe(true);
  expect(host.figures().bytes).toBeLessThanOrEqual(4 * megabyte);
});
