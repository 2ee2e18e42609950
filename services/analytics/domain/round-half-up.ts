/**
 * What binary fractions may be off after the few operations of a score, with
 * room to spare: 45 times 0.35 is 15.749999999999998, and means 15.75.
 */
const tolerance = 1e-9;

/** Rounds a number from 0 on to `decimals` places; a half goes up, as on paper. */
export function roundHalfUp(value: number, decimals: number): number {
  const scale = 10 ** decimals;
  return Math.floor(value * scale + 0.5 + tolerance) / scale;
}
