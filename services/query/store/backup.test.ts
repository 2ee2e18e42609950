import { describeEachEngine } from '@teammemory/testkit/describe-each-engine.ts';
import { storedTables } from '@teammemory/testkit/stored-tables.ts';
import { expect, test } from 'vitest';
import { leftOut } from './backup-tables.ts';
import { openQueryStores } from './open-stores.ts';

describeEachEngine('the backup of query', ({ storage }) => {
  test('has every table and collection, but for those that are left out for a reason', async () => {
    const stores = await openQueryStores(storage());
    const backedUp = stores.backup.sections.map(({ name }) => name);
    const tables = await storedTables(storage(), 'query.sqlite');
    await stores.close();
    expect(tables.length).toBeGreaterThan(3);
    // In MongoDB the days and totals are one collection.
    const sameAs: Record<string, string> = { usage: 'usage_days' };
    expect(tables.filter((name) => !(name in leftOut) && !backedUp.includes(sameAs[name] ?? name))).toEqual(
      [],
    );
  });
});
