import { access, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { describeEachEngine, type EngineStorage } from './describe-each-engine.ts';

describeEachEngine('storage for tests', (engine) => {
  const used: EngineStorage[] = [];

  async function expectEmptyThenWrite(storage: EngineStorage): Promise<void> {
    if (storage.engine === 'sqlite') {
      expect(await readdir(storage.directory)).toEqual([]);
      await writeFile(join(storage.directory, 'file'), 'left behind');
    } else {
      expect(await storage.connection.db.listCollections().toArray()).toEqual([]);
      await storage.connection.db.collection('rows').insertOne({ left: 'behind' });
    }
    used.push(storage);
  }

  test('is of the engine it says', () => {
    expect(engine.storage().engine).toBe(engine.name);
  });

  test('is empty for the first test', () => expectEmptyThenWrite(engine.storage()));

  test('is empty for the next test, and another one', async () => {
    await expectEmptyThenWrite(engine.storage());
    expect(used[1]).not.toBe(used[0]);
  });

  afterAll(async () => {
    for (const storage of used) {
      if (storage.engine === 'sqlite') await expect(access(storage.directory)).rejects.toThrow('ENOENT');
      else await expect(storage.connection.ping()).rejects.toThrow();
    }
  });
});
