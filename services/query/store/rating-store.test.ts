import { describeEachEngine } from '@teammemory/testkit/describe-each-engine.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openQueryStores, type QueryStores } from './open-stores.ts';
import { ratingOf, ratingStoreContract } from './rating-store.contract.ts';

describeEachEngine('the store of ratings', (engine) => {
  let stores: QueryStores;
  beforeEach(async () => {
    stores = await openQueryStores(engine.storage());
  });
  afterEach(() => stores.close());

  ratingStoreContract(() => stores.ratings);

  test('keeps everything when it is closed and opened again', async () => {
    await stores.ratings.put('t1', ratingOf('r1'), { maxOfMember: 1, maxOfTeam: 1, since: 0 });
    await stores.close();
    stores = await openQueryStores(engine.storage());
    const all = { since: 0, after: undefined, limit: 10 };
    expect(await stores.ratings.list('t1', all)).toEqual([ratingOf('r1')]);
  });
});
