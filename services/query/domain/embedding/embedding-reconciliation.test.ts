import { expect, test } from 'vitest';
import { hostInThisThread } from '../../search-index/search-index.fixture.ts';
import { applyItems } from '../index/index-host.fixture.ts';
import { noPositions } from '../passages/feeds.ts';
import type { ItemPassages } from '../passages/passage.ts';
import { itemPassages } from '../passages/passages.fixture.ts';
import { feedDecision } from '../rows/row.fixture.ts';
import { decisionChange, decisionDocument } from '../rows/row.ts';
import type { Payer } from '../spending/spending.ts';
import type { Caps } from '../spending/usage-store.ts';
import { EmbeddingFailure } from './embedder.ts';
import { conceptModel, embedderOf, embeddingStoreInMemory } from './embedding.fixture.ts';
import type { EmbeddingStore } from './embedding-store.ts';
import { reconcileEmbeddings } from './embedding-worker.ts';

const signal = new AbortController().signal;
const concepts = [
  ['ferry', 'boat'],
  ['lunch', 'meal'],
];

const plenty = { items: 1_000, passages: 1_000 };

/** One process: indexes and a model of its own, on a store that others may share. */
function processOn(
  embeddings: EmbeddingStore,
  model = conceptModel(...concepts),
  { caps, writers = {} }: { caps?: Caps; writers?: Record<string, string> } = {},
) {
  const host = hostInThisThread({ embeds: true });
  const embedder = embedderOf(model, caps);
  const payers: Payer[] = [];
  const watched: typeof embedder = {
    ...embedder,
    embed(asked, call) {
      payers.push(call.payer);
      return embedder.embed(asked, call);
    },
  };
  const resting = new Set<string>();
  const passages = { writersOf: async () => new Map(Object.entries(writers)) };
  async function lookAfter() {
    const work = await host.takeEmbeddingWork('team', plenty);
    if (work === undefined) throw new Error('the team has no index');
    const parts = { embeddings, embedder: watched, passages };
    await reconcileEmbeddings(work, parts, { teamId: 'team', host, resting, signal });
  }
  return {
    host,
    model,
    embedder,
    payers,
    resting,
    unembedded: () => host.figures().unembedded,
    dimension: async () => (await host.takeEmbeddingWork('team', { items: 0, passages: 0 }))?.dimension,
    lookAfter,
    /** Takes over items, and looks after all that have changed. */
    async take(...items: ItemPassages[]) {
      if (items.length > 0) await applyItems(host, 'team', items);
      await lookAfter();
    },
  };
}

const texts = (calls: readonly (readonly string[])[]) => calls.flat().toSorted();
/** An item of one section for each text. */
const sections = (...bodies: string[]) => bodies.map((body, index) => `# S${index}\n\n${body}\n`).join('\n');

test('passages get vectors in every view that has them, in no other', async () => {
  const { host, unembedded, take } = processOn(embeddingStoreInMemory());
  await take(itemPassages(1, 'The ferry.'), itemPassages(2, 'The lunch.', { tier: 'external' }));
  expect(await host.vectors('team', 'team')).toBe(2);
  expect(await host.vectors('team', 'external')).toBe(1);
  expect(unembedded()).toBe(0);
});

test('what one process has embedded another takes over, and pays nothing', async () => {
  const store = embeddingStoreInMemory();
  await processOn(store).take(itemPassages(1, 'The ferry.'));
  const other = processOn(store);
  await other.take(itemPassages(1, 'The ferry.'));
  expect(other.model.calls).toEqual([]);
  expect(other.unembedded()).toBe(0);
});

test('of an item that changed only new texts are embedded, and vectors of texts that are gone are removed', async () => {
  const store = embeddingStoreInMemory();
  const { model, take } = processOn(store);
  const title = { rowKey: 'a.md', title: 'A' };
  await take(itemPassages(1, sections('The ferry.', 'The lunch.'), title));
  model.calls.length = 0;
  await take(itemPassages(2, sections('The ferry.', 'The meal.'), title));
  expect(texts(model.calls)).toEqual(['A\nS1\nThe meal.']);
  expect(await store.ofItems('team', ['a.md'])).toHaveLength(2);
  await take(itemPassages(3, '', title));
  expect(await store.ofItems('team', ['a.md'])).toEqual([]);
});

