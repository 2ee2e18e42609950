import { smallBodyBytes } from './body-budget.ts';

/** Joins the chunks of a body as they arrive. */
export interface ByteCollector {
  add(chunk: Uint8Array): void;
  /** Returns everything that was added. The collector must not be used afterwards. */
  whole(): Uint8Array;
}

/**
 * Copies each chunk into one buffer. A list of chunks would keep more memory than
 * their bytes, because each chunk is an object and a slice of what was read from the socket.
 *
 * A large body of declared length gets its whole buffer as soon as it is large; without a length the buffer is doubled
 * whenever it is full.
 */
export function byteCollector(declaredBytes: number | undefined): ByteCollector {
  let piece = Buffer.allocUnsafeSlow(0);
  let used = 0;

  function grow(needed: number): void {
    const isSmall = needed <= smallBodyBytes;
    const wanted = isSmall
      ? Math.min(smallBodyBytes, declaredBytes ?? 4 * needed)
      : (declaredBytes ?? 2 * needed);
    const next = Buffer.allocUnsafeSlow(Math.max(needed, wanted));
    piece.copy(next, 0, 0, used);
    piece = next;
  }

  return {
    add(chunk) {
      if (used + chunk.length > piece.length) grow(used + chunk.length);
      piece.set(chunk, used);
      used += chunk.length;
    },
    whole: () => piece.subarray(0, used),
  };
}
