/** Takes a secret out of a text that comes in pieces. */
export interface SecretFilter {
  /** Takes more text and returns what of it can be shown by now. */
  push(text: string): string;
  /** Returns the rest. */
  end(): string;
}

/** Servers of one's own are given words like `ollama` for a key; those are no secrets, and may be in an answer. */
const shortestSecret = 12;

/**
 * Makes a filter that replaces every occurrence of `secret` by `…`, also where
 * it comes in pieces; were it only removed, the text around it might make
 * another one. Text that ends like a beginning of it waits for more, so at most
 * its length is held back. Without a secret all text passes.
 */
export function createSecretFilter(secret: string | undefined): SecretFilter {
  if (secret === undefined || secret.length < shortestSecret) return { push: (text) => text, end: () => '' };
  let held = '';
  return {
    push(text) {
      const whole = (held + text).replaceAll(secret, '…');
      let heldLength = Math.min(secret.length - 1, whole.length);
      while (heldLength > 0 && !secret.startsWith(whole.slice(-heldLength))) heldLength -= 1;
      const shownLength = whole.length - heldLength;
      held = whole.slice(shownLength);
      return whole.slice(0, shownLength);
    },
    end: () => held,
  };
}
