import { describeEachEngine } from '@teammemory/testkit/describe-each-engine.ts';
import { expect, test } from 'vitest';
import { openContentStores } from './open-stores.ts';

describeEachEngine('what cursors are sealed with', (engine) => {
  test('is made once, random, and the same for whoever opens the stores again', async () => {
    const storage = engine.storage();
    const first = await openContentStores(storage);
    const { key } = first.cursorSecret;
    expect([key.length, new Set(key).size > 8]).toEqual([32, true]);
    await first.close();
    const second = await openContentStores(storage);
    expect(Buffer.from(second.cursorSecret.key)).toEqual(Buffer.from(key));
    await second.close();
  });
});
