import { describeOnMongo } from '@teammemory/testkit/describe-on-mongo.ts';
import { expect, test } from 'vitest';
import { openMongoSchema } from './schema-record.ts';

describeOnMongo('the version of stored data', (connection) => {
  const open = (version: number, readableFrom: number) =>
    openMongoSchema(connection(), { store: 'things', version, readableFrom });

  test('is kept with the moment at which the rows reached it', async () => {
    const records = await open(1, 0);
    expect(await records.read()).toEqual({ version: 0, readableFrom: 0, reachedAt: 0 });
    await records.reached(1, 10);
    await records.reached(1, 20);
    expect(await records.read()).toEqual({ version: 1, readableFrom: 0, reachedAt: 10 });
    const next = await open(2, 1);
    await next.reached(2, 30);
    expect(await records.read()).toEqual({ version: 2, readableFrom: 1, reachedAt: 30 });
  });

  test('of a newer program is refused, and stays as it is', async () => {
    const records = await open(3, 2);
    await expect(open(1, 1)).rejects.toMatchObject({ code: 'unavailable' });
    expect(await records.read()).toEqual({ version: 0, readableFrom: 2, reachedAt: 0 });
  });

  test('is one record when many processes open the store at once', async () => {
    await Promise.all(Array.from({ length: 8 }, (_, n) => open(4, n % 4)));
    expect(await (await open(4, 0)).read()).toMatchObject({ readableFrom: 3 });
  });
});
