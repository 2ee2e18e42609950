import { connectFaulty, untilAvailable, writeFaults } from '@teammemory/mongo/faulty-proxy.fixture.ts';
import { describeOnMongo } from '@teammemory/testkit/describe-on-mongo.ts';
import { expect, onTestFinished, test } from 'vitest';
import { openQueryStores } from './open-stores.ts';
import { reservationOf } from './usage-store.contract.ts';

const limits = { member: 1_000_000, team: 1_000_000, open: 1_000 };
const used = { inputTokens: 30, outputTokens: 7 };
const cost = 37;

describeOnMongo('spending whose outcome nobody knows', (direct) => {
  test.for(writeFaults)(
    'is counted once when it is sent again, whichever of its commands meets this: %s',
    async (fault) => {
      const { proxy, connection } = await connectFaulty(direct().db.databaseName);
      const { usage, close } = await openQueryStores({ engine: 'mongodb', connection });
      onTestFinished(close);
      const reserve = () => {
        const reservation = reservationOf();
        return usage.reserve('team', reservation, limits).then(() => reservation);
      };
      let ended = 0;
      // Each call to a model is two operations: what it may cost is held back, then what it did cost is counted.
      for (const isReserving of [true, false]) {
        let met: string | undefined = 'none yet';
        for (let nth = 1; met !== undefined; nth += 1) {
          if (isReserving) proxy.arm(nth, fault);
          // Whoever asks again gets a reservation of its own. The first one stands until it is swept.
          const reservation = await untilAvailable(reserve);
          if (!isReserving) proxy.arm(nth, fault);
          else met = proxy.disarm();
          await untilAvailable(() => usage.settle('team', reservation, used, cost));
          ended += 1;
          if (!isReserving) met = proxy.disarm();
        }
      }
      const swept = await usage.expired('team', Number.MAX_SAFE_INTEGER, 100);
      for (const reservation of swept) await usage.release('team', reservation);
      const [total] = await usage.totals('team', {
        from: '2026-11-01',
        to: '2026-11-30',
        after: undefined,
        limit: 10,
      });
      const calls = ended;
      expect(calls).toBeGreaterThan(3);
      expect(total).toMatchObject({
        calls,
        inputTokens: 30 * calls,
        outputTokens: 7 * calls,
        cost: cost * calls,
      });
      expect(await usage.standing('team', '2026-11-21', 'ada')).toEqual({ spent: cost * calls, reserved: 0 });
      expect(await usage.standing('team', '2026-11-21', undefined)).toEqual({
        spent: cost * calls,
        reserved: 0,
      });
    },
  );
});
