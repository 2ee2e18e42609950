import { describeEachEngine } from '@teammemory/testkit/describe-each-engine.ts';
import { storedTables, uniqueFields } from '@teammemory/testkit/stored-tables.ts';
import { expect, test } from 'vitest';
import { backupTables, leftOut } from './backup-tables.ts';
import { openAnalyticsStores } from './open-stores.ts';

describeEachEngine('the backup of analytics', ({ storage }) => {
  test('has every table and collection, but for those that are left out for a reason', async () => {
    const stores = await openAnalyticsStores(storage());
    const backedUp = stores.backup.sections.map(({ name }) => name);
    const tables = await storedTables(storage(), 'analytics.sqlite');
    await stores.close();
    expect(tables.length).toBeGreaterThan(3);
    expect(tables.filter((name) => !(name in leftOut) && !backedUp.includes(name))).toEqual([]);
  });

  test('knows the fields that are unique beside the key of a table', async () => {
    const stores = await openAnalyticsStores(storage());
    for (const { name, key, unique = [] } of backupTables) {
      const fields = await uniqueFields(storage(), 'analytics.sqlite', name);
      const isKey = (names: readonly string[]) => names.join() === key.toSorted().join();
      const declared = unique.map((names) => names.toSorted());
      expect({ name, fields: fields.filter((names) => !isKey(names)) }).toEqual({ name, fields: declared });
    }
    await stores.close();
  });
});
