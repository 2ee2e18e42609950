import { invalidKey } from './invalid-key.ts';
import { isActive, type Key } from './key.ts';
import type { KeyStore } from './key-store.ts';
import { parseKeyText } from './key-text.ts';
import type { LastUse } from './last-use.ts';
import { secretMatches } from './secret-hash.ts';

export interface AuthenticateDependencies {
  store: Pick<KeyStore, 'findById'>;
  lastUse: LastUse;
  /** Milliseconds since the epoch. */
  clock: () => number;
}

/**
 * Turns the text of a key into the key. Throws AppError `invalid_key`, the same
 * for a malformed, unknown, wrong, expired or revoked one, so that an answer
 * tells nobody how close a guess was; `unavailable` where the store is.
 */
export async function authenticate(dependencies: AuthenticateDependencies, text: string): Promise<Key> {
  const parts = parseKeyText('tms', text);
  if (!parts) throw invalidKey();
  const stored = await dependencies.store.findById(parts.keyId);
  // Compared before anything else is looked at, and also where nothing was found: equal time for all.
  const matches = secretMatches(parts.secret, stored?.secretHash);
  const now = dependencies.clock();
  if (!stored || !matches || !isActive(stored.key, now)) throw invalidKey();
  dependencies.lastUse.record(stored.key, now);
  return stored.key;
}
