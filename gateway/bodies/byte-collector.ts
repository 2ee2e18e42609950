import { smallBodyBytes } from './body-budget.ts';

/** Puts chunks together as they come. */
export interface ByteCollector {
  add(chunk: Uint8Array): void;
  /** All that was added; the collector is done with. */
  whole(): Uint8Array;
}

/**
 * Copies chunks into one piece of memory at once. A list of them would hold on to
 * more than their bytes: each chunk is an object of its own, and a slice of what was read from the socket.
 *
 * Of a large body that was declared the whole piece is taken when it becomes large; of one that was not, twice as much
 * whenever the last piece is full.
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
