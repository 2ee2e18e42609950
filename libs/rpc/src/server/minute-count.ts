/** A minute, in the pieces that it is counted in: whatever the limit, no more numbers are kept. */
const pieces = 60;
const pieceMs = 1_000;

/** Counts what happened within the last 60 seconds. */
export interface MinuteCount {
  add(amount: number): void;
  /** Whole seconds until less than `most` was counted within a minute; 0: it is less. */
  waitSeconds(most: number): number;
}

/**
 * Makes a count over a rolling minute. What happened within a second counts
 * until a minute after the end of that second, so no 60 seconds admit more than
 * a limit. `clock` answers milliseconds that never go back.
 */
export function createMinuteCount(clock: () => number): MinuteCount {
  let counted: { piece: number; amount: number }[] = [];
  const pieceNow = () => Math.floor(clock() / pieceMs);

  return {
    add(amount) {
      const piece = pieceNow();
      const last = counted.at(-1);
      if (last?.piece === piece) last.amount += amount;
      else counted.push({ piece, amount });
    },
    waitSeconds(most) {
      const now = pieceNow();
      counted = counted.filter(({ piece }) => piece >= now - pieces);
      let left = counted.reduce((sum, { amount }) => sum + amount, 0);
      if (left < most) return 0;
      for (const { piece, amount } of counted) {
        left -= amount;
        if (left < most) return piece + pieces + 1 - now;
      }
      return pieces;
    },
  };
}
