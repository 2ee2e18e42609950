import { AppError } from '@teammemory/errors/app-error.ts';
import { parseKeyText, secretMatches } from './key-text.ts';
import { isActive, type Key, type KeyStore } from './keys.ts';

/** The only refusal of keys and credentials. Its text does not tell the reason. */
export function invalidKey(): AppError {
  return new AppError('invalid_key', 'The API key is missing or not valid.');
}

/** How far a key's last use may lag. A write at each request would cost too much. */
export const lastUseIntervalMs = 5 * 60 * 1000;

/** Bounds the memory while a store hangs. A use that is dropped here is recorded with the next one. */
const maxPendingWrites = 1_000;

/** Records when keys were last used, without delaying requests. */
export interface LastUse {
  /** Starts a write if one is due. Neither throws nor waits. */
  record(key: Key, now: number): void;
  /** Resolves when every write that was started has ended. */
  settled(): Promise<void>;
}

export interface LastUseDependencies {
  store: Pick<KeyStore, 'recordUse'>;
  /** Called with the error of a failed write. The request that caused it is not affected. */
  onFailure: (error: unknown) => void;
}

/** Creates a recorder of last uses. At most one write per key is under way. */
export function createLastUse({ store, onFailure }: LastUseDependencies): LastUse {
  const pending = new Map<string, Promise<void>>();

  return {
    record({ teamId, keyId, lastUsedAt }, now) {
      if (lastUsedAt !== null && now - lastUsedAt < lastUseIntervalMs) return;
      if (pending.has(keyId) || pending.size >= maxPendingWrites) return;
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

export interface AuthenticateDependencies {
  store: Pick<KeyStore, 'findById'>;
  lastUse: LastUse;
  /** Milliseconds since the epoch. */
  clock: () => number;
}

/**
 * Turns the text of a key into the key. Throws AppError `invalid_key`, the same
 * for a malformed, unknown, wrong, expired or revoked one, so that an answer
 * tells nobody how close a guess was; `unavailable` if the store is unavailable.
 */
export async function authenticate(dependencies: AuthenticateDependencies, text: string): Promise<Key> {
  const parts = parseKeyText('tms', text);
  if (!parts) throw invalidKey();
  const stored = await dependencies.store.findById(parts.keyId);
  // Compare first, and also if no key was found, so that every refusal takes the same time.
  const matches = secretMatches(parts.secret, stored?.secretHash);
  const now = dependencies.clock();
  if (!stored || !matches || !isActive(stored.key, now)) throw invalidKey();
  dependencies.lastUse.record(stored.key, now);
  return stored.key;
}