test('a process that starts anew removes vectors of items that were removed while nobody looked', async () => {
  const store = embeddingStoreInMemory();
  await processOn(store).take(itemPassages(1, 'The ferry.', { rowKey: 'a.md' }));
  await processOn(store).take(itemPassages(2, '', { rowKey: 'a.md' }));
  expect(await store.ofItems('team', ['a.md'])).toEqual([]);
});

test('a text that an item has twice is embedded once, for both', async () => {
  const { unembedded, model, take } = processOn(embeddingStoreInMemory());
  await take(itemPassages(1, `${'# Same\n\nThe ferry.\n\n'.repeat(2)}# Other\n\nThe lunch.\n`));
  expect(model.calls.flat()).toHaveLength(2);
  expect(unembedded()).toBe(0);
});

test('with another model everything is embedded again, in place of what was there', async () => {
  const store = embeddingStoreInMemory();
  await processOn(store).take(itemPassages(1, 'The ferry.', { rowKey: 'a.md' }));
  const next = processOn(store, { ...conceptModel(...concepts), name: 'free' });
  await next.take(itemPassages(1, 'The ferry.', { rowKey: 'a.md' }));
  expect(await store.ofItems('team', ['a.md'])).toMatchObject([{ model: 'free' }]);
});

test('a model that gives another dimension under the same name replaces all that was there', async () => {
  const store = embeddingStoreInMemory();
  const items = [itemPassages(1, 'The ferry.'), itemPassages(2, 'The lunch.')];
  await processOn(store).take(...items);
  const next = processOn(store, conceptModel(['ferry'], ['lunch'], ['third']));
  await next.take(...items);
  expect(await next.dimension()).toBe(2);
  await next.take(itemPassages(3, 'New.'));
  expect(await next.dimension()).toBe(3);
  await next.take();
  expect(next.unembedded()).toBe(0);
  const stored = await store.ofItems('team', ['notes/1.md', 'notes/2.md', 'notes/3.md']);
  expect(stored.map(({ vector }) => vector.length)).toEqual([3, 3, 3]);
});

test('the writer of a decision pays for it, where they are known', async () => {
  const { host, model, payers, lookAfter } = processOn(embeddingStoreInMemory());
  const decisions = [
    feedDecision('a', { body: 'The ferry.', writerId: 'ada' }),
    feedDecision('b', { body: 'The lunch.' }),
  ];
  const positions = { ...noPositions, decisions: 2 };
  await host.open('team', { heads: positions, asked: true });
  const documents = await host.cut('team', decisions.map(decisionDocument));
  await host.apply('team', { documents, rows: decisions.map(decisionChange), positions });
  await lookAfter();
  expect(payers).toHaveLength(2);
  expect(payers).toEqual(expect.arrayContaining([{ teamId: 'team', memberId: 'ada' }, { teamId: 'team' }]));
  expect(model.calls.flat().toSorted()).toEqual(['Decision a\nThe ferry.', 'Decision b\nThe lunch.']);
});

test('each call has texts of one payer: the member who wrote them, or the team where that is not known', async () => {
  const writers = { 'a.md': 'ada', 'b.md': 'bob', 'c.md': 'ada' };
  const { model, payers, take, unembedded } = processOn(embeddingStoreInMemory(), undefined, { writers });
  const rowKeys = ['a.md', 'b.md', 'c.md', 'old.md'];
  await take(
    ...rowKeys.map((rowKey, place) => itemPassages(place + 1, `In ${rowKey}.`, { rowKey, title: '' })),
  );
  expect(unembedded()).toBe(0);
  const asked = model.calls.map((texts, place) => [
    payers[place]?.memberId,
    texts.map((text) => text.trim()),
  ]);
  expect(asked).toHaveLength(3);
  for (const call of asked) (call[1] as string[]).sort();
  expect(asked).toEqual(
    expect.arrayContaining([
      ['ada', ['In a.md.', 'In c.md.']],
      ['bob', ['In b.md.']],
      [undefined, ['In old.md.']],
    ]),
  );
});

