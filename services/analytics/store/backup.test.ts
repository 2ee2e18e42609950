import { describeEachEngine } from '@teammemory/testkit/describe-each-engine.ts';
import { storedTables } from '@teammemory/testkit/stored-tables.ts';
import { expect, test } from 'vitest';
import { leftOut } from './backup-tables.ts';
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
});
