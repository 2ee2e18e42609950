import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describeEachEngine, type EngineStorage } from '@teammemory/testkit/describe-each-engine.ts';
import { expect, test } from 'vitest';
import { leftOut } from './backup-tables.ts';
import { openQueryStores } from './open-stores.ts';

describeEachEngine('the backup of query', ({ storage }) => {
  test('has every table and collection, but for those that are left out for a reason', async () => {
    const stores = await openQueryStores(storage());
    const backedUp = stores.backup.sections.map(({ name }) => name);
    const stored = await storedNames(storage());
    await stores.close();
    expect(stored.length).toBeGreaterThan(3);
    // In MongoDB accounts and their totals are one collection, and the secret of cursors has a name of its own.
    const sameAs: Record<string, string> = { usage: 'usage_days', content_secrets: 'cursor_secret' };
    const forgotten = stored.filter((name) => !(name in leftOut) && !backedUp.includes(sameAs[name] ?? name));
    expect(forgotten).toEqual([]);
  });
});

async function storedNames(storage: EngineStorage): Promise<string[]> {
  if (storage.engine === 'mongodb') {
    const collections = await storage.connection.db.listCollections({}, { nameOnly: true }).toArray();
    return collections.map(({ name }) => name);
  }
  const database = new DatabaseSync(join(storage.directory, 'query.sqlite'));
  const tables = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .all();
  database.close();
  return tables.map(({ name }) => String(name));
}
