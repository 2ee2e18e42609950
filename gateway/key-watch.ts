import { toAppError } from '@teammemory/errors/app-error.ts';

/**
 * How often a stream asks whether its key is valid. With the time for which the gateway caches a key it stays below the
 * 5 s in which a revocation takes effect.
 */
const keyCheckIntervalMs = 750;

/** Whether the key of an open stream is still valid. */
export interface KeyWatch {
  /** Aborts when the key is revoked or has expired. */
  revoked: AbortSignal;
  /** Whether the key is known to be valid; false while that cannot be found out. */
  isValid(): boolean;
  stop(): void;
}

/**
 * Asks again and again whether the key of a stream is valid: `authenticate` is the check that its request has passed.
 * Calls `onValid` when it was not known and is again.
 */
export function watchKey(authenticate: () => Promise<unknown>, onValid: () => void): KeyWatch {
  const revoked = new AbortController();
  let isChecking = false;
  let isValid = true;

  async function check(): Promise<void> {
    if (isChecking) return;
    isChecking = true;
    // Nothing is told while the answer is outstanding.
    isValid = false;
    try {
      await authenticate();
      isValid = true;
      onValid();
    } catch (error) {
      const { code } = toAppError(error);
      if (code === 'invalid_key' || code === 'team_forbidden') revoked.abort();
    } finally {
      isChecking = false;
    }
  }

  const timer = setInterval(check, keyCheckIntervalMs);
  return { revoked: revoked.signal, isValid: () => isValid, stop: () => clearInterval(timer) };
}