test('a member at their cap keeps nobody else out, and what fits of theirs is embedded', async () => {
  const writers = Object.fromEntries(
    Array.from({ length: 40 }, (_, place) => [`notes/${place + 1}.md`, 'guest']),
  );
  // A micro-dollar pays for fifty bytes, so that no more than a few texts fit.
  const caps = { member: 10, team: 1_000_000 };
  const guest = processOn(embeddingStoreInMemory(), undefined, { writers, caps });
  const text = 'ferry '.repeat(30);
  await guest.take(...Array.from({ length: 50 }, (_, place) => itemPassages(place + 1, `${text}${place}`)));
  expect([...guest.resting]).toEqual(['guest']);
  expect(guest.unembedded()).toBeGreaterThan(20);
  expect(guest.unembedded()).toBeLessThan(40);
  const calls = guest.payers.length;
  await guest.take(itemPassages(100, 'More.', { rowKey: 'notes/7.md' }));
  expect(guest.payers).toHaveLength(calls);
});

test('a team at its cap ends the work for all', async () => {
  const writers = { 'notes/1.md': 'ada' };
  const poor = processOn(embeddingStoreInMemory(), undefined, { writers, caps: { member: 1_000, team: 0 } });
  const refusal = { code: 'daily_cap_exceeded', dailyCap: { scope: 'team' } };
  await expect(poor.take(itemPassages(1, 'ferry'))).rejects.toMatchObject(refusal);
  expect(poor.resting.size).toBe(0);
});

test('texts that the server does not take keep no other out', async () => {
  const { unembedded, model, take } = processOn(embeddingStoreInMemory());
  model.script = async (asked) => {
    if (asked.some((text) => text.includes('poison')))
      throw new EmbeddingFailure('no', { begun: false, refused: true });
    return undefined;
  };
  await take(
    ...Array.from({ length: 64 }, (_, seq) => itemPassages(seq + 1, seq % 32 === 7 ? 'poison' : 'ferry')),
  );
  expect(unembedded()).toBe(2);
});

test('a server that is too slow for a batch gets smaller ones', async () => {
  const { unembedded, model, take } = processOn(embeddingStoreInMemory());
  model.script = async (asked) => {
    if (asked.length > 4) throw new EmbeddingFailure('late', { begun: true, timedOut: true });
    return undefined;
  };
  await take(...Array.from({ length: 40 }, (_, seq) => itemPassages(seq + 1, 'ferry')));
  expect(unembedded()).toBe(0);
});

test('a server that refuses everything is left alone after some calls, and nothing is given up', async () => {
  const { host, model, take } = processOn(embeddingStoreInMemory());
  const refusal = new EmbeddingFailure('no', { begun: false, refused: true });
  model.script = async () => {
    throw refusal;
  };
  const items = Array.from({ length: 200 }, (_, seq) => itemPassages(seq + 1, 'ferry'));
  await expect(take(...items)).rejects.toBe(refusal);
  expect(model.calls.length).toBeLessThan(25);
  expect(await host.vectors('team', 'team')).toBe(0);
});

test('an item that is removed while it is embedded gets nothing', async () => {
  const { host, model, take } = processOn(embeddingStoreInMemory());
  model.script = async () => {
    await applyItems(host, 'team', [itemPassages(2, '', { rowKey: 'a.md' })]);
    return undefined;
  };
  await take(itemPassages(1, 'The ferry.', { rowKey: 'a.md' }));
  expect(await host.vectors('team', 'team')).toBe(0);
  expect((await host.takeEmbeddingWork('team', plenty))?.rowKeys).toEqual(['a.md']);
});
