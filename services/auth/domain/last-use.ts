import type { Key } from './key.ts';
import type { KeyStore } from './key-store.ts';

/** How far a key's last use may lag: a write per request would cost more than the answer is worth. */
export const lastUseIntervalMs = 5 * 60 * 1000;

/** Bounds the memory behind a store that hangs; a use dropped here is noted with the next one. */
const pendingWritesMax = 1_000;

/** Notes when keys were last used, beside the requests and never in their way. */
export interface LastUse {
  /** Starts the write where one is due. Neither throws nor waits. */
  record(key: Key, now: number): void;
  /** Resolves when every write that was started has ended. */
  settled(): Promise<void>;
}

export interface LastUseDependencies {
  store: Pick<KeyStore, 'recordUse'>;
  /** Told of a write that failed; the request that caused it has gone on. */
  onFailure: (error: unknown) => void;
}

/** Makes a recorder of last uses. It has at most one write per key under way. */
export function createLastUse({ store, onFailure }: LastUseDependencies): LastUse {
  const pending = new Map<string, Promise<void>>();

  return {
    record({ teamId, keyId, lastUsedAt }, now) {
      if (lastUsedAt !== null && now - lastUsedAt < lastUseIntervalMs) return;
      if (pending.has(keyId) || pending.size >= pendingWritesMax) return;
      const write = store
        .recordUse(teamId, keyId, now, lastUseIntervalMs)
        .catch(onFailure)
        .finally(() => pending.delete(keyId));
      pending.set(keyId, write);
    },

    async settled() {
      await Promise.all(pending.values());
    },
  };
}
