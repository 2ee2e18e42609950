import { describeOnMongo } from '@teammemory/testkit/describe-on-mongo.ts';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { expect, test } from 'vitest';
import { openContentStores } from './open-stores.ts';

describeOnMongo('a database of an earlier version', (connection) => {
  test('is rid of the index that another one has replaced, in each list, and keeps all others', async () => {
    const { db } = connection();
    const lists = ['items', 'tasks', 'decisions'];
    const earlier = { partialFilterExpression: { external_at: { $exists: true } } };
    for (const list of lists) {
      await db.createIndex(list, { team_id: 1, external_at: 1 }, earlier);
      await db.createIndex(list, { of_the_operator: 1 });
    }
    const indexesOf = async (list: string) => (await db.collection(list).indexes()).map(({ name }) => name);
    expect(await indexesOf('items')).toContain('team_id_1_external_at_1');
    await openContentStores({ engine: 'mongodb', connection: connection() });
    for (const list of lists) {
      const present = await eventually('the earlier index is gone', async () => {
        const names = await indexesOf(list);
        return !names.includes('team_id_1_external_at_1') && names;
      });
      expect(present).toEqual(
        expect.arrayContaining(['external_feed', 'external_live', 'of_the_operator_1']),
      );
    }
  });
});
