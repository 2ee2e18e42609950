import { describeEachEngine } from '@teammemory/testkit/describe-each-engine.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { embeddingStoreInMemory } from '../domain/embedding/embedding.fixture.ts';
import type { EmbeddingStore } from '../domain/embedding/embedding-store.ts';
import { embeddingOf, embeddingStoreContract } from './embedding-store.contract.ts';
import { openQueryStores, type QueryStores } from './open-stores.ts';

describe('the store in memory that tests of the domain use', () => {
  let store: EmbeddingStore;
  beforeEach(() => {
    store = embeddingStoreInMemory();
  });
  embeddingStoreContract(() => store);
});

describeEachEngine('the store of embeddings', (engine) => {
  let stores: QueryStores;
  beforeEach(async () => {
    stores = await openQueryStores(engine.storage());
  });
  afterEach(() => stores.close());

  embeddingStoreContract(() => stores.embeddings);

  test('keeps everything when it is closed and opened again', async () => {
    await stores.embeddings.save('team', [embeddingOf('a.md', '1')]);
    await stores.close();
    stores = await openQueryStores(engine.storage());
    expect(await stores.embeddings.ofItems('team', ['a.md'])).toEqual([embeddingOf('a.md', '1')]);
  });
});
