import { expect, test } from 'vitest';
import { createLastUse, lastUseIntervalMs } from './authentication.ts';
import type { Key } from './keys.ts';

const now = Date.UTC(2026, 10, 21);

function keyUsedAt(lastUsedAt: number | null, keyId = '0123456789ABCDEF'): Key {
  return { keyId, teamId: 'team', lastUsedAt } as Key;
}

/** A recorder over a store whose writes end when the test says so. */
function recorderWithHeldWrites() {
  const writes: { keyId: string; end: PromiseWithResolvers<void> }[] = [];
  const failures: unknown[] = [];
  const lastUse = createLastUse({
    store: {
      recordUse: (_teamId, keyId) => {
        const end = Promise.withResolvers<void>();
        writes.push({ keyId, end });
        return end.promise;
      },
    },
    onFailure: (error) => failures.push(error),
  });
  return { lastUse, writes, failures };
}

test('a use is written when none is known, and then not again for five minutes', () => {
  const { lastUse, writes } = recorderWithHeldWrites();
  lastUse.record(keyUsedAt(now - lastUseIntervalMs + 1, 'recent'), now);
  expect(writes).toHaveLength(0);
  lastUse.record(keyUsedAt(now - lastUseIntervalMs, 'due'), now);
  lastUse.record(keyUsedAt(null, 'never'), now);
  expect(writes.map(({ keyId }) => keyId)).toEqual(['due', 'never']);
});

test('many uses at once are one write', async () => {
  const { lastUse, writes } = recorderWithHeldWrites();
  for (let count = 0; count < 100; count++) lastUse.record(keyUsedAt(null), now);
  expect(writes).toHaveLength(1);
  writes[0]?.end.resolve();
  await lastUse.settled();
  lastUse.record(keyUsedAt(null), now);
  expect(writes).toHaveLength(2);
});

test('a write that fails is told of, and the next use tries again', async () => {
  const { lastUse, writes, failures } = recorderWithHeldWrites();
  lastUse.record(keyUsedAt(null), now);
  writes[0]?.end.reject(new Error('down'));
  await lastUse.settled();
  expect(failures).toEqual([new Error('down')]);
  lastUse.record(keyUsedAt(null), now);
  expect(writes).toHaveLength(2);
});

test('it has settled only when every write has ended, well or badly', async () => {
  const { lastUse, writes } = recorderWithHeldWrites();
  lastUse.record(keyUsedAt(null, 'first'), now);
  lastUse.record(keyUsedAt(null, 'second'), now);
  const ended: string[] = [];
  const settled = lastUse.settled().then(() => ended.push('settled'));
  for (const { keyId, end } of writes.toReversed()) {
    ended.push(keyId);
    end.reject(new Error('down'));
    await end.promise.catch(() => {});
  }
  await settled;
  expect(ended).toEqual(['second', 'first', 'settled']);
});

test('behind a store that hangs, no more than a thousand writes wait', () => {
  const { lastUse, writes } = recorderWithHeldWrites();
  for (let index = 0; index < 3_000; index++) lastUse.record(keyUsedAt(null, String(index)), now);
  expect(writes).toHaveLength(1_000);
});
