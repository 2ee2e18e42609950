import { describeOnMongo } from '@teammemory/testkit/describe-on-mongo.ts';
import { recordedMongo } from '@teammemory/testkit/recorded-mongo.ts';
import { expect, test } from 'vitest';
import { createMongoUsageStore } from './mongo-usage-store.ts';
import { reservationOf } from './usage-store.contract.ts';

const limits = { member: 300, team: 250, open: 10 };

describeOnMongo('a reservation', (connection) => {
  test('looks once at the day of the member and of the team, and writes to each only where there is room', async () => {
    const { connection: recorded, asked } = recordedMongo(connection());
    const store = await createMongoUsageStore(recorded);
    const asksOfReserving = async () => {
      asked.length = 0;
      await store.reserve('team', reservationOf({ amount: 100 }), limits);
      return [...asked];
    };
    const looks = ['findOne usage', 'findOne usage'];
    const firstOfTheDay = await asksOfReserving();
    expect(firstOfTheDay.slice(0, 2)).toEqual(looks);
    expect(firstOfTheDay.slice(2)).not.toContain('findOne usage');
    expect(await asksOfReserving()).toEqual([...looks, 'updateOne usage', 'updateOne usage']);
    expect(await asksOfReserving()).toEqual(looks);
  });
});
