import { connectFaulty, untilAvailable, writeFaults } from '@teammemory/mongo/faulty-proxy.fixture.ts';
import { describeOnMongo } from '@teammemory/testkit/describe-on-mongo.ts';
import { expect, onTestFinished, test } from 'vitest';
import { createFeedWriter } from '../domain/feed/feed-writer.ts';
import { checksumOf, itemDraft } from '../domain/items/item.fixture.ts';
import { pushItems } from '../domain/items/push-items.ts';
import { openContentStores } from './open-stores.ts';

const by = { tier: 'team', handle: 'ada', memberId: 'ada' } as const;
const everything = { beforeRevision: 1_000, limit: 100 };

describeOnMongo('a push whose outcome nobody knows', (direct) => {
  test.for(writeFaults)(
    'is stored once when it is sent again, whichever of its commands meets this: %s',
    async (fault) => {
      const { proxy, connection } = await connectFaulty(direct().db.databaseName);
      const stores = await openContentStores({ engine: 'mongodb', connection });
      onTestFinished(stores.close);
      const writer = createFeedWriter({ feed: stores.items, clock: Date.now, history: 10 });
      const push = (rowKey: string, digit: string) =>
        untilAvailable(() =>
          pushItems({ writer }, 'team', by, [itemDraft({ rowKey, checksum: checksumOf(digit) })]),
        );
      let met: string | undefined = 'none yet';
      let rows = 0;
      while (met !== undefined) {
        rows += 1;
        const rowKey = `${rows}.md`;
        await push(rowKey, '1');
        proxy.arm(rows, fault);
        expect(await push(rowKey, '2')).toMatchObject({ accepted: 1, refusals: [] });
        met = proxy.disarm();
        const stored = await stores.items.read('team', rowKey, 'team');
        expect(stored).toMatchObject({ checksum: checksumOf('2'), revision: 2 });
        expect(await stores.items.versions('team', rowKey, everything)).toHaveLength(1);
      }
      expect(rows).toBeGreaterThan(1);
      const all = await stores.items.readFrom('team', 0, { limit: 1_000 });
      // Two writes of each, and no hole that readers would wait for.
      expect(all.map(({ seq }) => seq)).toEqual(Array.from({ length: rows }, (_, index) => 2 * (index + 1)));
    },
  );
});
