import { expect, test } from 'vitest';
import { createTeamIndex } from '../index/team-index.ts';
import { itemPassages } from '../passages/item.fixture.ts';
import { embedderOf } from './embedder.fixture.ts';
import { EmbeddingFailure } from './embedding-failure.ts';
import { conceptModel } from './embedding-model.fixture.ts';
import { reconcileEmbeddings } from './embedding-reconciliation.ts';
import { embeddingStoreInMemory } from './embedding-store.fixture.ts';
import type { EmbeddingStore } from './embedding-store.ts';

const signal = new AbortController().signal;
const concepts = [
  ['ferry', 'boat'],
  ['lunch', 'meal'],
];

/** One process: an index and a model of its own, on a store that others may share. */
function processOn(embeddings: EmbeddingStore, model = conceptModel(...concepts)) {
  const index = createTeamIndex();
  const embedder = embedderOf(model);
  return {
    ...{ index, model, embedder },
    /** Takes over items, and looks after all that have changed. */
    async take(...items: Parameters<typeof index.apply>[0][]) {
      for (const item of items) index.apply(item);
      const rowKeys: string[] = [];
      for (let key = index.embeddingBacklog.take(); key; key = index.embeddingBacklog.take())
        rowKeys.push(key);
      await reconcileEmbeddings(rowKeys, { embeddings, embedder }, { teamId: 'team', index, signal });
    },
  };
}

const texts = (calls: readonly (readonly string[])[]) => calls.flat().toSorted();
/** An item of one section for each text. */
const sections = (...bodies: string[]) => bodies.map((body, index) => `# S${index}\n\n${body}\n`).join('\n');

test('passages get vectors in every view that has them, in no other', async () => {
  const { index, take } = processOn(embeddingStoreInMemory());
  await take(itemPassages(1, 'The ferry.'), itemPassages(2, 'The lunch.', { tier: 'external' }));
  expect(index.view('team').vectors.size()).toBe(2);
  expect(index.view('external').vectors.size()).toBe(1);
  expect(index.unembeddedPassages()).toBe(0);
});

test('what one process has embedded another takes over, and pays nothing', async () => {
  const store = embeddingStoreInMemory();
  await processOn(store).take(itemPassages(1, 'The ferry.'));
  const other = processOn(store);
  await other.take(itemPassages(1, 'The ferry.'));
  expect(other.model.calls).toEqual([]);
  expect(other.index.unembeddedPassages()).toBe(0);
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
  const { index, model, take } = processOn(embeddingStoreInMemory());
  await take(itemPassages(1, `${'# Same\n\nThe ferry.\n\n'.repeat(2)}# Other\n\nThe lunch.\n`));
  expect(model.calls.flat()).toHaveLength(2);
  expect(index.unembeddedPassages()).toBe(0);
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
  expect(next.index.dimension()).toBe(2);
  await next.take(itemPassages(3, 'New.'));
  expect(next.index.dimension()).toBe(3);
  await next.take();
  expect(next.index.unembeddedPassages()).toBe(0);
  const stored = await store.ofItems('team', ['notes/1.md', 'notes/2.md', 'notes/3.md']);
  expect(stored.map(({ vector }) => vector.length)).toEqual([3, 3, 3]);
});

test('texts that the server does not take keep no other out', async () => {
  const { index, model, take } = processOn(embeddingStoreInMemory());
  model.script = async (asked) => {
    if (asked.some((text) => text.includes('poison')))
      throw new EmbeddingFailure('no', { begun: false, refused: true });
    return undefined;
  };
  await take(
    ...Array.from({ length: 64 }, (_, seq) => itemPassages(seq + 1, seq % 32 === 7 ? 'poison' : 'ferry')),
  );
  expect(index.unembeddedPassages()).toBe(2);
});

test('a server that is too slow for a batch gets smaller ones', async () => {
  const { index, model, take } = processOn(embeddingStoreInMemory());
  model.script = async (asked) => {
    if (asked.length > 4) throw new EmbeddingFailure('late', { begun: true, timedOut: true });
    return undefined;
  };
  await take(...Array.from({ length: 40 }, (_, seq) => itemPassages(seq + 1, 'ferry')));
  expect(index.unembeddedPassages()).toBe(0);
});

test('a server that refuses everything is left alone after some calls, and nothing is given up', async () => {
  const { index, model, take } = processOn(embeddingStoreInMemory());
  const refusal = new EmbeddingFailure('no', { begun: false, refused: true });
  model.script = async () => {
    throw refusal;
  };
  const items = Array.from({ length: 200 }, (_, seq) => itemPassages(seq + 1, 'ferry'));
  await expect(take(...items)).rejects.toBe(refusal);
  expect(model.calls.length).toBeLessThan(25);
  expect(index.view('team').vectors.size()).toBe(0);
});

test('an item that is removed while it is embedded gets nothing', async () => {
  const { index, model, take } = processOn(embeddingStoreInMemory());
  model.script = async () => {
    index.apply(itemPassages(2, '', { rowKey: 'a.md' }));
    return undefined;
  };
  await take(itemPassages(1, 'The ferry.', { rowKey: 'a.md' }));
  expect(index.view('team').vectors.size()).toBe(0);
  expect(index.embeddingBacklog.size()).toBe(1);
});
