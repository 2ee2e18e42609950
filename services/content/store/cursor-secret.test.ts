import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Storage } from '@teammemory/mongo/storage.ts';
import { describeEachEngine } from '@teammemory/testkit/describe-each-engine.ts';
import { expect, test } from 'vitest';
import { storedRow } from '../domain/feed/feed-row.fixture.ts';
import { openContentStores } from './open-stores.ts';

describeEachEngine('what cursors are sealed with', (engine) => {
  test('is made once, random, and the same for whoever opens the stores again', async () => {
    const storage = engine.storage();
    const first = await openContentStores(storage);
    const { key, earlierUntilMs } = first.cursorSecret;
    expect([key.length, earlierUntilMs, new Set(key).size > 8]).toEqual([32, 0, true]);
    await first.items.append('team', [{ row: storedRow('a.md', 1), previous: undefined }], 0);
    await first.close();
    const second = await openContentStores(storage);
    expect(Buffer.from(second.cursorSecret.key)).toEqual(Buffer.from(key));
    expect(second.cursorSecret.earlierUntilMs).toBe(0);
    await second.close();
  });

  test('is made for rows of an earlier version too, whose cursors stay good up to a time', async () => {
    const storage = engine.storage();
    const first = await openContentStores(storage);
    await first.items.append('team', [{ row: storedRow('a.md', 1), previous: undefined }], 0);
    await first.close();
    await forgetSecret(storage);
    const upgraded = await openContentStores(storage);
    expect(Buffer.from(upgraded.cursorSecret.key)).not.toEqual(Buffer.from(first.cursorSecret.key));
    expect(upgraded.cursorSecret.earlierUntilMs).toBeGreaterThan(Date.now());
    await upgraded.close();
  });
});

/** Leaves a database as an earlier version wrote it. */
async function forgetSecret(storage: Storage): Promise<void> {
  if (storage.engine === 'mongodb') {
    await storage.connection.db.collection('content_secrets').deleteMany({});
    return;
  }
  const database = new DatabaseSync(join(storage.directory, 'content.sqlite'));
  database.exec('DROP TABLE cursor_secret');
  database.close();
}
