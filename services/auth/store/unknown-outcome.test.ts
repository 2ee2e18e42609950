import { connectFaulty, untilAvailable, writeFaults } from '@teammemory/mongo/faulty-proxy.fixture.ts';
import { describeOnMongo } from '@teammemory/testkit/describe-on-mongo.ts';
import { expect, onTestFinished, test } from 'vitest';
import type { Key } from '../domain/keys.ts';
import { openAuthStores } from './open-stores.ts';

const at = 1_795_219_200_000;
const key = (keyId: string): Key => ({
  keyId,
  teamId: 'team',
  teamSlug: 'acme',
  memberId: 'ada',
  memberHandle: 'ada',
  tier: 'team',
  access: 'write',
  itemWritesPerMinute: null,
  isForSignIn: false,
  createdAt: at,
  expiresAt: null,
  revokedAt: null,
  lastUsedAt: null,
});

describeOnMongo('a revocation whose outcome nobody knows', (direct) => {
  test.for(writeFaults)(
    'revokes the key once when it is sent again, whichever of its commands meets this: %s',
    async (fault) => {
      const { proxy, connection } = await connectFaulty(direct().db.databaseName);
      const { keys, close } = await openAuthStores({ engine: 'mongodb', connection });
      onTestFinished(close);
      let met: string | undefined = 'none yet';
      let revoked = 0;
      while (met !== undefined) {
        revoked += 1;
        const keyId = `k${revoked}`;
        await untilAvailable(() => keys.create('team', { key: key(keyId), secretHash: 'ab' }));
        proxy.arm(revoked, fault);
        let sent = 0;
        const revocation = await untilAvailable(() => {
          sent += 1;
          return keys.revoke('team', keyId, at + sent);
        });
        met = proxy.disarm();
        const stored = (await keys.findById(keyId))?.key.revokedAt;
        // An earlier revocation stays, though its answer was lost.
        expect(revocation).toMatchObject({ keyId, revokedAt: stored });
        expect([at + 1, at + sent]).toContain(stored);
      }
      expect(revoked).toBeGreaterThan(1);
      expect(await keys.countValid('team', 'ada', at)).toBe(0);
    },
  );
});
